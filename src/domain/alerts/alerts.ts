import type { AlertFact, Fact } from "../facts.ts";
import { stepFuel, type Tank } from "../fuel/fuel.ts";
import { alertFactOf } from "./alert-fact.ts";
import type { AlertInput } from "./alert-input.ts";
import type { Episodes } from "./episode.ts";
import { stepPower, stepSensor } from "./measured.ts";
import { alertCrossings, stepEvent } from "./moments.ts";
import { rulesInForce } from "./rules-in-force.ts";
import { dropSilent, settleEpisodes } from "./settle.ts";
import { stepSpeeding } from "./speeding.ts";
import { stepGpsLost, stepIdling } from "./standing.ts";
import { stepTowing, towedTripTold } from "./towing.ts";

/** What is under way, and nothing of what is over. */
export interface AlertState {
  readonly episodes: Episodes;
  /** When the last trip began whose towing was told; null from the next trip on. */
  readonly towedTrip: number | null;
  readonly tanks: readonly Tank[];
}

export const initialAlerts: AlertState = { episodes: [], towedTrip: null, tanks: [] };

/**
 * Takes a frame through every rule but `device_offline`, which is the clock's. Runs last: `facts` holds what the frame's
 * trips and crossings came to. Alerts that are final are added to it; the others are in `openAlerts`.
 */
export function stepAlerts(state: AlertState, input: AlertInput, facts: Fact[]): AlertState {
  const { frame } = input.sighting;
  const rules = rulesInForce(input.context, frame.recordedAt, input.fencesInside);
  const { byType } = rules;
  if (facts.length > 0) alertCrossings(rules, input, facts);
  let episodes = state.episodes;
  if (episodes.length > 0) episodes = settleEpisodes(episodes, rules, input, facts);
  if (frame.event !== null) episodes = stepEvent(episodes, rules, input);
  episodes = stepSpeeding(episodes, byType.speeding, input);
  episodes = stepTowing(episodes, state.towedTrip, byType.towing, input, facts);
  episodes = stepIdling(episodes, byType.idling, input, facts);
  episodes = stepGpsLost(episodes, byType.gps_lost, input, facts);
  episodes = stepPower(episodes, rules, input, facts);
  for (const report of frame.sensors) episodes = stepSensor(episodes, report, rules, input, facts);
  if (episodes.length > 0) episodes = dropSilent(episodes, frame.recordedAt, facts);
  const towedTrip = towedTripTold(state.towedTrip, episodes, input);
  const tanks = stepFuel(state.tanks, rules, input, facts);
  if (episodes === state.episodes && towedTrip === state.towedTrip && tanks === state.tanks) return state;
  return { episodes, towedTrip, tanks };
}

/** The alerts that last, and those whose end is not final yet. */
export function openAlerts({ episodes }: AlertState): readonly AlertFact[] {
  return episodes.filter(({ phase }) => phase !== "building").map(alertFactOf);
}
