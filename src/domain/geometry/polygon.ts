import { type GeometryProblem, type Path, type Ring, readPositions } from "./geojson.ts";
import { unwrapLongitudes, widthProblem } from "./longitudes.ts";
import { containsPosition, crossingEdges, hasArea, isClosed } from "./ring.ts";

/** Every frame near a fence is measured against each of its edges. */
export const maxVertices = 1000;

const minPositionsInRing = 4;

/** Reads a polygon's rings; null if they do not clearly enclose one area. */
export function readRings(value: unknown, path: Path, problems: GeometryProblem[]): Ring[] | null {
  if (!Array.isArray(value) || value.length === 0) {
    problems.push({ path, expected: "an array of rings, the outer one first" });
    return null;
  }
  const before = problems.length;
  const rings = value.flatMap((item, index) => readRing(item, [...path, index], problems) ?? []);
  if (problems.length > before) return null;

  const vertices = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  if (vertices > maxVertices) {
    const expected = `at most ${maxVertices} vertices in all`;
    problems.push({ kind: "too many points", path, expected, found: `got ${vertices}` });
    return null;
  }
  const problem = outlineProblem(rings, path);
  if (problem === null) return rings;
  problems.push(problem);
  return null;
}

function readRing(value: unknown, path: Path, problems: GeometryProblem[]): [Ring] | null {
  const ring = readPositions(value, path, problems);
  if (ring === null) return null;
  if (ring.length < minPositionsInRing) {
    const expected = `at least ${minPositionsInRing} positions`;
    problems.push({ kind: "too few points", path, expected, found: `got ${ring.length}` });
  } else if (!isClosed(ring)) {
    const found = `but it starts at [${ring[0]?.join(", ")}] and ends at [${ring.at(-1)?.join(", ")}]`;
    problems.push({ path, expected: "a closed ring, whose last position equals its first", found });
  }
  return [ring];
}

function outlineProblem(rings: readonly Ring[], path: Path): GeometryProblem | null {
  const originLongitude = rings[0]?.[0]?.[0] ?? 0;
  const unwrapped = rings.map((ring) => unwrapLongitudes(ring, originLongitude));
  const tooWide = widthProblem(unwrapped.flat(), path);
  if (tooWide !== null) return tooWide;
  const flat = unwrapped.findIndex((ring) => !hasArea(ring));
  if (flat >= 0) {
    const found = "but it lies on one line";
    return { kind: "flat", path: [...path, flat], expected: "a ring that encloses an area", found };
  }
  const crossing = crossingEdges(unwrapped);
  if (crossing !== null) {
    const [one, other] = crossing;
    const isSame = one.ring === other.ring;
    const expected = isSame ? "a ring that does not cross or touch itself" : "rings that do not cross or touch";
    const found = isSame
      ? `but its edges ${one.edge} and ${other.edge} meet`
      : `but edge ${other.edge} meets edge ${one.edge} of ring ${one.ring}`;
    return { kind: "crossing edges", edges: crossing, path: [...path, other.ring], expected, found };
  }
  return misplacedHole(unwrapped, path);
}

/** For rings that do not meet: one position shows on which side of another ring the whole ring is. */
function misplacedHole(rings: readonly Ring[], path: Path): GeometryProblem | null {
  const [outer = [], ...holes] = rings;
  for (const [index, hole] of holes.entries()) {
    const [position] = hole;
    if (position === undefined) continue;
    const at = { kind: "hole out of place" as const, path: [...path, index + 1] };
    if (!containsPosition(outer, position)) {
      return { ...at, expected: "a hole inside the outer ring", found: "but it lies outside" };
    }
    const around = holes.findIndex((other) => other !== hole && containsPosition(other, position));
    if (around >= 0) {
      return { ...at, expected: "a hole beside the others", found: `but it lies inside ring ${around + 1}` };
    }
  }
  return null;
}
