import type { TripFact } from "../facts.ts";
import {
  type AlertInput,
  beginEpisode,
  type Episode,
  type Episodes,
  indexOfEpisode,
  matchesRule,
  withEpisode,
  withoutEpisode,
} from "./episode.ts";
import type { RuleInForce } from "./read-rule.ts";
import { alertsOf } from "./within-times.ts";

const alertType = "unauthorised_movement";

/**
 * A trip within the times of the rule. The episode is the trip, from when it is known to be one; `until` is when the
 * vehicle last moved. It stays to the end of the trip, even if the rule does not hold any more: what was reported of a trip is
 * not reported again.
 */
export function stepMovement(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType[alertType];
  const index = indexOfEpisode(episodes, alertType, "");
  const live = episodes[index];
  if (rule !== null && input.endedTrips.length > 0) reportShort(rule, live?.since ?? null, input);
  if (live === undefined) return rule === null ? episodes : beginMovement(episodes, rule, input);
  const { tripStartedAt, movedUntil, completed, context } = input;
  if (tripStartedAt !== live.since) {
    const over = input.endedTrips.find(({ startedAt }) => startedAt === live.since);
    if (live.phase === "open" && over !== undefined) {
      const until = over.endedAt ?? live.until;
      completed.push(...alertsOf({ ...live, phase: "ended", until, updatedAt: over.updatedAt }, context.zone));
    }
    const others = withoutEpisode(episodes, index);
    return rule === null ? others : beginMovement(others, rule, input);
  }
  const at = input.sighting.frame.recordedAt;
  if (live.phase === "open" && !matchesRule(live, rule)) {
    const stopped = endedAt(live, at, input);
    completed.push(...alertsOf(stopped, context.zone));
    return rule === null ? episodes.with(index, stopped) : episodes.with(index, resumed(stopped, rule, input));
  }
  if (live.phase === "ended") return rule === null ? episodes : episodes.with(index, resumed(live, rule, input));
  const until = movedUntil ?? live.until;
  return until === live.until ? episodes : episodes.with(index, { ...live, until });
}

/** Trips that were known as such only when they were over. */
function reportShort(rule: RuleInForce, followed: number | null, input: AlertInput): void {
  const begun = beginEpisode({ alertType, qualifier: "", phase: "ended", value: null }, rule, input);
  for (const { startedAt, foundAt, endedAt, receivedAt, updatedAt } of input.endedTrips) {
    if (startedAt === followed || endedAt === null) continue;
    const times = { since: startedAt, until: endedAt, receivedAt, updatedAt, tripFoundAt: foundAt };
    input.completed.push(...alertsOf({ ...begun, ...times }, input.context.zone));
  }
}

/** A trip that is shown as over, though it may still go on, shows its alert so. */
export function overWithTrip(episode: Episode, trip: TripFact | null): Episode {
  const isOver = trip !== null && trip.endedAt !== null && trip.startedAt === episode.since;
  if (episode.alertType !== alertType || episode.phase !== "open" || !isOver) return episode;
  return { ...episode, phase: "ended", until: trip.endedAt ?? episode.until, updatedAt: trip.updatedAt };
}

function beginMovement(episodes: Episodes, rule: RuleInForce, input: AlertInput): Episodes {
  const { tripStartedAt, tripFoundAt, movedUntil } = input;
  if (tripStartedAt === null) return episodes;
  const begun = beginEpisode({ alertType, qualifier: "", phase: "open", value: null }, rule, input);
  return withEpisode(episodes, { ...begun, since: tripStartedAt, until: movedUntil ?? tripStartedAt, tripFoundAt });
}

/** What was reported before is over with this frame. */
function endedAt(live: Episode, at: number, { sighting: { frame } }: AlertInput): Episode {
  return { ...live, phase: "ended", until: at, updatedAt: Math.max(live.updatedAt, frame.receivedAt) };
}

/** The rest of a trip, under another rule or once more under the same one. */
function resumed(live: Episode, rule: RuleInForce, input: AlertInput): Episode {
  const begun = beginEpisode({ alertType, qualifier: "", phase: "open", value: null }, rule, input);
  const part = begun.part === undefined ? {} : { part: { ...begun.part, done: input.sighting.frame.recordedAt } };
  return { ...begun, since: live.since, tripFoundAt: live.tripFoundAt, ...part };
}
