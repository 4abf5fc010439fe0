import { alertCatalogue } from "../alert-types.ts";
import {
  type AlertInput,
  beginEpisode,
  changedBy,
  type Episode,
  type Episodes,
  extendEpisode,
  opened,
  withEpisode,
  withoutEpisode,
} from "./episode.ts";
import type { RuleInForce } from "./read-rule.ts";
import { longestGapMs, type SpeedEvidence } from "./speed-evidence.ts";

/** Shorter than this is overtaking. */
const minMs = 10_000;

/**
 * Clearly above the limit and what is tolerated (see speed-evidence.ts) for 10 s, until clearly back at the limit. It
 * begins with the first frame that shows it, and ends with the first that shows it to be over, or with the last before
 * a gap. Beside an episode that ended less than a minute ago, another may be building: if that becomes an alert, the two
 * are one.
 */
export function stepSpeeding(episodes: Episodes, evidence: SpeedEvidence | null, input: AlertInput): Episodes {
  const rule = input.rules.byType.speeding;
  const index = indexOfLive(episodes);
  if (index === -1)
    return rule === null || evidence === null ? episodes : beginSpeeding(episodes, rule, evidence, input);
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  const live = episodes[index] as Episode;
  if (at - live.until > longestGapMs) {
    const before =
      live.phase === "open"
        ? episodes.with(index, { ...changedBy(live, frame), phase: "ended" })
        : episodes.toSpliced(index, 1);
    return rule === null || evidence === null ? before : beginSpeeding(before, rule, evidence, input);
  }
  if (rule === null || evidence === null) return episodes;
  const peakKmh = Math.max(live.worst ?? 0, evidence.kmh);
  if (live.phase === "building") {
    if (!evidence.isAbove) return withoutEpisode(episodes, index);
    if (at - live.since < minMs) return extendEpisode(episodes, index, frame, peakKmh);
    return establish(withoutEpisode(episodes, index), { ...live, until: at, worst: peakKmh }, input);
  }
  if (evidence.isBelow) return episodes.with(index, { ...changedBy(live, frame), phase: "ended", until: at });
  return extendEpisode(episodes, index, frame, peakKmh);
}

/** Whether an alert is open or building. */
export function isSpeeding(episodes: Episodes): boolean {
  return indexOfLive(episodes) !== -1;
}

function beginSpeeding(episodes: Episodes, rule: RuleInForce, evidence: SpeedEvidence, input: AlertInput): Episodes {
  const { kmh: value, isAbove, isLasting } = evidence;
  if (!isAbove) return episodes;
  const episode = beginEpisode({ alertType: "speeding", qualifier: "", phase: "building", value }, rule, input);
  return isLasting ? establish(episodes, episode, input) : withEpisode(episodes, episode);
}

function establish(others: Episodes, episode: Episode, input: AlertInput): Episodes {
  const index = others.findIndex(({ alertType, phase }) => alertType === "speeding" && phase === "ended");
  const last = others[index];
  if (last === undefined || episode.since - last.until >= alertCatalogue.speeding.repeatMs) {
    return withEpisode(others, opened(episode, input));
  }
  const worst = Math.max(last.worst ?? 0, episode.worst ?? 0);
  const joined = changedBy(changedBy(last, { receivedAt: episode.updatedAt }), input.sighting.frame);
  return others.with(index, { ...joined, phase: "open", until: episode.until, worst });
}

function indexOfLive(episodes: Episodes): number {
  return episodes.findIndex(({ alertType, phase }) => alertType === "speeding" && phase !== "ended");
}
