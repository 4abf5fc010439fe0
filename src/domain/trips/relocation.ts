import { metresBetween } from "../geometry/distance.ts";
import type { Sighting } from "../sighting.ts";
import { metresFrom } from "./stand.ts";
import { departureFrom, isFarFrom, sleepingTowMetres } from "./stopped.ts";
import type { TripState } from "./trip-state.ts";

/** A vehicle that was standing turned up elsewhere, and no trip under way shows how it got there. */
export interface Relocation {
  /** When its trip started, if there is one: the first frame there, or a moment before it. */
  readonly since: number;
  /** Not only one frame shows it away. */
  readonly isConfirmed: boolean;
  /** It stands there. */
  readonly isOver: boolean;
}

/** What a frame shows of a vehicle that was not on a trip before it. */
export function relocationBy(before: TripState, after: TripState, { fix, previous, leg }: Sighting): Relocation | null {
  if (fix === null || previous === null || before.phase === "unknown") return null;
  if (leg === null) {
    const isFar = before.phase !== "driving" && metresBetween(previous, fix) >= sleepingTowMetres;
    return isFar ? { since: fix.at, isConfirmed: true, isOver: true } : null;
  }
  const isLeaving = after.phase === "stopped" && after.leaving !== null;
  if (before.phase !== "stopped" || before.leaving === null) {
    return isLeaving ? { since: after.start.at, isConfirmed: false, isOver: false } : null;
  }
  const metres = metresFrom(before.stand, fix);
  if (metres < departureFrom(leg)) return null;
  // After hours of silence it is leaving anew.
  const isConfirmed = !isLeaving || isFarFrom(before, leg, metres);
  return { since: before.start.at, isConfirmed, isOver: after.phase === "stopped" && !isLeaving };
}
