import type { AlertFact } from "../facts.ts";
import { alertFactOf } from "./alert-fact.ts";
import type { AlertInput } from "./alert-input.ts";
import { beginEpisode, changedBy, type Episodes, indexOfEpisode, withEpisode, withoutEpisode } from "./episode.ts";
import type { RuleInForce } from "./read-rule.ts";

/**
 * A trip with the ignition off: an alert from the trip's start to its end, or to the frame at which the ignition comes
 * on, since the vehicle is driven from then on. Reported once per trip, so the caller passes the last trip reported: an
 * alert that the settings ended does not return when they change back.
 */
export function stepTowing(
  episodes: Episodes,
  reported: number | null,
  rule: RuleInForce | null,
  input: AlertInput,
  completed: AlertFact[],
): Episodes {
  const { trip } = input;
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
