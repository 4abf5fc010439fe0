import {
  type AlertInput,
  alertFactOf,
  beginEpisode,
  changedBy,
  type Episode,
  type Episodes,
  extendEpisode,
  indexOfEpisode,
  opened,
  withEpisode,
  withoutEpisode,
} from "./episode.ts";
import { ended } from "./episode-end.ts";
import type { RuleInForce } from "./read-rule.ts";

/** Nobody knows what happened between frames further apart. A vehicle must stand this long for its trip to end, too. */
const longestSilenceMs = 900_000;

/** A vehicle further away in the next frame was not standing in between. */
const movedMetres = 100;

/** The engine runs while the vehicle stands, until a frame says otherwise. One that does not say changes nothing. */
export function stepIdling(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType.idling;
  const { frame, fix } = input.sighting;
  const isIdle = frame.ignition === true && fix?.motion === "still";
  const index = indexOfEpisode(episodes, "idling", "");
  if (index === -1 && (!isIdle || rule === null)) return episodes;
  const isOver = frame.ignition === false || fix?.motion === "moving" || isElsewhere(input);
  return stepLasting(episodes, index, { alertType: "idling", rule, isOn: isIdle, isOver }, input);
}

function isElsewhere({ sighting: { fix, previous, leg } }: AlertInput): boolean {
  if (fix === null || previous === null) return false;
  return leg === null || leg.metres > movedMetres;
}

/** Frames come on a trip, but none with a valid position. It ends with the next position or with the trip. */
export function stepGpsLost(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType.gps_lost;
  const isLost = input.sighting.fix === null && input.trip !== null;
  const index = indexOfEpisode(episodes, "gps_lost", "");
  if (index === -1 && (!isLost || rule === null)) return episodes;
  return stepLasting(episodes, index, { alertType: "gps_lost", rule, isOn: isLost, isOver: !isLost }, input);
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
): Episodes {
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  let others = episodes;
  const live: Episode | undefined = episodes[index];
  if (live !== undefined) {
    if (!isOver && (!isOn || live.phase === "open")) return episodes;
    if (!isOver && at - live.until <= longestSilenceMs) {
      const isDue = at - live.since >= (live.threshold ?? 0) * 1000;
      return isDue ? episodes.with(index, opened(live, input)) : extendEpisode(episodes, index, frame, live.worst);
    }
    others = episodes.toSpliced(index, 1);
    // It lasted at least as long as its threshold, so it is over for good.
    if (live.phase === "open") ended(live, input);
  }
  if (!isOn || rule === null) return others;
  return withEpisode(others, beginEpisode({ alertType, qualifier: "", phase: "building", value: null }, rule, input));
}

/**
 * A trip with the ignition off: an alert from the trip's start to its end, or to the frame at which the ignition comes
 * on, since the vehicle is driven from then on. Reported once per trip, so the caller passes the last trip reported: an
 * alert that the settings ended does not return when they change back.
 */
export function stepTowing(episodes: Episodes, reported: number | null, input: AlertInput): Episodes {
  const { trip, completed } = input;
  const rule = input.rules.byType.towing;
  const { frame } = input.sighting;
  const index = indexOfEpisode(episodes, "towing", "");
  const live = episodes[index];
  let others = episodes;
  if (live !== undefined) {
    if (trip?.startedAt === live.since && trip.isTowed) return episodes;
    others = withoutEpisode(episodes, index);
    completed.push(alertFactOf({ ...changedBy(live, frame), phase: "ended", until: endOfTrip(live.since, input) }));
  }
  if (trip === null || !trip.isTowed || rule === null || trip.startedAt === reported) return others;
  const sign = { alertType: "towing", qualifier: "", phase: "open", value: null } as const;
  const tripStartedAt = input.tripStartedAt;
  return withEpisode(others, { ...beginEpisode(sign, rule, input), since: trip.startedAt, tripStartedAt });
}

/** The last trip that a towing alert was reported for, until another trip is under way. */
export function towedTripReported(reported: number | null, episodes: Episodes, { trip }: AlertInput): number | null {
  if (trip === null || trip.startedAt === reported) return reported;
  return indexOfEpisode(episodes, "towing", "") === -1 ? null : trip.startedAt;
}

/** A trip ends with the first frame of its last stop, which is known only later. If it goes on, its tow ends now. */
function endOfTrip(startedAt: number, { sighting: { frame }, endedTrips }: AlertInput): number {
  return endedTrips.find((trip) => trip.startedAt === startedAt)?.endedAt ?? frame.recordedAt;
}
