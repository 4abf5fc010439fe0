import type { AlertTypeFrom, Severity } from "../alert-types.ts";
import type { Frame } from "../frame.ts";
import { type AlertInput, tripDuring } from "./alert-input.ts";
import type { RuleInForce } from "./read-rule.ts";

/** Types that last or may be repeated. The others are final at once. */
export type EpisodeType = AlertTypeFrom<"event" | "state" | "sensor">;

/** Something that may become an alert, is one, or was one a moment ago. */
export interface Episode {
  readonly alertType: EpisodeType;
  /** The sensor, or empty. There is at most one episode of a type and qualifier, except for speeding (see speeding.ts). */
  readonly qualifier: string;
  /**
   * Building: seen, but not for long enough. Open: an alert that continues. Ended: over, but not yet final, because a
   * repetition soon after would belong to it.
   */
  readonly phase: "building" | "open" | "ended";
  /** When it began. */
  readonly since: number;
  /** When it was last seen; once ended, when it ended. */
  readonly until: number;
  /** The worst value so far; null where nothing is measured. */
  readonly worst: number | null;
  readonly threshold: number | null;
  /** Set by the rule; overrides the severity by value. */
  readonly severity: Severity | null;
  readonly fenceId: string | null;
  /** When the frame that made it an alert was received. */
  readonly receivedAt: number;
  /** When the last of the frames that changed what the alert shows was received. */
  readonly updatedAt: number;
  /** Where and how fast it began: the last known place if that frame has none. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speedKmh: number | null;
  readonly tripStartedAt: number | null;
}

export type Episodes = readonly Episode[];

export function beginEpisode(
  { alertType, qualifier, phase, value }: Pick<Episode, "alertType" | "qualifier" | "phase"> & { value: number | null },
  rule: RuleInForce,
  input: AlertInput,
): Episode {
  const { frame, fix, previous } = input.sighting;
  const place = fix ?? previous;
  return {
    alertType,
    qualifier,
    phase,
    since: frame.recordedAt,
    until: frame.recordedAt,
    worst: withoutSignOfZero(value),
    threshold: rule.threshold,
    severity: rule.severity,
    fenceId: rule.fenceId,
    receivedAt: frame.receivedAt,
    updatedAt: frame.receivedAt,
    latitude: withoutSignOfZero(place?.latitude ?? null),
    longitude: withoutSignOfZero(place?.longitude ?? null),
    speedKmh: withoutSignOfZero(fix?.speedKmh ?? null),
    tripStartedAt: tripDuring(input, frame.recordedAt),
  };
}

/** JSON has no -0, and a state must survive a round trip through JSON. */
export function withoutSignOfZero(value: number | null): number | null {
  return value === null ? null : value + 0;
}

/** The list after a frame saw the episode at `index` again; the same list if that changes nothing. */
export function seenAgain(episodes: Episodes, index: number, frame: Frame, worst: number | null): Episodes {
  const episode = episodes[index];
  const until = frame.recordedAt;
  if (episode === undefined || (episode.until === until && episode.worst === worst)) return episodes;
  // Until when it lasts is shown only of one that has ended.
  const isShown = episode.worst !== worst || episode.phase === "ended";
  return episodes.with(index, { ...(isShown ? changedBy(episode, frame) : episode), until, worst });
}

/** The episode with the time of receipt of a frame that changes what its alert shows. */
export function changedBy(episode: Episode, { receivedAt }: Pick<Frame, "receivedAt">): Episode {
  return receivedAt <= episode.updatedAt ? episode : { ...episode, updatedAt: receivedAt };
}

/** This frame turns a building episode into an alert. */
export function opened(episode: Episode, { sighting: { frame } }: AlertInput): Episode {
  const { recordedAt: until, receivedAt } = frame;
  return { ...changedBy(episode, frame), phase: "open", until, receivedAt };
}

/** Whether the rule is still the one under which it began. */
export function isUnder(episode: Episode, rule: RuleInForce | null): boolean {
  if (rule === null) return false;
  const { threshold, severity, fenceId } = rule;
  return episode.threshold === threshold && episode.severity === severity && episode.fenceId === fenceId;
}

export function indexOfEpisode(episodes: Episodes, alertType: EpisodeType, qualifier: string): number {
  for (let index = 0; index < episodes.length; index++) {
    const episode = episodes[index];
    if (episode?.alertType === alertType && episode.qualifier === qualifier) return index;
  }
  return -1;
}

/** In a fixed order, so that equal states have equal JSON. */
export function withEpisode(episodes: Episodes, added: Episode): Episodes {
  const before = episodes.findIndex((episode) => comesAfter(episode, added));
  return episodes.toSpliced(before === -1 ? episodes.length : before, 0, added);
}

export function withoutEpisode(episodes: Episodes, index: number): Episodes {
  return episodes.toSpliced(index, 1);
}

function comesAfter(one: Episode, other: Episode): boolean {
  if (one.alertType !== other.alertType) return one.alertType > other.alertType;
  if (one.qualifier !== other.qualifier) return one.qualifier > other.qualifier;
  return one.since > other.since;
}
