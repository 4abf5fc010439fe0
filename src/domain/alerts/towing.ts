import type { Fact } from "../facts.ts";
import { alertFactOf } from "./alert-fact.ts";
import type { AlertInput } from "./alert-input.ts";
import { beginEpisode, type Episodes, indexOfEpisode, withEpisode, withoutEpisode } from "./episode.ts";
import type { RuleInForce } from "./read-rule.ts";

/**
 * A trip with the ignition off: an alert from the trip's start to its end, or to the frame with which the ignition comes
 * on, since from then on the vehicle is driven. Told once per trip, for which the caller keeps
 * the last one told: an alert that the settings ended does not come again when they change back.
 */
export function stepTowing(
  episodes: Episodes,
  told: number | null,
  rule: RuleInForce | null,
  input: AlertInput,
  facts: Fact[],
): Episodes {
  const { trip } = input;
  const index = indexOfEpisode(episodes, "towing", "");
  const live = episodes[index];
  let others = episodes;
  if (live !== undefined) {
    if (trip?.startedAt === live.since && trip.isTowed) return episodes;
    others = withoutEpisode(episodes, index);
    facts.push(alertFactOf({ ...live, phase: "ended", until: endOfTrip(live.since, input, facts) }));
  }
  if (trip === null || !trip.isTowed || rule === null || trip.startedAt === told) return others;
  const sign = { alertType: "towing", qualifier: "", phase: "open", value: null } as const;
  const tripStartedAt = input.tripStartedAt;
  return withEpisode(others, { ...beginEpisode(sign, rule, input), since: trip.startedAt, tripStartedAt });
}

/** The last trip that a towing alert was told of, until another trip is under way. */
export function towedTripTold(told: number | null, episodes: Episodes, { trip }: AlertInput): number | null {
  if (trip === null || trip.startedAt === told) return told;
  return indexOfEpisode(episodes, "towing", "") === -1 ? null : trip.startedAt;
}

/** A trip ends with the first frame of its last stop, which is known only later. If it goes on, its tow ends now. */
function endOfTrip(startedAt: number, { sighting: { frame } }: AlertInput, facts: readonly Fact[]): number {
  for (const fact of facts) {
    if (fact.kind === "trip" && fact.startedAt === startedAt && fact.endedAt !== null) return fact.endedAt;
  }
  return frame.recordedAt;
}
