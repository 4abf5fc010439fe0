import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Position, Ring } from "../../src/domain/geometry/geojson.ts";
import { unwrapLongitudes } from "../../src/domain/geometry/longitudes.ts";
import { containsPosition, crossingEdges, hasArea, isClosed } from "../../src/domain/geometry/ring.ts";
import { forAll } from "../support/for-all.ts";
import { anyOrigin, closed, convexVertices, path, shiftedEast, starVertices } from "./geometry-shapes.test.ts";

/** Which edges of one ring meet. */
const meeting = (ring: Ring) => crossingEdges([ring])?.map(({ edge }) => edge) ?? null;
const crosses = (ring: Ring) => meeting(unwrapLongitudes(ring)) !== null;

describe("edges of one ring", () => {
  test("a star-shaped polygon never crosses itself", () => {
    forAll(500, [starVertices(), anyOrigin], (vertices, origin) => {
      expect(crosses(closed(vertices))).toBe(false);
      expect(crosses(closed(vertices.toReversed()))).toBe(false);
      expect(crosses(shiftedEast(closed(vertices), origin))).toBe(false);
    });
  });

  test("a convex polygon with two far vertices swapped always crosses itself, anywhere on the globe", () => {
    const swapped = convexVertices().chain((vertices) =>
      fc.tuple(fc.nat(vertices.length - 1), fc.integer({ min: 2, max: vertices.length - 2 })).map(([one, apart]) => {
        const other = (one + apart) % vertices.length;
        return vertices.map((vertex, index) => {
          if (index === one) return vertices[other] ?? vertex;
          return index === other ? (vertices[one] ?? vertex) : vertex;
        });
      }),
    );
    forAll(500, [swapped, anyOrigin], (vertices, origin) => {
      expect(crosses(closed(vertices))).toBe(true);
      expect(crosses(shiftedEast(closed(vertices), origin))).toBe(true);
    });
  });

  test("a vertex on another edge or vertex of the ring counts as crossing, anywhere on the globe", () => {
    const touching = fc.tuple(convexVertices(), fc.nat(), fc.nat(), fc.constantFrom(0, 0.25, 0.5));
    forAll(100, [touching, anyOrigin], ([vertices, nth, away, along], origin) => {
      const count = vertices.length;
      const start = nth % count;
      const edge = (start + 1 + (away % (count - 2))) % count;
      const [from = [0, 0], to = [0, 0]] = [vertices[edge], vertices[(edge + 1) % count]];
      const onEdge: Position = [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])];
      const ring = closed(vertices.toSpliced(start + 1, 0, onEdge));
      expect(crosses(ring)).toBe(true);
      expect(crosses(shiftedEast(ring, origin))).toBe(true);
    });
  });

  test.each([
    ["a triangle", "0 0, 1 0, 0 1", false],
    ["vertices in the middle of a side", "0 0, 0.1 0.1, 0.2 0.2, 0.3 0.3, 0 1", false],
    ["a bow tie", "0 0, 1 1, 1 0, 0 1", true],
    ["a repeated vertex", "0 0, 1 0, 1 0, 0 1", true],
    ["an edge that folds back", "0 0, 2 0, 1 0, 1 1", true],
    ["a closing edge that folds back", "0 0, 2 0, 2 1, 3 0", true],
    ["a spike", "0 0, 2 0, 2 2, 2 5, 2 2, 0 2", true],
    ["two triangles that share a vertex", "0 0, 1 1, 2 0, 2 2, 1 1, 0 2", true],
    ["an edge along another", "0 0, 4 0, 4 1, 3 1, 3 0, 1 0, 1 1, 0 1", true],
  ])("%s", (_, vertices, expected) => expect(crosses(closed(path(vertices)))).toBe(expected));

  test("names the edges that cross", () => {
    expect(meeting(closed(path("0 0, 1 1, 1 0, 0 1")))).toEqual([0, 2]);
    expect(meeting(closed(path("0 0, 9 0, 9 9, 8 9, 8 5, 10 5, 10 10, 0 10")))).toEqual([1, 4]);
  });

  test("a thousand vertices take milliseconds", () => {
    const count = 1000;
    const comb = Array.from({ length: count - 2 }, (_, index): Position => [index / 1000, index % 2]);
    const ring = closed([...comb, [1, 3], [-1, 3]]);
    const before = process.cpuUsage();
    expect(meeting(ring)).toBeNull();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(500);
  });
});

describe("a ring", () => {
  test("is closed if it ends where it starts, 180° being -180°", () => {
    expect(isClosed(closed(path("0 0, 1 0, 0 1")))).toBe(true);
    expect(isClosed(path("180 0, 170 0, 170 1, -180 0"))).toBe(true);
    expect(isClosed(path("0 0, 1 0, 0 1"))).toBe(false);
    expect(isClosed(path("0 0, 1 0, 0 1, 0 1e-9"))).toBe(false);
    expect(isClosed([[0, 0]])).toBe(false);
    expect(isClosed([])).toBe(false);
  });

  test("has an area unless it lies on one line", () => {
    expect(hasArea(closed(path("0 0, 1 1, 1 0, 0 1")))).toBe(true);
    expect(hasArea(closed(path("0.1 0.1, 0.3 0.3, -0.7 -0.7")))).toBe(false);
    expect(hasArea(closed(path("5 5, 5 5, 5 5")))).toBe(false);
    fc.assert(fc.property(starVertices(), (vertices) => hasArea(closed(vertices))));
  });

  test("contains the middle of a convex polygon and nothing beyond its box", () => {
    forAll(100, [convexVertices()], (vertices) => {
      const middle: Position = [
        vertices.reduce((sum, [x]) => sum + x, 0) / vertices.length,
        vertices.reduce((sum, [, y]) => sum + y, 0) / vertices.length,
      ];
      const beyond: Position = [Math.max(...vertices.map(([x]) => x)) + 0.001, middle[1]];
      expect(containsPosition(closed(vertices), middle)).toBe(true);
      expect(containsPosition(closed(vertices), beyond)).toBe(false);
    });
  });
});

test("unwrapping brings every position within half a turn of the first and back to the same place", () => {
  const position = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.constant(0));
  forAll(100, [fc.array(position, { minLength: 1 })], (positions) => {
    const unwrapped = unwrapLongitudes(positions);
    for (const [index, [longitude]] of unwrapped.entries()) {
      expect(Math.abs(longitude - (positions[0]?.[0] ?? 0))).toBeLessThanOrEqual(180);
      const turns = (longitude - (positions[index]?.[0] ?? 0)) / 360;
      expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-12);
    }
  });
});
