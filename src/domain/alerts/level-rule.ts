import { withoutSignOfZero } from "../sighting.ts";
import {
  type AlertInput,
  beginEpisode,
  changedBy,
  type Episode,
  type Episodes,
  extendEpisode,
  indexOfEpisode,
  matchesRule,
  opened,
  partUnder,
  withEpisode,
  withoutEpisode,
} from "./episode.ts";
import { ended } from "./episode-end.ts";
import type { RuleInForce } from "./read-rule.ts";

/** A measured value that must not pass a threshold. */
export interface LevelRule {
  readonly alertType: Episode["alertType"];
  /** Which direction is worse. */
  readonly worse: "higher" | "lower";
  /** How long it must last before it is an alert. */
  readonly holdMs: number;
  /** Whether one reading is none: the next one must show it, too, however much later. */
  readonly isRepeated?: true;
  readonly isPassed: (value: number, threshold: number) => boolean;
  /** The value at which it is over: one that wavers around the threshold is one alert, not many. */
  readonly isOver: (value: number, threshold: number) => boolean;
}

/** Nobody knows what happened between readings further apart. Trackers that sleep with the vehicle wake once an hour. */
const longestSilenceMs = 3_600_000;

/** More than ever fail at once on one vehicle. The state must stay small, so further sensors have to wait. */
const maxSensorEpisodes = 12;

/** An alert lasts from the first reading beyond the threshold to the first that is well back, however far apart. */
export function followLevel(
  episodes: Episodes,
  level: LevelRule,
  qualifier: string,
  value: number,
  rule: RuleInForce | null,
  input: AlertInput,
): Episodes {
  const threshold = rule?.threshold ?? null;
  const isPassed = threshold !== null && level.isPassed(value, threshold);
  if (episodes.length === 0 && !isPassed) return episodes;
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  const index = indexOfEpisode(episodes, level.alertType, qualifier);
  const live = episodes[index];
  if (live === undefined) return isPassed ? beginLevel(episodes, level, qualifier, value, rule, input) : episodes;
  if (live.phase !== "ended" && !matchesRule(live, rule)) {
    // The tyre is on another axle now, so another rule applies.
    const over = live.phase === "open" ? ended(live, input) : null;
    if (over !== null) return episodes.with(index, over);
    const others = withoutEpisode(episodes, index);
    return isPassed ? beginLevel(others, level, qualifier, value, rule, input) : others;
  }
  if (rule === null || threshold === null) return episodes;
  const furthest = level.worse === "higher" ? Math.max : Math.min;
  const worst = withoutSignOfZero(furthest(live.worst ?? value, value));
  switch (live.phase) {
    case "building":
      if (!isPassed) return withoutEpisode(episodes, index);
      if (level.holdMs > 0 && at - live.until > longestSilenceMs) {
        return beginLevel(withoutEpisode(episodes, index), level, qualifier, value, rule, input);
      }
      if (at === live.since || at - live.since < level.holdMs) return extendEpisode(episodes, index, frame, worst);
      return episodes.with(index, opened({ ...live, worst }, input));
    case "open": {
      if (!level.isOver(value, threshold)) return extendEpisode(episodes, index, frame, worst);
      const over = ended(live, input);
      return over === null ? withoutEpisode(episodes, index) : episodes.with(index, over);
    }
    case "ended": {
      // It also ended at the moment of this frame.
      if (!isPassed) return episodes;
      const { severity, fenceId } = rule;
      const { part: _, ...again } = changedBy(live, frame);
      const under = { threshold, severity, fenceId, ...partUnder(rule) };
      return episodes.with(index, { ...again, phase: "open", until: at, worst, ...under });
    }
  }
}

function beginLevel(
  episodes: Episodes,
  { alertType, holdMs, isRepeated }: LevelRule,
  qualifier: string,
  value: number,
  rule: RuleInForce | null,
  input: AlertInput,
): Episodes {
  if (rule === null || (qualifier !== "" && countOfSensors(episodes) >= maxSensorEpisodes)) return episodes;
  const phase = holdMs === 0 && isRepeated === undefined ? "open" : "building";
  return withEpisode(episodes, beginEpisode({ alertType, qualifier, phase, value }, rule, input));
}

function countOfSensors(episodes: Episodes): number {
  return episodes.reduce((count, { qualifier }) => count + (qualifier === "" ? 0 : 1), 0);
}
