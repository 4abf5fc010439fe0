import {
  type FenceShape,
  radiusLimitsMetres,
  readFenceShape,
  widthLimitsMetres,
} from "../../../domain/geometry/fence-shape.ts";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../../domain/geometry/longitudes.ts";
import type { ShapeFields } from "../../both-sides/contract/fences.ts";

/** A fence while it is drawn. Pure. */
export interface Drawing {
  readonly shape: FenceShape["shape"];
  /** The points: a circle's centre, a corridor's line, a polygon's outline and its holes. A ring is not closed here. */
  readonly rings: readonly (readonly Position[])[];
  /** A circle's radius or a corridor's width; of a polygon it means nothing. */
  readonly metres: number;
  /** Whether clicks no longer add points at the end. */
  readonly isDone: boolean;
}

export interface Vertex {
  readonly ring: number;
  readonly index: number;
}

export const metresLimits = { circle: radiusLimitsMetres, corridor: widthLimitsMetres } as const;

/** What a fence has until a person says otherwise. */
export const defaultMetres = { circle: 200, polygon: 0, corridor: 50 } as const;

export const minPoints = { circle: 1, polygon: 3, corridor: 2 } as const;

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
export function drawingProblem(drawing: Drawing): GeometryProblem | null {
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
