import { crossingEdges } from "./crossings.ts";
import type { GeometryProblem, Path, Ring } from "./geojson.ts";
import { readPositions } from "./geojson.ts";
import { unwrapLongitudes, widestDegrees, widthDegrees } from "./longitudes.ts";
import { containsPosition, hasArea, isClosed } from "./ring.ts";

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
    problems.push({ path, expected: `at most ${maxVertices} vertices in all`, found: `got ${vertices}` });
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
    problems.push({ path, expected: `at least ${minPositionsInRing} positions`, found: `got ${ring.length}` });
  } else if (!isClosed(ring)) {
    const found = `but it starts at [${ring[0]?.join(", ")}] and ends at [${ring.at(-1)?.join(", ")}]`;
    problems.push({ path, expected: "a closed ring, whose last position equals its first", found });
  }
  return [ring];
}

function outlineProblem(rings: readonly Ring[], path: Path): GeometryProblem | null {
  const originLongitude = rings[0]?.[0]?.[0] ?? 0;
  const unwrapped = rings.map((ring) => unwrapLongitudes(ring, originLongitude));
  const width = widthDegrees(unwrapped.flat());
  if (width >= widestDegrees) {
    return { path, expected: `less than ${widestDegrees} degrees of longitude`, found: `got ${width}` };
  }
  const flat = unwrapped.findIndex((ring) => !hasArea(ring));
  if (flat >= 0) {
    return { path: [...path, flat], expected: "a ring that encloses an area", found: "but it lies on one line" };
  }
  const crossing = crossingEdges(unwrapped);
  if (crossing !== null) {
    const [one, other] = crossing;
    const isSame = one.ring === other.ring;
    const expected = isSame ? "a ring that does not cross or touch itself" : "rings that do not cross or touch";
    const found = isSame
      ? `but its edges ${one.edge} and ${other.edge} meet`
      : `but edge ${other.edge} meets edge ${one.edge} of ring ${one.ring}`;
    return { path: [...path, other.ring], expected, found };
  }
  return misplacedHole(unwrapped, path);
}

/** For rings that do not meet: one position shows on which side of another ring the whole ring is. */
function misplacedHole(rings: readonly Ring[], path: Path): GeometryProblem | null {
  const [outer = [], ...holes] = rings;
  for (const [index, hole] of holes.entries()) {
    const [position] = hole;
    if (position === undefined) continue;
    const at = { path: [...path, index + 1] };
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
