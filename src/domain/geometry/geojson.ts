/** GeoJSON (RFC 7946), as far as fences need it. Longitude comes first, both in degrees. */

export type Position = readonly [longitude: number, latitude: number];

/** Of a polygon: the last position repeats the first. */
export type Ring = readonly Position[];

export interface Point {
  readonly type: "Point";
  readonly coordinates: Position;
}

export interface LineString {
  readonly type: "LineString";
  readonly coordinates: readonly Position[];
}

/** The first ring is the outline, the others are holes. */
export interface Polygon {
  readonly type: "Polygon";
  readonly coordinates: readonly Ring[];
}

export type Geometry = Point | LineString | Polygon;

/** What a person who draws can get wrong. */
export type ProblemKind =
  | "metres"
  | "latitude"
  | "longitude"
  | "too few points"
  | "too many points"
  | "too wide"
  | "flat"
  | "crossing edges"
  | "hole out of place";

/** What is wrong with a geometry, and where in the record that holds it. */
export interface GeometryProblem {
  readonly kind?: ProblemKind;
  /** The two edges that cross: edge i leads from position i to position i + 1 of its ring. */
  readonly edges?: readonly { readonly ring: number; readonly edge: number }[];
  readonly path: readonly (string | number)[];
  readonly expected: string;
  /** What was found instead, where the value at the path does not show it. */
  readonly found?: string;
}

export type Path = GeometryProblem["path"];

/** Reads one position; a third number, the altitude, is allowed and ignored. Problems are added to `problems`. */
export function readPosition(value: unknown, path: Path, problems: GeometryProblem[]): Position | null {
  const isPosition = Array.isArray(value) && (value.length === 2 || value.length === 3);
  if (!isPosition || !value.every((part) => Number.isFinite(part))) {
    problems.push({ path, expected: "a position [longitude, latitude]" });
    return null;
  }
  const [longitude, latitude] = value as [number, number];
  const before = problems.length;
  if (Math.abs(longitude) > 180) {
    problems.push({ kind: "longitude", path: [...path, 0], expected: "a longitude from -180 to 180" });
  }
  if (Math.abs(latitude) > 90) {
    const expected = "a latitude from -90 to 90 (longitude comes first)";
    problems.push({ kind: "latitude", path: [...path, 1], expected });
  }
  return problems.length === before ? [longitude, latitude] : null;
}

/** Reads a list of positions, or nothing if one of them is wrong. */
export function readPositions(value: unknown, path: Path, problems: GeometryProblem[]): Position[] | null {
  if (!Array.isArray(value)) {
    problems.push({ path, expected: "an array of positions [longitude, latitude]" });
    return null;
  }
  const positions: Position[] = [];
  for (const [index, item] of value.entries()) {
    const position = readPosition(item, [...path, index], problems);
    if (position !== null) positions.push(position);
  }
  return positions.length === value.length ? positions : null;
}
