import type { RejectReason } from "../../../domain/verdict.ts";

/** Why a frame was rejected, in words for people who did not build the filter. */
const words: Record<RejectReason, string> = {
  time_invalid: "The tracker sent no usable time",
  future_time: "The time lies in the future",
  too_old: "Too old to be taken in",
  no_fix: "The tracker had no satellite fix",
  out_of_range: "The coordinates do not exist",
  zero_coordinates: "The coordinates are 0, 0",
  approximate: "Only a rough position from a cell or Wi-Fi",
  low_satellites: "Too few satellites",
  low_precision: "Too imprecise",
  implausible_jump: "An implausible jump",
  spike: "A single point far off the way",
};

export function rejectWords(reason: string | null): string {
  return words[reason as RejectReason] ?? "Not believed";
}
