import type { Ring } from "./geojson.ts";
import { foldsBack, segmentsMeet, touchingDegrees } from "./segments.ts";

/** An edge of one of several rings; edge i leads from position i to position i + 1. */
export interface EdgeOfRing {
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

/** The indexes of two edges of one closed, unwrapped ring that cross or touch, the lower first, or null. */
export function selfIntersection(ring: Ring): readonly [number, number] | null {
  const crossing = crossingEdges([ring]);
  return crossing === null ? null : [crossing[0].edge, crossing[1].edge];
}
