import type { AlertFact } from "../facts.ts";
import { stepFuel, type Tank } from "../fuel/fuel.ts";
import { joined, type Step } from "../step.ts";
import { alertFactOf } from "./alert-fact.ts";
import type { AlertInput } from "./alert-input.ts";
import type { Episodes } from "./episode.ts";
import { dropSilent, finaliseEpisodes } from "./episode-end.ts";
import { stepGpsLost, stepIdling } from "./lasting.ts";
import { stepPower, stepSensor } from "./measured.ts";
import { crossingAlerts, stepEvent } from "./moments.ts";
import { rulesInForce } from "./rules-in-force.ts";
import { stepSpeeding } from "./speeding.ts";
import { stepTowing, towedTripReported } from "./towing.ts";

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
