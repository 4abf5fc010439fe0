import type { AlertFact } from "../facts.ts";
import { lastSeenIn } from "../sighting.ts";
import type { Zone } from "../time/time-zone.ts";
import { type AlertInput, alertFactOf, changedBy, type Episode, type EpisodePart, type Episodes } from "./episode.ts";
import { stretchesBetween, type TimeStretch } from "./rule-times.ts";

/**
 * Episodes are followed whatever the time, and reported within the times of their rule: each part of an episode within
 * them is an alert of its own. It begins and ends with the times, or with the episode.
 */

/** The alerts that an episode is at present; its end is its `until`, unless it is open. */
export function alertsOf(episode: Episode, zone: Zone): readonly AlertFact[] {
  const { part, phase, since, until } = episode;
  if (part === undefined) return [alertFactOf(episode)];
  if (phase === "open") return part.shown === null ? [] : [alertFactOf(inPart(episode, part, part.shown.since))];
  return stretchesOf(episode, part, zone, until)
    .filter(({ from }) => from < until || from === since)
    .map((stretch) => alertFactOf(endedIn(episode, part, stretch, until)));
}

/** Before a frame is read: the worst value is that of one part. */
export function enterTimes(episodes: Episodes, { sighting: { frame }, context: { zone } }: AlertInput): Episodes {
  return eachPart(episodes, (episode, part) => {
    const { recordedAt: at } = frame;
    if (episode.worst === null) return episode;
    const present = stretchesOf(episode, part, zone, at).at(-1);
    if (present === undefined || present.until <= at || present.from <= (part.worstFrom ?? episode.since))
      return episode;
    const { worst: worstBefore } = episode;
    return { ...episode, worst: null, part: { ...part, worstFrom: present.from, worstBefore } };
  });
}

/** After a frame was read: what is over within the times is final. */
export function reportParts(episodes: Episodes, input: AlertInput): Episodes {
  const { sighting, context, completed } = input;
  const { frame } = sighting;
  return eachPart(episodes, (episode, part) => {
    if (episode.phase !== "open") return episode;
    const last = lastSeen(episode, frame.recordedAt);
    const stretches = stretchesOf(episode, part, context.zone, last);
    const over = stretches.filter(({ until }) => until <= last);
    const closed: Episode = { ...changedBy(episode, frame), phase: "ended" };
    completed.push(...over.map((stretch) => alertFactOf(endedIn(closed, part, stretch, stretch.until))));
    const present = stretches[over.length];
    if (over.length === 0 && present?.from === part.shown?.since) return episode;
    const done = over.at(-1)?.until ?? part.done;
    if (present === undefined) return { ...episode, part: { ...part, done, shown: null } };
    const begun = { receivedAt: frame.receivedAt, ...lastSeenIn(sighting) };
    const { receivedAt, latitude, longitude, speedKmh } = present.from === episode.since ? episode : begun;
    const shown = { since: present.from, receivedAt, latitude, longitude, speedKmh };
    return { ...changedBy(episode, frame), part: { ...part, done, shown } };
  });
}

/** A drive is known to last only until the vehicle last moved: the trip may have ended there. */
function lastSeen({ alertType, until }: Episode, at: number): number {
  return alertType === "unauthorised_movement" ? until : at;
}

/** The parts of an episode that are not reported as over. */
function stretchesOf(
  { since }: Episode,
  { times, done }: EpisodePart,
  zone: Zone,
  last: number,
): readonly TimeStretch[] {
  const first = done ?? since;
  return last < first || (done !== null && last === first) ? [] : stretchesBetween(times, zone, first, last);
}

function endedIn(episode: Episode, part: EpisodePart, stretch: TimeStretch, until: number): Episode {
  return { ...inPart(episode, part, stretch.from), until: Math.min(until, stretch.until) };
}

/** The episode as if it had begun with a part of it. */
function inPart(episode: Episode, part: EpisodePart, since: number): Episode {
  const { shown, worstFrom, worstBefore } = part;
  const isEarlier = worstFrom !== null && since < worstFrom;
  const worst = isEarlier ? worstBefore : (episode.worst ?? worstBefore);
  if (shown?.since === since) return { ...episode, ...shown, worst };
  return since === episode.since ? { ...episode, worst } : { ...episode, since, worst, receivedAt: episode.updatedAt };
}

function eachPart(episodes: Episodes, replace: (episode: Episode, part: EpisodePart) => Episode): Episodes {
  if (!episodes.some(({ part }) => part !== undefined)) return episodes;
  const after = episodes.map((episode) => (episode.part === undefined ? episode : replace(episode, episode.part)));
  return after.every((episode, index) => episode === episodes[index]) ? episodes : after;
}
