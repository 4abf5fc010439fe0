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

/** Speedometers and receivers are not exact: speeding begins this much above the limit. */
const toleratedKmh = 5;

/** Shorter than this is overtaking. */
const minMs = 10_000;

/** Nobody knows how fast the vehicle was between frames further apart than this. */
const longestGapMs = 300_000;

/**
 * Above limit plus tolerance for 10 s (so in at least two frames), until back at the limit. It begins with the first
 * frame above, and ends with the first frame at or below the limit, or with the last frame before a gap. Beside an
 * episode that ended less than a minute ago, another may be building: if that becomes an alert, the two are one.
 */
export function stepSpeeding(episodes: Episodes, input: AlertInput): Episodes {
  const rule = input.rules.byType.speeding;
  const index = indexOfLive(episodes);
  const speedKmh = input.sighting.fix?.speedKmh ?? null;
  if (index === -1 && (rule === null || speedKmh === null)) return episodes;
  const { frame } = input.sighting;
  const at = frame.recordedAt;
  const live = episodes[index];
  if (live !== undefined && at - live.until > longestGapMs) {
    const before =
      live.phase === "open"
        ? episodes.with(index, { ...changedBy(live, frame), phase: "ended" })
        : episodes.toSpliced(index, 1);
    return rule === null || speedKmh === null ? before : begin(before, rule, speedKmh, input);
  }
  if (rule === null || speedKmh === null) return episodes;
  if (live === undefined) return begin(episodes, rule, speedKmh, input);
  const limitKmh = rule.threshold ?? 0;
  const peakKmh = Math.max(live.worst ?? 0, speedKmh);
  if (live.phase === "building") {
    if (speedKmh <= limitKmh + toleratedKmh) return withoutEpisode(episodes, index);
    if (at - live.since < minMs) return extendEpisode(episodes, index, frame, peakKmh);
    return establish(withoutEpisode(episodes, index), { ...live, until: at, worst: peakKmh }, input);
  }
  if (speedKmh <= limitKmh) {
    return episodes.with(index, { ...changedBy(live, frame), phase: "ended", until: at });
  }
  return extendEpisode(episodes, index, frame, peakKmh);
}

function begin(episodes: Episodes, rule: RuleInForce, speedKmh: number, input: AlertInput): Episodes {
  if (speedKmh <= (rule.threshold ?? 0) + toleratedKmh) return episodes;
  const sign = { alertType: "speeding", qualifier: "", phase: "building", value: speedKmh } as const;
  return withEpisode(episodes, beginEpisode(sign, rule, input));
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
  for (let index = 0; index < episodes.length; index++) {
    const episode = episodes[index];
    if (episode?.alertType === "speeding" && episode.phase !== "ended") return index;
  }
  return -1;
}
