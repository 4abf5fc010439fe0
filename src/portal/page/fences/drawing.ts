import {
  type FenceShape,
  radiusLimitsMetres,
  readFenceShape,
  widthLimitsMetres,
} from "../../../domain/geometry/fence-shape.ts";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import type { Geofence } from "../api/records.ts";

/** A fence while it is drawn, and what a person does to it. Pure. */
export interface Drawing {
  readonly shape: FenceShape["shape"];
  /** The points: a circle's centre, a corridor's line, a polygon's outline and its holes. A ring is not closed here. */
  readonly rings: readonly (readonly Position[])[];
  /** A circle's radius or a corridor's width; of a polygon it means nothing. */
  readonly metres: number;
  /** Whether clicks no longer add points at the end. */
  readonly isDone: boolean;
}

/** One point of a drawing. */
export interface Vertex {
  readonly ring: number;
  readonly index: number;
}

/** As a line of the fleet file names it. */
export type ShapeFields = Readonly<Pick<Geofence, "shape" | "geometry" | "radius_m" | "width_m">>;

export const metresLimits = { circle: radiusLimitsMetres, corridor: widthLimitsMetres } as const;

/** What a fence has until somebody says otherwise. */
export const defaultMetres = { circle: 200, polygon: 0, corridor: 50 } as const;

const minPoints = { circle: 1, polygon: 3, corridor: 2 } as const;

export function emptyDrawing(shape: FenceShape["shape"], metres: number): Drawing {
  return { shape, rings: [[]], metres, isDone: false };
}

export function drawingOf({ shape, geometry, radius_m, width_m }: ShapeFields): Drawing {
  const coordinates: unknown = geometry.coordinates;
  const rings = {
    circle: () => [[coordinates as Position]],
    polygon: () => (coordinates as Position[][]).map((ring) => ring.slice(0, -1)),
    corridor: () => [coordinates as Position[]],
  };
  return { shape, rings: rings[shape](), metres: radius_m ?? width_m ?? 0, isDone: true };
}

export function shapeFields({ shape, rings, metres }: Drawing): ShapeFields {
  const [points = []] = rings;
  const noMetres = { radius_m: null, width_m: null };
  switch (shape) {
    case "circle":
      return { ...noMetres, shape, geometry: { type: "Point", coordinates: [...(points[0] ?? [])] }, radius_m: metres };
    case "polygon":
      return { ...noMetres, shape, geometry: { type: "Polygon", coordinates: rings.map(closedRing) } };
    case "corridor":
      return { ...noMetres, shape, geometry: { type: "LineString", coordinates: copied(points) }, width_m: metres };
  }
}

/** As GeoJSON has it: the last point is the first one. */
export function closedRing(ring: readonly Position[]): number[][] {
  return copied([...ring, ...ring.slice(0, 1)]);
}

function copied(points: readonly Position[]): number[][] {
  return points.map((point) => [...point]);
}

/** What the fleet file would say to it, except what only the missing end of a drawing causes. */
export function problemOf(drawing: Drawing): GeometryProblem | null {
  const points = drawing.rings[0]?.length ?? 0;
  if (!drawing.isDone && points < minPoints[drawing.shape]) return null;
  const [problem = null] = readFenceShape(shapeFields(drawing)).problems ?? [];
  if (problem === null || drawing.isDone) return problem;
  const isOfEnd = problem.kind === "flat" || problem.edges?.some(({ ring, edge }) => ring === 0 && edge === points - 1);
  return isOfEnd ? null : problem;
}

export function shapeOf(drawing: Drawing): FenceShape | null {
  return drawing.isDone ? readFenceShape(shapeFields(drawing)).shape : null;
}

export function pointAt({ rings }: Drawing, { ring, index }: Vertex): Position | null {
  return rings[ring]?.[index] ?? null;
}

/** Halfway along each edge, where a new point can be made. */
export function midpoints(drawing: Drawing): { readonly after: Vertex; readonly position: Position }[] {
  if (drawing.shape === "circle" || !drawing.isDone) return [];
  return unwrappedRings(drawing).flatMap((points, ring) =>
    points.flatMap((from, index) => {
      const to = points[index + 1] ?? (drawing.shape === "polygon" ? points[0] : undefined);
      if (to === undefined) return [];
      const position: Position = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      return [{ after: { ring, index }, position }];
    }),
  );
}

/** All points on one plane, so that a shape across the antimeridian is not drawn around the globe. */
export function unwrappedRings({ rings }: Drawing): Position[][] {
  const origin = rings[0]?.[0]?.[0] ?? 0;
  return rings.map((ring) => unwrapLongitudes(ring, origin));
}

/** A point at the end; a circle has one only, so its centre moves. */
export function addPoint(drawing: Drawing, position: Position, metres = drawing.metres): Drawing {
  if (drawing.shape === "circle") return { ...drawing, rings: [[wrapped(position)]], metres, isDone: true };
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

/** A radius that one would say: two digits, within the bounds. */
export function roundRadius(metres: number): number {
  const { min, max } = metresLimits.circle;
  return Math.min(max, Math.max(min, Number(metres.toPrecision(2))));
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
