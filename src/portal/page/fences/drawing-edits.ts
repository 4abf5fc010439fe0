import type { Position } from "../../../domain/geometry/geojson.ts";
import { type Drawing, minPoints, type Vertex } from "./drawing.ts";

/** What a person does to a drawing. Pure. */

/** A point at the end; a circle has one only, so its centre moves. */
export function addPoint(drawing: Drawing, position: Position): Drawing {
  if (drawing.shape === "circle") return { ...drawing, rings: [[wrapped(position)]], isDone: true };
  const [outline = [], ...holes] = drawing.rings;
  return { ...drawing, rings: [[...outline, wrapped(position)], ...holes] };
}

export function insertPoint(drawing: Drawing, after: Vertex, position: Position): Drawing {
  return withRing(drawing, after.ring, (ring) => ring.toSpliced(after.index + 1, 0, wrapped(position)));
}

export function movePoint(drawing: Drawing, { ring, index }: Vertex, position: Position): Drawing {
  return withRing(drawing, ring, (points) => points.with(index, wrapped(position)));
}

/** A finished shape keeps as many points as it needs; a hole that would have fewer goes altogether. */
export function removePoint(drawing: Drawing, { ring, index }: Vertex): Drawing {
  const points = drawing.rings[ring] ?? [];
  const hasEnough = points.length > minPoints[drawing.shape];
  if (ring > 0 && !hasEnough) return { ...drawing, rings: drawing.rings.toSpliced(ring, 1) };
  if (drawing.isDone && !hasEnough) return drawing;
  return withRing(drawing, ring, (before) => before.toSpliced(index, 1));
}

export function canFinish({ shape, rings, isDone }: Drawing): boolean {
  return !isDone && (rings[0]?.length ?? 0) >= minPoints[shape];
}

export function finish(drawing: Drawing): Drawing {
  return canFinish(drawing) ? { ...drawing, isDone: true } : drawing;
}

function withRing(
  drawing: Drawing,
  number: number,
  change: (points: readonly Position[]) => readonly Position[],
): Drawing {
  const ring = drawing.rings[number];
  return ring === undefined ? drawing : { ...drawing, rings: drawing.rings.with(number, change(ring)) };
}

/** Seven decimals are a centimetre. A map that was turned around the globe counts longitudes on. */
function wrapped([longitude, latitude]: Position): Position {
  const turned = longitude >= -180 && longitude <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
  return [rounded(turned), rounded(Math.max(-90, Math.min(90, latitude)))];
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
