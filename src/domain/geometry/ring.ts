import type { Position, Ring } from "./geojson.ts";
import { isOnSegment } from "./segments.ts";

/** Whether the last position repeats the first. 180° east and 180° west are the same place. */
export function isClosed(ring: Ring): boolean {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined || ring.length < 2) return false;
  return first[1] === last[1] && (first[0] - last[0]) % 360 === 0;
}

/**
 * Whether an unwrapped ring encloses anything, that is, is more than a line. (The signed area does not show that: it is
 * zero for a symmetric figure of eight.)
 */
export function hasArea(ring: Ring): boolean {
  const start = ring[0];
  if (start === undefined) return false;
  const distance = (position: Position) => Math.hypot(position[0] - start[0], position[1] - start[1]);
  const farthest = ring.reduce((best, position) => (distance(position) > distance(best) ? position : best), start);
  const opposite: Position = [2 * start[0] - farthest[0], 2 * start[1] - farthest[1]];
  return !ring.every((position) => isOnSegment(position, opposite, farthest));
}

/** Whether a position is inside an unwrapped ring. On the ring itself, the answer may be either. */
export function containsPosition(ring: Ring, [x, y]: Position): boolean {
  let isInside = false;
  for (const [index, a] of ring.entries()) {
    const b = ring[index + 1];
    if (b === undefined) break;
    const passesY = a[1] > y !== b[1] > y;
    if (passesY && x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) isInside = !isInside;
  }
  return isInside;
}
