import { type Motion, motions } from "./motion.ts";

/** The ring of a cluster: an arc for each state that is in it, from the top clockwise. Pure. */

/** A ring is divided into this many parts. */
export const ringParts = 12;

export interface Arc {
  readonly motion: Motion;
  /** Of the whole ring, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** The parts are rounded up, so together they may be more than the ring has. */
export function arcsOf(parts: readonly number[]): Arc[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  let from = 0;
  return motions.flatMap((motion, index) => {
    const share = (parts[index] ?? 0) / (total || 1);
    if (share === 0) return [];
    const arc = { motion, from, to: from + share };
    from = arc.to;
    return [arc];
  });
}
