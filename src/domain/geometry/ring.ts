import type { Position, Ring } from "./geojson.ts";

/** Straight lines in the plane of unwrapped longitude and latitude. */

/** Nearer than this is touching: a micrometre, far above the rounding of a degree and far below what maps resolve. */
const touchingDegrees = 1e-11;

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
function isOnSegment(position: Position, a: Position, b: Position): boolean {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((position[0] - a[0]) * dx + (position[1] - a[1]) * dy) / lengthSquared;
  const nearest = Math.min(1, Math.max(0, along));
  return Math.hypot(a[0] + nearest * dx - position[0], a[1] + nearest * dy - position[1]) <= touchingDegrees;
}

/** Whether the segments ab and cd have a position in common. */
function segmentsMeet(a: Position, b: Position, c: Position, d: Position): boolean {
  return (
    (areOnBothSides(a, b, c, d) && areOnBothSides(c, d, a, b)) ||
    isOnSegment(a, c, d) ||
    isOnSegment(b, c, d) ||
    isOnSegment(c, a, b) ||
    isOnSegment(d, a, b)
  );
}

/** Whether the segments ab and bc have more in common than b: one folds back on the other, or has no length. */
function foldsBack(a: Position, b: Position, c: Position): boolean {
  return isOnSegment(c, a, b) || isOnSegment(a, b, c);
}

/** Whether the last position repeats the first. 180° east and 180° west are the same place. */
export function isClosed(ring: Ring): boolean {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined || ring.length < 2) return false;
  return first[1] === last[1] && (first[0] - last[0]) % 360 === 0;
}

/** Whether an unwrapped ring is more than a line. (The signed area of a symmetric figure of eight is zero.) */
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

/** An edge of one of several rings; edge i leads from position i to position i + 1. */
interface EdgeOfRing {
  readonly ring: number;
  readonly edge: number;
}

interface Edge extends EdgeOfRing {
  readonly from: Ring[number];
  readonly to: Ring[number];
  readonly edgesInRing: number;
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

function edgesOf(ring: Ring, ringIndex: number): Edge[] {
  const edges: Edge[] = [];
  for (const [index, from] of ring.entries()) {
    const to = ring[index + 1];
    if (to === undefined) break;
    edges.push({
      ring: ringIndex,
      edge: index,
      from,
      to,
      edgesInRing: ring.length - 1,
      minX: Math.min(from[0], to[0]) - touchingDegrees,
      maxX: Math.max(from[0], to[0]) + touchingDegrees,
      minY: Math.min(from[1], to[1]) - touchingDegrees,
      maxY: Math.max(from[1], to[1]) + touchingDegrees,
    });
  }
  return edges;
}

function follows(edge: Edge, previous: Edge): boolean {
  return edge.ring === previous.ring && edge.edge === (previous.edge + 1) % previous.edgesInRing;
}

/** Whether two edges meet other than as neighbours in a ring do. */
function edgesCross(one: Edge, other: Edge): boolean {
  if (follows(other, one)) return foldsBack(one.from, one.to, other.to);
  if (follows(one, other)) return foldsBack(other.from, other.to, one.to);
  return segmentsMeet(one.from, one.to, other.from, other.to);
}

/**
 * Two edges of closed, unwrapped rings that cross or touch, or null. A vertex that repeats, an edge that folds back on
 * the one before it and an edge without length count as well: they enclose no inside.
 *
 * The edges are swept from west to east, so that each is compared only with those that share some longitude with it.
 */
export function crossingEdges(rings: readonly Ring[]): readonly [EdgeOfRing, EdgeOfRing] | null {
  const edges = rings.flatMap(edgesOf).sort((one, other) => one.minX - other.minX);
  let open: Edge[] = [];
  for (const edge of edges) {
    open = open.filter((other) => other.maxX >= edge.minX);
    for (const other of open) {
      const apart = other.maxY < edge.minY || other.minY > edge.maxY;
      if (apart || !edgesCross(edge, other)) continue;
      const isInOrder = other.ring < edge.ring || (other.ring === edge.ring && other.edge < edge.edge);
      const [first, second] = isInOrder ? [other, edge] : [edge, other];
      return [
        { ring: first.ring, edge: first.edge },
        { ring: second.ring, edge: second.edge },
      ];
    }
    open.push(edge);
  }
  return null;
}
