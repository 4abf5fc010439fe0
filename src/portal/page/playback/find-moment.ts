import { motionAt } from "../../../domain/motion.ts";
import type { Position } from "../../both-sides/contract/data.ts";
import type { DayWindow } from "../../both-sides/periods/days.ts";
import { lineBreakMs } from "./speed-series.ts";

/** What a link can ask playback to find in a day. Pure. */
const soughts = ["speed", "idling"] as const;
export type Sought = (typeof soughts)[number];

/** Null if the address asks for nothing that can be found: it can hold anything. */
export function soughtIn(text: string | null): Sought | null {
  return soughts.find((sought) => sought === text) ?? null;
}

/** When it was; null if nothing of the kind happened on the way of the day. */
export function findMoment(sought: Sought, track: readonly Position[]): number | null {
  return sought === "speed" ? fastestAt(track) : longestIdlingAt(track);
}

/** What the address asks to be shown first. */
export interface MomentQuery {
  readonly at: number | null;
  /** Found in the day; `at` is for a day that has none. */
  readonly find: Sought | null;
}

/** Where the day opens; null if it asks for no moment of this day. */
export function momentOf(
  { at, find }: MomentQuery,
  track: readonly Position[],
  { from, to }: DayWindow,
): number | null {
  const found = find && findMoment(find, track);
  return found ?? (at !== null && at >= from && at < to ? at : null);
}

/** The first of several that are as fast. */
function fastestAt(track: readonly Position[]): number | null {
  let fastest: Position | null = null;
  for (const frame of track) {
    if ((frame.speed_kmh ?? 0) > (fastest?.speed_kmh ?? 0)) fastest = frame;
  }
  return fastest && Date.parse(fastest.recorded_at);
}

/** Where the longest stand with the ignition on begins. A silence ends a stand: nobody knows what was in it. */
function longestIdlingAt(track: readonly Position[]): number | null {
  let longest: { readonly at: number; readonly ms: number } | null = null;
  let begun: number | null = null;
  let before = Number.NEGATIVE_INFINITY;
  for (const frame of track) {
    const at = Date.parse(frame.recorded_at);
    if (!isIdling(frame)) begun = null;
    else if (begun === null || frame.discontinuity || at - before > lineBreakMs) begun = at;
    before = at;
    if (begun !== null && at - begun > (longest?.ms ?? 0)) longest = { at: begun, ms: at - begun };
  }
  return longest?.at ?? null;
}

function isIdling({ ignition, speed_kmh }: Position): boolean {
  return ignition === true && speed_kmh !== null && motionAt(speed_kmh) === "still";
}
