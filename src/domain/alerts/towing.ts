import type { Sighting } from "../sighting.ts";
import { usualMs } from "../trips/pace.ts";
import {
  type AlertInput,
  beginEpisode,
  changedBy,
  type Episode,
  type Episodes,
  indexOfEpisode,
  opened,
  withEpisode,
  withoutEpisode,
} from "./episode.ts";
import { alertsOf } from "./within-times.ts";

/** What is remembered for the next tow. */
export interface TowState {
  /** The start of the last tow that was reported; null from the next trip on. */
  readonly towedTrip: number | null;
  /**
   * Set where the vehicle was seen standing with its ignition off, until the ignition comes on or it is driven: the usual
   * seconds between its frames while it is driven; 0 if that was never seen.
   */
  readonly parked: number | null;
}

/** A tracker that sends by the clock alone shows nothing of a drive between two frames, even if one of them is lost. */
const hiddenIntervals = 2.25;

/** One frame is enough if the tracker vouches for it, and it is farther off than reflections put a fix. */
const clearMetres = 1000;
const goodAccuracyM = 50;
const goodSatellites = 6;

/**
 * A vehicle that was standing with its ignition off is moved without it. On a trip that lasts from its start to its end,
 * or to the frame at which the ignition comes on. Asleep it shows only the new place: from the first frame there to the
 * last one that shows a new place. Reported once, so an alert that the settings ended does not return if they change back.
 */
export function stepTowing(episodes: Episodes, state: TowState, input: AlertInput): Episodes {
  if (episodes.length === 0 && state.parked === null) return episodes;
  const index = indexOfEpisode(episodes, "towing", "");
  const live = episodes[index];
  if (live === undefined) return beginTow(episodes, state, input);
  const { sighting, trip, relocation } = input;
  const { frame, fix } = sighting;
  if (live.phase === "ended") return episodes;
  if (trip?.isTowed && trip.startedAt === live.since) {
    return live.phase === "open" ? episodes : episodes.with(index, opened(live, input));
  }
  if (fix === null && trip === null && frame.ignition !== true) return episodes;
  const isAway = relocation !== null && frame.ignition !== true;
  const isKnown = live.phase === "open" || (isAway && relocation.isConfirmed && isOffAtEitherEnd(sighting));
  const known = live.phase === "open" || !isKnown ? live : { ...opened(live, input), until: live.until };
  if (isAway && !relocation.isOver) {
    const isSame = known === live && live.until === frame.recordedAt;
    return isSame ? episodes : episodes.with(index, { ...known, until: frame.recordedAt });
  }
  const others = withoutEpisode(episodes, index);
  if (isKnown) input.completed.push(...alertsOf(overIn(known, input), input.context.zone));
  return isAway ? others : beginTow(others, state, input);
}

function beginTow(episodes: Episodes, { towedTrip, parked }: TowState, input: AlertInput): Episodes {
  const { trip, relocation, sighting } = input;
  const rule = input.rules.byType.towing;
  if (rule === null || parked === null) return episodes;
  const sign = { alertType: "towing", qualifier: "", value: null } as const;
  if (trip?.isTowed && trip.startedAt !== towedTrip) {
    const { startedAt: since } = trip;
    const { tripFoundAt } = input;
    return withEpisode(episodes, { ...beginEpisode({ ...sign, phase: "open" }, rule, input), since, tripFoundAt });
  }
  const { fix, leg } = sighting;
  if (relocation === null || relocation.since === towedTrip || fix === null || fix.ignition === true) return episodes;
  const { since, isConfirmed } = relocation;
  // Over a discontinuity the judge has seen several frames there.
  if (leg === null ? fix.ignition === null : isConfirmed || leg.ms <= hiddenIntervals * parked * 1000) return episodes;
  const phase = leg === null ? "ended" : isClear(sighting) ? "open" : "building";
  return withEpisode(episodes, { ...beginEpisode({ ...sign, phase }, rule, input), since });
}

function isClear({ frame, fix, leg }: Sighting): boolean {
  if (fix?.ignition !== false || leg === null || leg.metres < clearMetres) return false;
  return frame.accuracy_m === null ? (frame.satellites ?? 0) >= goodSatellites : frame.accuracy_m <= goodAccuracyM;
}

function isOffAtEitherEnd({ fix, previous }: Sighting): boolean {
  return fix?.ignition === false || previous?.ignition === false;
}

/** A trip ends with the first frame of its last stop, which is known only later. If it goes on, its tow ends now. */
function overIn(live: Episode, { sighting: { frame }, trip, endedTrips }: AlertInput): Episode {
  const ended = endedTrips.find(({ startedAt }) => startedAt === live.since);
  const until = ended?.endedAt ?? (trip?.startedAt === live.since ? frame.recordedAt : live.until);
  const tripFoundAt = ended?.foundAt ?? live.tripFoundAt;
  return { ...changedBy(live, frame), phase: "ended", until, tripFoundAt };
}

/** The start of the last tow that was reported, after a frame. */
export function reportedTowAfter(reported: number | null, episodes: Episodes, { trip }: AlertInput): number | null {
  if (episodes.length === 0 && reported === null) return null;
  const live = episodes[indexOfEpisode(episodes, "towing", "")];
  if (live !== undefined && live.phase !== "building") return live.since;
  return trip === null || trip.startedAt === reported ? reported : null;
}

/** A vehicle that was towed stays parked: nobody has switched its ignition on. */
export function parkedAfter(
  parked: number | null,
  { sighting: { frame, fix }, trip, rest }: AlertInput,
): number | null {
  if (frame.ignition === true) return null;
  if (trip !== null) return trip.isTowed ? parked : null;
  if (parked !== null || rest === null || fix?.ignition !== false) return parked;
  return Math.round(usualMs(rest.pace) / 1000);
}
