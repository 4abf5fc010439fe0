import { type AlertTypeFrom, alertCatalogue, alertKind, alertTypes } from "../alert-types.ts";
import type { AlertFact, CrossingFact, TripFact } from "../facts.ts";
import { stepFuel } from "../fuel/fuel.ts";
import type { Tank } from "../fuel/tank.ts";
import { joinedLists, noFacts, type Step } from "../step.ts";
import type { Zone } from "../time/time-zone.ts";
import {
  type AlertInput,
  beginEpisode,
  type Episodes,
  extendEpisode,
  indexOfEpisode,
  tripDuring,
  withEpisode,
} from "./episode.ts";
import { dropSilent, finaliseEpisodes } from "./episode-end.ts";
import { stepGpsLost, stepIdling } from "./lasting.ts";
import { hasSupplyAfter, stepPower, stepSensor } from "./measured.ts";
import { overWithTrip, stepMovement } from "./movement.ts";
import { rulesHeldAt } from "./rules-in-force.ts";
import { noSamples, type SpeedSamples, weigh } from "./speed-evidence.ts";
import { isSpeeding, stepSpeeding } from "./speeding.ts";
import { parkedAfter, reportedTowAfter, stepTowing, type TowState } from "./towing.ts";
import { alertsOf, enterTimes, reportParts } from "./within-times.ts";

/** Only what is under way; nothing that is over. */
export interface AlertState extends TowState {
  readonly episodes: Episodes;
  /** Whether the tracker was ever wired to the vehicle's supply. */
  readonly hasSupply: boolean;
  readonly tanks: readonly Tank[];
  /** What a speed limit is held against; empty without one. */
  readonly speeds: SpeedSamples;
}

/** The order of keys is that of every state, so that equal states have equal JSON. */
export const initialAlerts: AlertState = {
  episodes: [],
  towedTrip: null,
  parked: null,
  hasSupply: false,
  tanks: [],
  speeds: noSamples,
};

const unlimited = { samples: noSamples, evidence: null };

/** Applies every rule to a frame but `device_offline`, which depends on the clock. The facts are the final alerts. */
export function stepAlerts(state: AlertState, input: AlertInput): Step<AlertState, AlertFact> {
  const { sighting, crossings, completed } = input;
  const { event, sensors } = sighting.frame;
  if (crossings.length > 0) completed.push(...crossingAlerts(input));
  let episodes = state.episodes;
  if (episodes.length > 0) episodes = finaliseEpisodes(enterTimes(episodes, input), input);
  if (event !== null) episodes = stepEvent(episodes, event, input);
  const limitKmh = input.rules.byType.speeding?.threshold ?? null;
  const speed = limitKmh === null ? unlimited : weigh(state.speeds, sighting, limitKmh, isSpeeding(episodes));
  episodes = stepSpeeding(episodes, speed.evidence, input);
  episodes = stepTowing(episodes, state, input);
  episodes = stepMovement(episodes, input);
  episodes = stepIdling(episodes, input);
  episodes = stepGpsLost(episodes, input);
  const hasSupply = hasSupplyAfter(state.hasSupply, input);
  episodes = stepPower(episodes, hasSupply, input);
  for (const report of sensors) episodes = stepSensor(episodes, report, input);
  if (episodes.length > 0) episodes = reportParts(dropSilent(episodes, input), input);
  const towedTrip = reportedTowAfter(state.towedTrip, episodes, input);
  const parked = parkedAfter(state.parked, input);
  const { state: tanks, facts: fuelAlerts } = stepFuel(state.tanks, input);
  const speeds = speed.samples;
  const isSame =
    episodes === state.episodes &&
    towedTrip === state.towedTrip &&
    parked === state.parked &&
    hasSupply === state.hasSupply &&
    tanks === state.tanks &&
    speeds === state.speeds;
  return {
    state: isSame ? state : { episodes, towedTrip, parked, hasSupply, tanks, speeds },
    facts: joinedLists(completed, fuelAlerts),
  };
}

/** The alerts that continue, and those whose end is not final yet. The trip is the one that is not final, if there is one. */
export function openAlerts({ episodes }: AlertState, zone: Zone, trip: TripFact | null): readonly AlertFact[] {
  if (episodes.length === 0) return noFacts;
  return episodes
    .filter(({ phase }) => phase !== "building")
    .flatMap((episode) => alertsOf(overWithTrip(episode, trip), zone));
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
    const rule = rulesHeldAt(input, occurredAt).byFence[alertType].get(fenceId);
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
      tripFoundAt: tripDuring(input, occurredAt),
    };
  });
}

function fenceName({ fenceId, occurredAt }: CrossingFact, { context: { fences }, sighting: { frame } }: AlertInput) {
  return (fences.find(fenceId, occurredAt) ?? fences.find(fenceId, frame.recordedAt))?.name ?? "a geofence";
}
