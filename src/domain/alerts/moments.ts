import { type AlertTypeFrom, alertCatalogue, alertKind, alertTypes } from "../alert-types.ts";
import type { AlertFact, CrossingFact } from "../facts.ts";
import { type AlertInput, tripDuring } from "./alert-input.ts";
import { beginEpisode, type Episodes, indexOfEpisode, seenAgain, withEpisode } from "./episode.ts";
import type { RulesInForce } from "./rules-in-force.ts";

/** What a tracker itself reports in a frame's `event`, under the name of the alert. */
const trackerEvents: ReadonlyMap<string, AlertTypeFrom<"event">> = new Map(
  alertTypes
    .filter((type): type is AlertTypeFrom<"event"> => alertCatalogue[type].source === "event")
    .map((type) => [type, type]),
);

const nothingMeasured = { value: null, threshold: null, unit: null } as const;

/**
 * The tracker's own events, with or without a valid position. They end at the moment they happen. A repetition within a
 * minute (a harsh manoeuvre: 10 s) belongs to the same alert, which then ends with the last one.
 */
export function stepEvent(episodes: Episodes, { byType }: RulesInForce, input: AlertInput): Episodes {
  const { frame } = input.sighting;
  const { event } = frame;
  const alertType = event === null ? undefined : trackerEvents.get(event);
  if (alertType === undefined) return episodes;
  const rule = byType[alertType];
  const index = indexOfEpisode(episodes, alertType, "");
  // Episodes too long ago, or under another rule, have been removed.
  if (index !== -1) return seenAgain(episodes, index, frame, null);
  if (rule === null) return episodes;
  return withEpisode(episodes, beginEpisode({ alertType, qualifier: "", phase: "ended", value: null }, rule, input));
}

/** The crossings that this frame completed, where the settings name the fence: final at once. */
export function crossingAlerts({ byFence }: RulesInForce, input: AlertInput): AlertFact[] {
  return input.crossings.flatMap((crossing) => {
    const { fenceId, eventType, occurredAt, latitude, longitude, speedKmh } = crossing;
    const alertType = eventType === "enter" ? "geofence_enter" : "geofence_exit";
    const rule = byFence[alertType].get(fenceId);
    if (rule === undefined) return [];
    return {
      kind: "alert",
      alertType,
      qualifier: fenceId,
      occurredAt,
      endedAt: occurredAt,
      severity: rule.severity ?? alertCatalogue[alertType].severity,
      message: alertKind(alertType).message({ ...nothingMeasured, name: fenceName(crossing, input) }),
      receivedAt: crossing.receivedAt,
      updatedAt: crossing.updatedAt,
      latitude,
      longitude,
      speedKmh,
      ...nothingMeasured,
      fenceId,
      tripStartedAt: tripDuring(input, occurredAt),
    };
  });
}

function fenceName({ fenceId, occurredAt }: CrossingFact, { context: { fences }, sighting: { frame } }: AlertInput) {
  return (fences.find(fenceId, occurredAt) ?? fences.find(fenceId, frame.recordedAt))?.name ?? "a geofence";
}
