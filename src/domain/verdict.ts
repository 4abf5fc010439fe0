import type { Frame } from "./frame.ts";

/** Why a frame's position is not believed. In the order of checking: the first that holds is reported. */
export const rejectReasons = [
  "time_invalid",
  "future_time",
  "too_old",
  "no_fix",
  "out_of_range",
  "zero_coordinates",
  "approximate",
  "low_satellites",
  "low_precision",
  "implausible_jump",
  "spike",
] as const;

export type RejectReason = (typeof rejectReasons)[number];

/** Reasons about a frame's time alone. Such a frame has no place in the order, so nothing is derived from it. */
const timeRejectReasons = ["time_invalid", "future_time", "too_old"] as const satisfies readonly RejectReason[];

export type TimeRejectReason = (typeof timeRejectReasons)[number];

export function isTimeReason(reason: RejectReason | null): boolean {
  return reason !== null && (timeRejectReasons as readonly RejectReason[]).includes(reason);
}

export interface Verdict {
  readonly valid: boolean;
  /** Null if and only if it is valid. */
  readonly rejectReason: RejectReason | null;
  /** Valid, but it does not follow from the frame before: the vehicle was carried, or the tracker was somewhere else. */
  readonly discontinuity: boolean;
}

export const accepted: Verdict = { valid: true, rejectReason: null, discontinuity: false };
export const acceptedDiscontinuity: Verdict = { valid: true, rejectReason: null, discontinuity: true };

const discontinuityWord = "discontinuity";

/** The verdict in one word, as it is stored: the reason of a rejected frame; null for the ordinary one. */
export function verdictText({ rejectReason, discontinuity }: Verdict): string | null {
  return rejectReason ?? (discontinuity ? discontinuityWord : null);
}

export function verdictOf(word: string | null): Verdict {
  if (word === null) return accepted;
  return word === discontinuityWord
    ? acceptedDiscontinuity
    : { valid: false, rejectReason: word as RejectReason, discontinuity: false };
}

/** `valid` follows from the rest. */
export function isSameVerdict(one: Verdict, other: Verdict): boolean {
  return one.rejectReason === other.rejectReason && one.discontinuity === other.discontinuity;
}

/** Whether its place is a good one, but not the vehicle's. */
export function isFromElsewhere({ rejectReason }: Verdict): boolean {
  return rejectReason === "implausible_jump" || rejectReason === "spike";
}

/** A frame with its verdict. */
export interface JudgedFrame {
  readonly frame: Frame;
  readonly verdict: Verdict;
  /** As reported; null if it cannot be believed, so that no rule uses it. */
  readonly speedKmh: number | null;
}
