import { type AlertTypeFrom, alertCatalogue, alertKind, alertTypes } from "../alert-types.ts";
import type { AlertFact, CrossingFact } from "../facts.ts";
import { stepFuel, type Tank } from "../fuel/fuel.ts";
import { joined, type Step } from "../step.ts";
import {
  type AlertInput,
  alertFactOf,
  beginEpisode,
  type Episodes,
  indexOfEpisode,
  seenAgain,
  tripDuring,
  withEpisode,
} from "./episode.ts";
import { dropSilent, finaliseEpisodes } from "./episode-end.ts";
import { stepGpsLost, stepIdling, stepTowing, towedTripReported } from "./lasting.ts";
import { stepPower, stepSensor } from "./measured.ts";
import { type RulesInForce, rulesInForce } from "./rules-in-force.ts";
import { stepSpeeding } from "./speeding.ts";

/** Only what is under way; nothing that is over. */
export interface AlertState {
  readonly episodes: Episodes;
  /** The start of the last trip whose towing was reported; null from the next trip on. */
  readonly towedTrip: number | null;
  readonly tanks: readonly Tank[];
}

export const initialAlerts: AlertState = { episodes: [], towedTrip: null, tanks: [] };

/**
 * Applies every rule to a frame, except `device_offline`, which depends on the clock. The facts returned are the final
 * alerts; `openAlerts` returns the others. Each rule appends to `completed`; none reads it.
 */
export function stepAlerts(state: AlertState, input: AlertInput): Step<AlertState, AlertFact> {
  const { frame } = input.sighting;
  const rules = rulesInForce(input.context, frame.recordedAt, input.fencesInside);
  const { byType } = rules;
  const completed = input.crossings.length === 0 ? [] : crossingAlerts(rules, input);
  let episodes = state.episodes;
  if (episodes.length > 0) episodes = finaliseEpisodes(episodes, rules, input, completed);
  if (frame.event !== null) episodes = stepEvent(episodes, rules, input);
  episodes = stepSpeeding(episodes, byType.speeding, input);
  episodes = stepTowing(episodes, state.towedTrip, byType.towing, input, completed);
  episodes = stepIdling(episodes, byType.idling, input, completed);
  episodes = stepGpsLost(episodes, byType.gps_lost, input, completed);
  episodes = stepPower(episodes, rules, input, completed);
  for (const report of frame.sensors) episodes = stepSensor(episodes, report, rules, input, completed);
  if (episodes.length > 0) episodes = dropSilent(episodes, frame, completed);
  const towedTrip = towedTripReported(state.towedTrip, episodes, input);
  const { state: tanks, facts: fuelAlerts } = stepFuel(state.tanks, rules, input);
  const isSame = episodes === state.episodes && towedTrip === state.towedTrip && tanks === state.tanks;
  return { state: isSame ? state : { episodes, towedTrip, tanks }, facts: joined(completed, fuelAlerts) };
}

/** The alerts that continue, and those whose end is not final yet. */
export function openAlerts({ episodes }: AlertState): readonly AlertFact[] {
  return episodes.filter(({ phase }) => phase !== "building").map(alertFactOf);
}

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
function stepEvent(episodes: Episodes, { byType }: RulesInForce, input: AlertInput): Episodes {
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
function crossingAlerts({ byFence }: RulesInForce, input: AlertInput): AlertFact[] {
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
