import { type AlertTypeFrom, alertKind, type Severity } from "../alert-types.ts";
import type { DeviceContext } from "../device-context.ts";
import type { AlertFact, CrossingFact, TripFact } from "../facts.ts";
import type { Frame } from "../frame.ts";
import { lastSeenIn, type Sighting, withoutSignOfZero } from "../sighting.ts";
import type { Pace } from "../trips/pace.ts";
import type { Relocation } from "../trips/relocation.ts";
import type { RuleInForce } from "./read-rule.ts";
import { areSameTimes, type RuleTimes } from "./rule-times.ts";
import type { RulesInForce } from "./rules-in-force.ts";

/** One frame, with what the stages before this one returned. */
export interface AlertInput {
  readonly sighting: Sighting;
  readonly context: DeviceContext;
  /** The trip under way, whether or not it will be reported. */
  readonly trip: { readonly startedAt: number; readonly isTowed: boolean } | null;
  /** Where it stands, or has just been switched off; null while frames lead away from there. */
  readonly rest: { readonly pace: Pace } | null;
  readonly relocation: Relocation | null;
  /** The start of the trip under way, once it is known to be a trip. */
  readonly tripStartedAt: number | null;
  readonly tripFoundAt: number | null;
  /** When the vehicle last moved, as far as the trip under way is known to go on; null without one. */
  readonly movedUntil: number | null;
  /** The trips and crossings that this frame completed. */
  readonly endedTrips: readonly TripFact[];
  readonly crossings: readonly CrossingFact[];
  /** By the fences that the device is inside of, after this frame; those are the ones below. */
  readonly rules: RulesInForce;
  readonly inside: readonly string[];
  /** Alerts that are final. Each rule adds its own; none reads it. */
  readonly completed: AlertFact[];
}

/** The trip on which the reported event began; null if that trip is over or not yet known to be a trip. */
export function tripDuring({ tripStartedAt, tripFoundAt }: AlertInput, began: number): number | null {
  return tripStartedAt !== null && tripStartedAt <= began ? tripFoundAt : null;
}

/** Types that last or may be repeated. The others are final at once. */
export type EpisodeType = AlertTypeFrom<"event" | "state" | "sensor">;

/** Something that may become an alert, is one, or was one a moment ago. */
export interface Episode {
  readonly alertType: EpisodeType;
  /** The sensor, or empty. There is at most one episode of a type and qualifier, except for speeding (see speeding.ts). */
  readonly qualifier: string;
  /** Building: seen, not for long enough. Open: an alert. Ended: over, but a repetition soon after belongs to it. */
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
  readonly tripFoundAt: number | null;
  /** Only if its rule has times. */
  readonly part?: EpisodePart;
}

/** What of an episode is reported: see within-times.ts. */
export interface EpisodePart {
  readonly times: RuleTimes;
  /** What was before this is reported; null: nothing yet. */
  readonly done: number | null;
  /** The alerts that are not final, in order. */
  readonly shown: readonly ShownPart[];
  /** From this moment on the episode's worst value is counted; null: from its beginning. */
  readonly worstFrom: number | null;
  /** The worst value before that. */
  readonly worstBefore: number | null;
}

/** Where and how fast it began, and when the frame that raised it was received. */
export interface ShownPart extends Pick<Episode, "since" | "receivedAt" | "latitude" | "longitude" | "speedKmh"> {
  /** Null while it continues. Else the times are over, but it may have ended before. */
  readonly until: number | null;
}

export type Episodes = readonly Episode[];

export function beginEpisode(
  { alertType, qualifier, phase, value }: Pick<Episode, "alertType" | "qualifier" | "phase"> & { value: number | null },
  rule: RuleInForce,
  input: AlertInput,
): Episode {
  const { frame } = input.sighting;
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
    ...lastSeenIn(input.sighting),
    tripFoundAt: tripDuring(input, frame.recordedAt),
    ...partUnder(rule),
  };
}

export function partUnder({ times }: RuleInForce): Pick<Episode, "part"> {
  return times === null ? {} : { part: { times, done: null, shown: [], worstFrom: null, worstBefore: null } };
}

/** The list after a frame saw the episode at `index` again; the same list if that changes nothing. */
export function extendEpisode(episodes: Episodes, index: number, frame: Frame, worst: number | null): Episodes {
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
export function matchesRule(episode: Episode, rule: RuleInForce | null): boolean {
  if (rule === null) return false;
  const { threshold, severity, fenceId, times } = rule;
  if (episode.threshold !== threshold || episode.severity !== severity || episode.fenceId !== fenceId) return false;
  return areSameTimes(episode.part?.times ?? null, times);
}

export function indexOfEpisode(episodes: Episodes, alertType: EpisodeType, qualifier: string): number {
  return episodes.findIndex((episode) => episode.alertType === alertType && episode.qualifier === qualifier);
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

export function alertFactOf(episode: Episode): AlertFact {
  const { alertType, qualifier, since, until, phase, threshold } = episode;
  const endedAt = phase === "ended" ? until : null;
  const value = measuredIn(episode);
  const { unit, message } = alertKind(alertType);
  return {
    kind: "alert",
    alertType,
    qualifier,
    occurredAt: since,
    endedAt,
    severity: severityOf(episode),
    message: message({ name: qualifier, value, threshold, unit }),
    receivedAt: episode.receivedAt,
    updatedAt: Math.max(episode.receivedAt, episode.updatedAt),
    latitude: episode.latitude,
    longitude: episode.longitude,
    speedKmh: episode.speedKmh,
    value,
    threshold,
    unit,
    fenceId: episode.fenceId,
    tripFoundAt: episode.tripFoundAt,
  };
}

/** The worst reading. Where time itself is measured, the duration: reported at the end, not with every frame. */
function measuredIn({ alertType, phase, since, until, worst }: Episode): number | null {
  if (alertKind(alertType).unit !== "s") return worst;
  return phase === "ended" ? Math.round((until - since) / 1000) : null;
}

/** The rule's severity, or else the type's, which rises with the worst value. */
function severityOf({ alertType, worst, threshold, severity }: Episode): Severity {
  if (severity !== null) return severity;
  const { severity: usual, isCritical } = alertKind(alertType);
  return worst !== null && threshold !== null && isCritical?.(worst, threshold) ? "critical" : usual;
}
