import { alertKind } from "../alert-types.ts";
import { type AlertInput, changedBy, type Episode, type Episodes, matchesRule, tripDuring } from "./episode.ts";
import type { RulesInForce } from "./rules-in-force.ts";
import { alertsOf } from "./within-times.ts";

/** A sensor silent for this long while frames arrive was removed: its alert ended with its last reading. */
const sensorSilenceMs = 24 * 3_600_000;

/** Before a frame's content is read: ends episodes whose rule no longer holds, finalises those over for long enough. */
export function finaliseEpisodes(episodes: Episodes, input: AlertInput): Episodes {
  return eachReplaced(episodes, input, openOrNull);
}

/** Ends the alerts of sensors that have fallen silent. Runs after the frame's own readings. */
export function dropSilent(episodes: Episodes, input: AlertInput): Episodes {
  return eachReplaced(episodes, input, unlessSilent);
}

/** The same list if nothing changes; null leaves an episode out. */
function eachReplaced(
  episodes: Episodes,
  input: AlertInput,
  replace: (episode: Episode, input: AlertInput, episodes: Episodes) => Episode | null,
): Episodes {
  let remaining: Episode[] | null = null;
  for (let index = 0; index < episodes.length; index++) {
    const episode = episodes[index] as Episode;
    const after = replace(episode, input, episodes);
    if (remaining === null && after === episode) continue;
    remaining ??= episodes.slice(0, index);
    if (after !== null) remaining.push(after);
  }
  return remaining ?? episodes;
}

/** The episode if it continues; null if it is final or comes to nothing. */
function openOrNull(episode: Episode, input: AlertInput, episodes: Episodes): Episode | null {
  const { recordedAt } = input.sighting.frame;
  // Its own rule ends it: see movement.ts.
  if (episode.alertType === "unauthorised_movement") return episode;
  const hasRule = matchesAnyRule(episode, input.rules);
  switch (episode.phase) {
    case "building":
      return hasRule ? withTrip(episode, input) : null;
    case "open":
      return hasRule ? withTrip(episode, input) : ended(episode, input);
    case "ended":
      // Not at the moment of its end: what begins at that moment belongs to it, since both would have the same id.
      if (recordedAt === episode.until || (hasRule && mayContinue(episode, episodes, recordedAt))) {
        return withTrip(episode, input);
      }
      input.completed.push(...alertsOf(episode, input.context.zone));
      return null;
  }
}

/** A frame ends an alert. It is final at once, unless it began at the same moment. */
export function ended(
  episode: Episode,
  { sighting: { frame }, completed, context }: AlertInput,
  until = frame.recordedAt,
): Episode | null {
  const over: Episode = { ...changedBy(episode, frame), phase: "ended", until };
  if (until === episode.since) return over;
  completed.push(...alertsOf(over, context.zone));
  return null;
}

function unlessSilent(episode: Episode, { sighting: { frame }, completed, context }: AlertInput): Episode | null {
  const isHeard = frame.recordedAt - episode.until <= sensorSilenceMs;
  if (isHeard || alertKind(episode.alertType).source !== "sensor") return episode;
  const over: Episode = { ...changedBy(episode, frame), phase: "ended" };
  if (episode.phase === "open") completed.push(...alertsOf(over, context.zone));
  return null;
}

/** A trip is recognised only after a while, so an episode that began on it gets its trip later. */
function withTrip(episode: Episode, input: AlertInput): Episode {
  if (episode.tripFoundAt !== null || input.tripFoundAt === null) return episode;
  const tripFoundAt = tripDuring(input, episode.since);
  return tripFoundAt === null ? episode : { ...changedBy(episode, input.sighting.frame), tripFoundAt };
}

function matchesAnyRule(episode: Episode, { byType, bySensor, tyrePressureByAxle }: RulesInForce): boolean {
  const { alertType, qualifier } = episode;
  switch (alertType) {
    case "temperature_high":
    case "temperature_low": {
      const own = bySensor[alertType].get(qualifier);
      return matchesRule(episode, own === undefined ? byType[alertType] : own);
    }
    case "tyre_pressure_low":
      // The episode does not know the axle; the tyre's next reading checks it.
      return (
        matchesRule(episode, byType[alertType]) ||
        tyrePressureByAxle.values().some((rule) => matchesRule(episode, rule))
      );
    default:
      return matchesRule(episode, byType[alertType]);
  }
}

/** Whether a repetition may still come, or may be building already. */
function mayContinue({ alertType, until }: Episode, episodes: Episodes, at: number): boolean {
  const { repeatMs, source } = alertKind(alertType);
  if (repeatMs === null) return false;
  if (source === "event") return at - until <= repeatMs;
  const isBuilding = (other: Episode) =>
    other.phase === "building" && other.alertType === alertType && other.since - until < repeatMs;
  return at - until < repeatMs || episodes.some(isBuilding);
}
