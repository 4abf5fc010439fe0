import type { Geometry, GeometryProblem, LineString, Path, Point, Polygon, Position } from "./geojson.ts";
import { readPosition, readPositions } from "./geojson.ts";
import { unwrapLongitudes, widthProblem } from "./longitudes.ts";
import { maxVertices, readRings } from "./polygon.ts";

export const fenceShapes = ["circle", "polygon", "corridor"] as const;

/** Where a fence is. `widthM` is the full width of a corridor, half of it on either side of the line. */
export type FenceShape =
  | { readonly shape: "circle"; readonly geometry: Point; readonly radiusM: number; readonly widthM: null }
  | { readonly shape: "polygon"; readonly geometry: Polygon; readonly radiusM: null; readonly widthM: null }
  | { readonly shape: "corridor"; readonly geometry: LineString; readonly radiusM: null; readonly widthM: number };

/** A smaller fence is lost in the noise of a GPS fix; a larger one is a region and needs a polygon. */
export const radiusLimitsMetres = { min: 20, max: 100_000 } as const;
export const widthLimitsMetres = { min: 2, max: 10_000 } as const;
const defaultWidthMetres = 50;

/** The part of a fleet file's geofence that says where it is. */
export interface FenceShapeInput {
  readonly shape?: unknown;
  readonly geometry?: unknown;
  readonly radius_m?: unknown;
  readonly width_m?: unknown;
}

export type FenceShapeResult =
  | { readonly shape: FenceShape; readonly problems: null }
  | { readonly shape: null; readonly problems: readonly GeometryProblem[] };

/** Reads a fence's shape, or reports everything that is wrong with it. */
export function readFenceShape(input: FenceShapeInput): FenceShapeResult {
  const problems: GeometryProblem[] = [];
  const shape = readShape(input, problems);
  return shape !== null && problems.length === 0 ? { shape, problems: null } : { shape: null, problems };
}

const coordinatesPath: Path = ["geometry", "coordinates"];

function readShape(input: FenceShapeInput, problems: GeometryProblem[]): FenceShape | null {
  switch (input.shape) {
    case "circle": {
      const radiusM = readMetres("radius_m", input.radius_m, radiusLimitsMetres, problems);
      refuseMetres("width_m", input.width_m, "no width_m, which belongs to a corridor", problems);
      const value = coordinatesOf(input.geometry, "Point", problems);
      const coordinates = value && readPosition(value.coordinates, coordinatesPath, problems);
      if (!coordinates || radiusM === null) return null;
      return { shape: "circle", geometry: { type: "Point", coordinates }, radiusM, widthM: null };
    }
    case "polygon": {
      refuseMetres("radius_m", input.radius_m, "no radius_m, which belongs to a circle", problems);
      refuseMetres("width_m", input.width_m, "no width_m, which belongs to a corridor", problems);
      const value = coordinatesOf(input.geometry, "Polygon", problems);
      const coordinates = value && readRings(value.coordinates, coordinatesPath, problems);
      if (!coordinates) return null;
      return { shape: "polygon", geometry: { type: "Polygon", coordinates }, radiusM: null, widthM: null };
    }
    case "corridor": {
      const widthM = readMetres("width_m", input.width_m ?? defaultWidthMetres, widthLimitsMetres, problems);
      refuseMetres("radius_m", input.radius_m, "no radius_m, which belongs to a circle", problems);
      const value = coordinatesOf(input.geometry, "LineString", problems);
      const coordinates = value && readLine(value.coordinates, problems);
      if (!coordinates || widthM === null) return null;
      return { shape: "corridor", geometry: { type: "LineString", coordinates }, radiusM: null, widthM };
    }
    default:
      problems.push({ path: ["shape"], expected: `one of ${fenceShapes.join(", ")}` });
      return null;
  }
}

function coordinatesOf(geometry: unknown, type: Geometry["type"], problems: GeometryProblem[]) {
  if (typeof geometry !== "object" || geometry === null || Array.isArray(geometry)) {
    problems.push({ path: ["geometry"], expected: `a GeoJSON ${type}` });
    return null;
  }
  const found = geometry as { type?: unknown; coordinates?: unknown };
  if (found.type === type) return { coordinates: found.coordinates };
  problems.push({ path: ["geometry", "type"], expected: `"${type}"` });
  return null;
}

function readMetres(
  field: string,
  value: unknown,
  { min, max }: { min: number; max: number },
  problems: GeometryProblem[],
): number | null {
  if (typeof value === "number" && value >= min && value <= max) return value;
  problems.push({ kind: "metres", path: [field], expected: `a number of metres from ${min} to ${max}` });
  return null;
}

function refuseMetres(field: string, value: unknown, expected: string, problems: GeometryProblem[]): void {
  if (value !== undefined && value !== null) problems.push({ path: [field], expected });
}

function readLine(value: unknown, problems: GeometryProblem[]): Position[] | null {
  const line = readPositions(value, coordinatesPath, problems);
  if (line === null) return null;
  const path = coordinatesPath;
  if (line.length < 2 || line.length > maxVertices) {
    const kind = line.length < 2 ? "too few points" : "too many points";
    problems.push({ kind, path, expected: `2 to ${maxVertices} positions`, found: `got ${line.length}` });
    return null;
  }
  const tooWide = widthProblem(unwrapLongitudes(line), path);
  if (tooWide === null) return line;
  problems.push(tooWide);
  return null;
}
