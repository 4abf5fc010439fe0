import type { AlertFact } from "../facts.ts";
import type { AlertInput } from "./alert-input.ts";
import {
  beginEpisode,
  type Episode,
  type Episodes,
  indexOfEpisode,
  opened,
  seenAgain,
  withEpisode,
} from "./episode.ts";
import { ended } from "./episode-end.ts";
import type { RuleInForce } from "./read-rule.ts";

/**
 * Frames further apart do not make an alert: nobody knows what happened between them. With the ignition on, trackers
 * report more often. It is also how long a vehicle must stand for its trip to end.
 */
const longestSilenceMs = 900_000;

/** A vehicle further away in the next frame was not standing in between. */
const movedMetres = 100;

/**
 * The engine runs while the vehicle stands. It begins with the first frame that says both, and ends with the first that
 * says otherwise: ignition off, moving, or elsewhere. A frame that does not say (no position, no speed, 4 km/h, no
 * ignition) changes nothing.
 */
export function stepIdling(
  episodes: Episodes,
  rule: RuleInForce | null,
  input: AlertInput,
  completed: AlertFact[],
): Episodes {
  const { frame, fix } = input.sighting;
  const isIdle = frame.ignition === true && fix?.motion === "still";
  const index = indexOfEpisode(episodes, "idling", "");
  if (index === -1 && (!isIdle || rule === null)) return episodes;
  const isOver = frame.ignition === false || fix?.motion === "moving" || isElsewhere(input);
  return stepLasting(episodes, index, { alertType: "idling", rule, isOn: isIdle, isOver }, input, completed);
}

function isElsewhere({ sighting: { fix, previous, leg } }: AlertInput): boolean {
  if (fix === null || previous === null) return false;
  return leg === null || leg.metres > movedMetres;
}

/**
 * Frames come, but none with a valid position, while on a trip. It begins with the first such frame, so that silence does
 * not count, and ends with the next position or with the trip.
 */
export function stepGpsLost(
  episodes: Episodes,
  rule: RuleInForce | null,
  input: AlertInput,
  completed: AlertFact[],
): Episodes {
  const isLost = input.sighting.fix === null && input.trip !== null;
  const index = indexOfEpisode(episodes, "gps_lost", "");
  if (index === -1 && (!isLost || rule === null)) return episodes;
  return stepLasting(episodes, index, { alertType: "gps_lost", rule, isOn: isLost, isOver: !isLost }, input, completed);
}

interface Lasting {
  readonly alertType: "idling" | "gps_lost";
  readonly rule: RuleInForce | null;
  readonly isOn: boolean;
  readonly isOver: boolean;
}

/** What becomes an alert by time alone: the rule's threshold, in seconds. Once open, silence does not end it. */
function stepLasting(
  episodes: Episodes,
  index: number,
  { alertType, rule, isOn, isOver }: Lasting,
  input: AlertInput,
  completed: AlertFact[],
): Episodes {
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  let others = episodes;
  const live: Episode | undefined = episodes[index];
  if (live !== undefined) {
    if (!isOver && (!isOn || live.phase === "open")) return episodes;
    if (!isOver && at - live.until <= longestSilenceMs) {
      const isDue = at - live.since >= (live.threshold ?? 0) * 1000;
      return isDue ? episodes.with(index, opened(live, input)) : seenAgain(episodes, index, frame, live.worst);
    }
    others = episodes.toSpliced(index, 1);
    // It lasted at least as long as its threshold, so it is over for good.
    if (live.phase === "open") ended(live, frame, completed);
  }
  if (!isOn || rule === null) return others;
  return withEpisode(others, beginEpisode({ alertType, qualifier: "", phase: "building", value: null }, rule, input));
}
