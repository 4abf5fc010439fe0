import type { TrackPoint } from "../../both-sides/contract/shares.ts";

/** A line for each stretch that was driven. Pure. */
export function linesOf(points: readonly TrackPoint[]): [number, number][][] {
  const lines: [number, number][][] = [];
  let line: [number, number][] = [];
  for (const [, longitude, latitude, isBreak] of points) {
    if (isBreak === 1) line = [];
    line.push([longitude, latitude]);
    if (line.length === 2) lines.push(line);
  }
  return lines;
}
