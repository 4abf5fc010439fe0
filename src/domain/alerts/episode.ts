import type { AlertType, Severity } from "../alert-types.ts";
import { type AlertInput, tripDuring } from "./alert-input.ts";
import type { RuleInForce } from "./read-rule.ts";

/** What lasts, or may be repeated. The other types are final as soon as they are found. */
export type EpisodeType = Exclude<
  AlertType,
  "geofence_enter" | "geofence_exit" | "fuel_drain" | "fuel_refill" | "device_offline"
>;

/** Something that may become an alert, is one, or was one a moment ago. */
export interface Episode {
  readonly alertType: EpisodeType;
  /** The sensor, or empty. There is at most one episode of a type and qualifier, but for speeding: see there. */
  readonly qualifier: string;
  /**
   * Building: seen, but not for long enough. Open: an alert that lasts. Ended: an alert that is over, held back because
   * what comes soon after belongs to it.
   */
  readonly phase: "building" | "open" | "ended";
  /** When it began. */
  readonly since: number;
  /** When it was last seen; once ended, when it ended. */
  readonly until: number;
  /** The worst value so far; null where nothing is measured. */
  readonly worst: number | null;
  readonly threshold: number | null;
  /** Set by the rule, whatever the value. */
  readonly severity: Severity | null;
  readonly fenceId: string | null;
  /** Of the frame that made it an alert. */
  readonly receivedAt: number;
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
    latitude: withoutSignOfZero(place?.latitude ?? null),
    longitude: withoutSignOfZero(place?.longitude ?? null),
    speedKmh: withoutSignOfZero(fix?.speedKmh ?? null),
    tripStartedAt: tripDuring(input, frame.recordedAt),
  };
}

/** JSON has no -0, and a state must come back from JSON as it was. */
export function withoutSignOfZero(value: number | null): number | null {
  return value === null ? null : value + 0;
}

/** The episode at a place in the list was seen again; the same list if that says nothing new. */
export function seenAgain(episodes: Episodes, index: number, at: number, worst: number | null): Episodes {
  const episode = episodes[index];
  if (episode === undefined || (episode.until === at && episode.worst === worst)) return episodes;
  return episodes.with(index, { ...episode, until: at, worst });
}

/** What was building becomes an alert by this frame. */
export function opened(episode: Episode, { sighting: { frame } }: AlertInput): Episode {
  return { ...episode, phase: "open", until: frame.recordedAt, receivedAt: frame.receivedAt };
}

/** Whether the rule is still the one that it began under. */
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

/** In an order of their own, so that states that hold the same are the same. */
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
