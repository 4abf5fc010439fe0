import { type AlertTypeFrom, alertCatalogue, alertKind, alertTypes } from "../alert-types.ts";
import type { AlertFact, CrossingFact } from "../facts.ts";
import { stepFuel, type Tank } from "../fuel/fuel.ts";
import { joined, type Step } from "../step.ts";
import {
  type AlertInput,
  alertFactOf,
  beginEpisode,
  type Episodes,
  extendEpisode,
  indexOfEpisode,
  tripDuring,
  withEpisode,
} from "./episode.ts";
import { dropSilent, finaliseEpisodes } from "./episode-end.ts";
import { stepGpsLost, stepIdling, stepTowing, towedTripReported } from "./lasting.ts";
import { stepPower, stepSensor } from "./measured.ts";
import { noSamples, type SpeedSamples, weigh } from "./speed-evidence.ts";
import { isSpeeding, stepSpeeding } from "./speeding.ts";

/** Only what is under way; nothing that is over. */
export interface AlertState {
  readonly episodes: Episodes;
  /** The start of the last trip whose towing was reported; null from the next trip on. */
  readonly towedTrip: number | null;
  readonly tanks: readonly Tank[];
  /** What a speed limit is held against; empty without one. */
  readonly speeds: SpeedSamples;
}

export const initialAlerts: AlertState = { episodes: [], towedTrip: null, tanks: [], speeds: noSamples };

const unlimited = { samples: noSamples, evidence: null };

/** Applies every rule to a frame but `device_offline`, which depends on the clock. The facts are the final alerts. */
export function stepAlerts(state: AlertState, input: AlertInput): Step<AlertState, AlertFact> {
  const { sighting, crossings, completed } = input;
  const { event, sensors } = sighting.frame;
  if (crossings.length > 0) completed.push(...crossingAlerts(input));
  let episodes = state.episodes;
  if (episodes.length > 0) episodes = finaliseEpisodes(episodes, input);
  if (event !== null) episodes = stepEvent(episodes, event, input);
  const limitKmh = input.rules.byType.speeding?.threshold ?? null;
  const speed = limitKmh === null ? unlimited : weigh(state.speeds, sighting, limitKmh, isSpeeding(episodes));
  episodes = stepSpeeding(episodes, speed.evidence, input);
  episodes = stepTowing(episodes, state.towedTrip, input);
  episodes = stepIdling(episodes, input);
  episodes = stepGpsLost(episodes, input);
  episodes = stepPower(episodes, input);
  for (const report of sensors) episodes = stepSensor(episodes, report, input);
  if (episodes.length > 0) episodes = dropSilent(episodes, input);
  const towedTrip = towedTripReported(state.towedTrip, episodes, input);
  const { state: tanks, facts: fuelAlerts } = stepFuel(state.tanks, input);
  const speeds = speed.samples;
  const isSame =
    episodes === state.episodes && towedTrip === state.towedTrip && tanks === state.tanks && speeds === state.speeds;
  return { state: isSame ? state : { episodes, towedTrip, tanks, speeds }, facts: joined(completed, fuelAlerts) };
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

/** Of the tracker, momentary. A repetition within a minute (a harsh manoeuvre: 10 s) belongs to the same alert. */
function stepEvent(episodes: Episodes, event: string, input: AlertInput): Episodes {
  const alertType = trackerEvents.get(event);
  if (alertType === undefined) return episodes;
  const rule = input.rules.byType[alertType];
  const index = indexOfEpisode(episodes, alertType, "");
  // Episodes too long ago, or under another rule, have been removed.
  if (index !== -1) return extendEpisode(episodes, index, input.sighting.frame, null);
  if (rule === null) return episodes;
  return withEpisode(episodes, beginEpisode({ alertType, qualifier: "", phase: "ended", value: null }, rule, input));
}

/** The crossings that this frame completed, where the settings name the fence: final at once. */
function crossingAlerts(input: AlertInput): AlertFact[] {
  return input.crossings.flatMap((crossing) => {
    const { fenceId, eventType, occurredAt, latitude, longitude, speedKmh } = crossing;
    const alertType = eventType === "enter" ? "geofence_enter" : "geofence_exit";
    const rule = input.rules.byFence[alertType].get(fenceId);
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
