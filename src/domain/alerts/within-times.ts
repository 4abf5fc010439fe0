import { alertKind } from "../alert-types.ts";
import type { AlertFact } from "../facts.ts";
import { lastSeenIn, type Sighting } from "../sighting.ts";
import type { Zone } from "../time/time-zone.ts";
import {
  type AlertInput,
  alertFactOf,
  changedBy,
  type Episode,
  type EpisodePart,
  type Episodes,
  type ShownPart,
} from "./episode.ts";
import { stretchesBetween, type TimeStretch } from "./rule-times.ts";

/**
 * Episodes are followed whatever the time, and reported within the times of their rule: each part of an episode within
 * them is an alert of its own. It begins and ends with the times, or with the episode.
 */

/** The alerts that an episode is at present; its end is its `until`, unless it is open. */
export function alertsOf(episode: Episode, zone: Zone): readonly AlertFact[] {
  const { part, phase, since, until } = episode;
  if (part === undefined) return [alertFactOf(episode)];
  if (phase === "open") return part.shown.map((shown) => alertFactOf(shownIn(episode, part, shown)));
  return stretchesOf(episode, part, zone, until)
    .filter(({ from }) => from < until || from === since)
    .map((stretch) => alertFactOf(endedIn(episode, part, stretch, until)));
}

/** Before a frame is read: the worst value is that of one part, or of the time after it. */
export function enterTimes(episodes: Episodes, { sighting: { frame }, context: { zone } }: AlertInput): Episodes {
  return eachPart(episodes, (episode, part) => {
    const { recordedAt: at } = frame;
    const worstBefore = episode.worst ?? part.worstBefore;
    if (worstBefore === null) return episode;
    const present = stretchesOf(episode, part, zone, at).at(-1);
    if (present === undefined) return episode;
    const worstFrom = present.until <= at ? present.until : present.from;
    if (worstFrom <= (part.worstFrom ?? episode.since)) return episode;
    return { ...episode, worst: null, part: { ...part, worstFrom, worstBefore } };
  });
}

/**
 * After a frame was read: what is over within the times is final, if the episode is known to have lasted so long. If that
 * is not known yet, it is shown as over.
 */
export function reportParts(episodes: Episodes, input: AlertInput): Episodes {
  const { sighting, context, completed } = input;
  const { frame } = sighting;
  return eachPart(episodes, (episode, part) => {
    if (episode.phase !== "open") return episode;
    const lasted = lastedUntil(episode, input);
    const last = episode.alertType === "unauthorised_movement" ? lasted : frame.recordedAt;
    const stretches = stretchesOf(episode, part, context.zone, last);
    const over = stretches.filter(({ until }) => until <= lasted);
    const closed: Episode = { ...changedBy(episode, frame), phase: "ended" };
    completed.push(...over.map((stretch) => alertFactOf(endedIn(closed, part, stretch, stretch.until))));
    const shown = stretches.slice(over.length).map(({ from, until }): ShownPart => {
      const known = part.shown.find(({ since }) => since === from) ?? begunIn(episode, from, sighting);
      const shownUntil = until <= last ? until : null;
      return known.until === shownUntil ? known : { ...known, until: shownUntil };
    });
    if (over.length === 0 && areSame(shown, part.shown)) return episode;
    const done = over.at(-1)?.until ?? part.done;
    // With nothing to show any more, nothing that is shown has changed.
    const changed = shown.length === 0 ? episode : changedBy(episode, frame);
    return { ...changed, part: { ...part, done, shown } };
  });
}

/** Until when the episode has lasted for sure: later frames may show that it ended then. */
function lastedUntil({ alertType, since, until }: Episode, { sighting, trip, movedUntil }: AlertInput): number {
  const { frame, fix, previous } = sighting;
  switch (alertKind(alertType).source === "sensor" ? "sensor" : alertType) {
    case "sensor":
    case "speeding":
    case "unauthorised_movement":
      return until;
    case "towing":
      return trip?.startedAt === since ? (movedUntil ?? since) : until;
    case "idling":
      return fix === null && previous?.motion === "moving" ? previous.at : frame.recordedAt;
    default:
      return frame.recordedAt;
  }
}

function begunIn(episode: Episode, since: number, sighting: Sighting): ShownPart {
  const begun = { receivedAt: sighting.frame.receivedAt, ...lastSeenIn(sighting) };
  const { receivedAt, latitude, longitude, speedKmh } = since === episode.since ? episode : begun;
  return { since, until: null, receivedAt, latitude, longitude, speedKmh };
}

function areSame(some: readonly ShownPart[], others: readonly ShownPart[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
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

function shownIn(episode: Episode, part: EpisodePart, { since, until }: ShownPart): Episode {
  const shown = inPart(episode, part, since);
  return until === null ? shown : { ...shown, phase: "ended", until };
}

/** The episode as if it had begun with a part of it. */
function inPart(episode: Episode, part: EpisodePart, since: number): Episode {
  const { worstFrom, worstBefore } = part;
  const isEarlier = worstFrom !== null && since < worstFrom;
  const worst = isEarlier ? worstBefore : (episode.worst ?? worstBefore);
  const shown = part.shown.find((one) => one.since === since);
  if (shown !== undefined) return { ...episode, ...shown, until: episode.until, worst };
  return since === episode.since ? { ...episode, worst } : { ...episode, since, worst, receivedAt: episode.updatedAt };
}

function eachPart(episodes: Episodes, replace: (episode: Episode, part: EpisodePart) => Episode): Episodes {
  if (!episodes.some(({ part }) => part !== undefined)) return episodes;
  const after = episodes.map((episode) => (episode.part === undefined ? episode : replace(episode, episode.part)));
  return after.every((episode, index) => episode === episodes[index]) ? episodes : after;
}
