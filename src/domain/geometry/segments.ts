import type { Position } from "./geojson.ts";

/** Straight lines in the plane of unwrapped longitude and latitude. */

/**
 * Nearer than this counts as touching: about a micrometre on the ground. It is far above the rounding of a degree near
 * 360 (6e-14) and far below what any map resolves, so the answer does not depend on where a fence is.
 */
export const touchingDegrees = 1e-11;

/** Positive if c is to the left of the line from a to b, negative to its right. */
function side(a: Position, b: Position, c: Position): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function areOnBothSides(a: Position, b: Position, c: Position, d: Position): boolean {
  const sideOfC = side(a, b, c);
  const sideOfD = side(a, b, d);
  return (sideOfC > 0 && sideOfD < 0) || (sideOfC < 0 && sideOfD > 0);
}

/** Whether a position is on the segment from a to b, its ends included. */
export function isOnSegment(position: Position, a: Position, b: Position): boolean {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((position[0] - a[0]) * dx + (position[1] - a[1]) * dy) / lengthSquared;
  const nearest = Math.min(1, Math.max(0, along));
  return Math.hypot(a[0] + nearest * dx - position[0], a[1] + nearest * dy - position[1]) <= touchingDegrees;
}

/** Whether the segments ab and cd have a position in common. */
export function segmentsMeet(a: Position, b: Position, c: Position, d: Position): boolean {
  return (
    (areOnBothSides(a, b, c, d) && areOnBothSides(c, d, a, b)) ||
    isOnSegment(a, c, d) ||
    isOnSegment(b, c, d) ||
    isOnSegment(c, a, b) ||
    isOnSegment(d, a, b)
  );
}

/** Whether the segments ab and bc have more in common than b: one folds back on the other, or has no length. */
export function foldsBack(a: Position, b: Position, c: Position): boolean {
  return isOnSegment(c, a, b) || isOnSegment(a, b, c);
}
