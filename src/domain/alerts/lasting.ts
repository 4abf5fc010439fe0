import { metresBetween } from "../geometry/distance.ts";
import type { Fix, Sighting } from "../sighting.ts";
import {
  type AlertInput,
  beginEpisode,
  type Episode,
  type Episodes,
  extendEpisode,
  indexOfEpisode,
  opened,
  withEpisode,
} from "./episode.ts";
import { ended } from "./episode-end.ts";
import type { RuleInForce } from "./read-rule.ts";

/** Nobody knows what happened between frames further apart. A vehicle must stand this long for its trip to end, too. */
const longestSilenceMs = 900_000;

/** A vehicle further away in the next frame was not standing in between. */
const movedMetres = 100;

/** Nobody drives that far and is at rest again so soon: between two low speeds, a farther position is an error. */
const shortLegMs = 60_000;

/** The engine runs while the vehicle stands, until a frame says otherwise. One that does not say changes nothing. */
export function stepIdling(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType.idling;
  const { frame, fix } = input.sighting;
  const isIdle = frame.ignition === true && fix?.motion === "still";
  const index = indexOfEpisode(episodes, "idling", "");
  if (index === -1 && (!isIdle || rule === null)) return episodes;
  const overAt = idleUntil(episodes[index], input);
  return stepLasting(episodes, index, { alertType: "idling", rule, isOn: isIdle, overAt }, input);
}

/** When it ended, if it has. A speed wavers: one moving frame is none, unless the vehicle is elsewhere by then. */
function idleUntil(live: Episode | undefined, { sighting }: AlertInput): number | null {
  const { frame, fix, previous } = sighting;
  if (frame.ignition === false || isElsewhere(sighting)) return frame.recordedAt;
  if (live !== undefined && fix !== null && hasCrept(live, fix, previous)) return frame.recordedAt;
  if (live === undefined || fix?.motion !== "moving") return null;
  if (previous?.motion === "moving" && previous.at > live.since) return previous.at;
  return isFrom(live, fix) ? frame.recordedAt : null;
}

/** In a queue it comes away slowly. One position may be an error. */
function hasCrept(live: Episode, fix: Fix, previous: Fix | null): boolean {
  return previous !== null && isFrom(live, fix) && isFrom(live, previous);
}

function isElsewhere({ fix, previous, leg }: Sighting): boolean {
  if (fix === null || previous === null) return false;
  if (leg === null) return true;
  const isAtRest = leg.ms <= shortLegMs && isSlow(leg.from) && isSlow(leg.to);
  return leg.metres > movedMetres && !isAtRest;
}

function isSlow({ speedKmh, motion }: Fix): boolean {
  return speedKmh !== null && motion !== "moving";
}

/** Whether a fix is away from where an episode began. */
function isFrom({ latitude, longitude }: Episode, fix: Fix): boolean {
  return latitude === null || longitude === null || metresBetween({ latitude, longitude }, fix) > movedMetres;
}

/** Frames come on a trip, but none with a valid position. It ends with the next position or with the trip. */
export function stepGpsLost(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType.gps_lost;
  const isLost = input.sighting.fix === null && input.trip !== null;
  const index = indexOfEpisode(episodes, "gps_lost", "");
  if (index === -1 && (!isLost || rule === null)) return episodes;
  const overAt = isLost ? null : input.sighting.frame.recordedAt;
  return stepLasting(episodes, index, { alertType: "gps_lost", rule, isOn: isLost, overAt }, input);
}

interface Lasting {
  readonly alertType: "idling" | "gps_lost";
  readonly rule: RuleInForce | null;
  readonly isOn: boolean;
  /** When it ended; null if it goes on. */
  readonly overAt: number | null;
}

/** What becomes an alert by time alone: the rule's threshold, in seconds. Once open, silence does not end it. */
function stepLasting(
  episodes: Episodes,
  index: number,
  { alertType, rule, isOn, overAt }: Lasting,
  input: AlertInput,
): Episodes {
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  let others = episodes;
  const live: Episode | undefined = episodes[index];
  if (live !== undefined) {
    if (overAt === null && (!isOn || live.phase === "open")) return episodes;
    if (overAt === null && at - live.until <= longestSilenceMs) {
      const isDue = at - live.since >= (live.threshold ?? 0) * 1000;
      return isDue ? episodes.with(index, opened(live, input)) : extendEpisode(episodes, index, frame, live.worst);
    }
    others = episodes.toSpliced(index, 1);
    // It lasted at least as long as its threshold, so it is over for good.
    if (live.phase === "open") ended(live, input, overAt ?? at);
  }
  if (!isOn || rule === null) return others;
  return withEpisode(others, beginEpisode({ alertType, qualifier: "", phase: "building", value: null }, rule, input));
}
