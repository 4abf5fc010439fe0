import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { earthRadiusMetres } from "../../src/domain/geometry/bounding-box.ts";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import {
  extentOf,
  inradiusMetres,
  mayMeet,
  prepareFence,
  signedDistanceMetres,
} from "../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Position, Ring } from "../../src/domain/geometry/geojson.ts";
import { containsPosition } from "../../src/domain/geometry/ring.ts";
import { forAll } from "../support/for-all.ts";
import { anyOrigin, closed, path, shiftedEast } from "./geometry-shapes.test.ts";
import { circleOf, corridorOf, polygonOf } from "./support/shapes.ts";

const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

const placeOf = ([longitude, latitude]: Position): Place => ({ latitude, longitude });
const distance = (shape: FenceShape, position: Position) =>
  signedDistanceMetres(prepareFence(shape), placeOf(position));

/** Star-shaped rings around 0° E, up to 85° from the equator, from a bus stop to a county. */
const ringsAnywhere = fc
  .tuple(
    fc.array(fc.tuple(fraction, fraction), { minLength: 3, maxLength: 60 }),
    fc.constantFrom(0.0005, 0.02, 0.5),
    fc.integer({ min: -84, max: 84 }),
  )
  .map(([spokes, size, latitude]) => {
    const stretch = 1 / Math.cos((latitude * Math.PI) / 180);
    const vertices = spokes.map(([turn, reach], index): Position => {
      const angle = ((index + 0.8 * turn) / spokes.length) * 2 * Math.PI;
      const away = size * (0.2 + 0.8 * reach);
      return [away * Math.cos(angle) * stretch, latitude + away * Math.sin(angle)];
    });
    const hole = vertices.map(([x, y]): Position => [x / 3, latitude + (y - latitude) / 3]);
    return { outer: closed(vertices), hole: closed(hole) };
  });

/** Beside some edge, at most a few kilometres away. */
function placeBeside(ring: Ring, along: number, north: number, east: number): Position {
  const edge = Math.min(Math.floor(along * (ring.length - 1)), ring.length - 2);
  const [a, b] = [ring[edge] ?? [0, 0], ring[edge + 1] ?? [0, 0]];
  const part = along * (ring.length - 1) - edge;
  const latitude = a[1] + part * (b[1] - a[1]) + north / metresPerDegree;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  return [a[0] + part * (b[0] - a[0]) + east / metresPerDegree / shrink, latitude];
}

/** The least distance to many places along the edges, and to more of them around the nearest. */
function denseMetres(chains: readonly (readonly Position[])[], position: Position): number {
  const at = placeOf(position);
  let least = Number.POSITIVE_INFINITY;
  for (const chain of chains) {
    for (const [index, a] of chain.entries()) {
      const b = chain[index + 1];
      if (b === undefined) break;
      const metres = (t: number) => metresBetween(at, placeOf([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]));
      let [low, high] = [0, 1];
      for (let round = 0; round < 9; round++) {
        const step = (high - low) / 16;
        let best = low;
        for (let nth = 0; nth <= 16; nth++) if (metres(low + nth * step) < metres(best)) best = low + nth * step;
        [low, high] = [Math.max(0, best - step), Math.min(1, best + step)];
      }
      least = Math.min(least, metres((low + high) / 2), metres(low), metres(high));
    }
  }
  return least;
}

const offset = fc.oneof(
  fc.double({ min: -3000, max: 3000, noNaN: true }),
  fc.double({ min: -30, max: 30, noNaN: true }),
);
const beside = fc.tuple(fraction, offset, offset);
/** Between two edges that are almost equally far, the plane may choose the other: its scale drifts with the latitude. */
const toleranceMetres = (metres: number, latitude: number) =>
  0.01 + (metres ** 2 / earthRadiusMetres) * (1 + Math.abs(Math.tan((latitude * Math.PI) / 180)));

describe("signedDistanceMetres", () => {
  test("of a polygon with a hole agrees with a dense walk along its edges, up to 85° north and south", () => {
    forAll(150, [ringsAnywhere, beside, fc.boolean()], ({ outer, hole }, [along, north, east], isByHole) => {
      const position = placeBeside(isByHole ? hole : outer, along, north, east);
      const metres = distance(polygonOf(outer, hole), position);
      const reference = denseMetres([outer, hole], position);
      expect(Math.abs(Math.abs(metres) - reference)).toBeLessThan(toleranceMetres(reference, position[1]));
      const isInside = containsPosition(outer, position) && !containsPosition(hole, position);
      // The walk is that coarse, and on an edge a place is on neither side.
      if (reference > 0.01) expect(metres < 0).toBe(isInside);
    });
  });

  test("of a corridor is the distance from its line less half its width", () => {
    forAll(150, [ringsAnywhere, beside, fc.integer({ min: 2, max: 10_000 })], ({ outer }, where, widthM) => {
      const line = outer.slice(0, 8);
      const position = placeBeside(line, ...where);
      const reference = denseMetres([line], position);
      const metres = distance(corridorOf(line, widthM), position);
      expect(Math.abs(metres + widthM / 2 - reference)).toBeLessThan(toleranceMetres(reference, position[1]));
    });
  });

  test("does not depend on where on the globe a fence is, the antimeridian included", () => {
    forAll(100, [ringsAnywhere, beside, anyOrigin], ({ outer, hole }, where, origin) => {
      const position = placeBeside(outer, ...where);
      const [there = position] = shiftedEast([position], origin);
      const shapes = (shift: (ring: Ring) => Ring) => [
        polygonOf(shift(outer), shift(hole)),
        corridorOf(shift(outer), 50),
        circleOf(shift(outer)[0] ?? [0, 0], 500),
      ];
      const here = shapes((ring) => ring).map((shape) => distance(shape, position));
      const moved = shapes((ring) => shiftedEast(ring, origin)).map((shape) => distance(shape, there));
      for (const [index, metres] of here.entries()) {
        const off = Math.abs((moved[index] ?? Number.NaN) - metres);
        expect(off).toBeLessThan(toleranceMetres(Math.abs(metres) + 50, position[1]));
      }
    });
  });

  test("is negative inside, 0 on the edge and positive outside and in a hole", () => {
    const square = polygonOf(closed(path("0 0, 1 0, 1 1, 0 1")), closed(path("0.4 0.4, 0.6 0.4, 0.6 0.6, 0.4 0.6")));
    expect(distance(square, [0, 0])).toBe(0);
    expect(distance(square, [0.5, 0])).toBe(0);
    expect(distance(square, [0.2, 0.1])).toBeCloseTo(-0.1 * metresPerDegree, 3);
    expect(distance(square, [0.5, 0.5])).toBeCloseTo(0.1 * metresPerDegree, 0);
    expect(distance(square, [0.5, -0.1])).toBeCloseTo(0.1 * metresPerDegree, 3);
    expect(distance(circleOf([0, 60], 100), [0, 60])).toBe(-100);
    expect(distance(corridorOf(path("0 0, 1 0"), 50), [0.5, 0])).toBe(-25);
    expect(distance(corridorOf(path("180 0, -179 0"), 50), [-179.5, 0])).toBe(-25);
  });

  test("of a very wide fence is measured by the shorter way round the globe", () => {
    const eastward = polygonOf(closed(path("0 -1, 170 -1, 170 1, 0 1")));
    const westward = polygonOf(closed(path("0 -1, 0 1, -170 1, -170 -1")));
    for (const [shape, sign] of [
      [eastward, 1],
      [westward, -1],
    ] as const) {
      expect(distance(shape, [sign * 175, 0])).toBeCloseTo(5 * metresPerDegree, 3);
      expect(distance(shape, [sign * -175, 0])).toBeCloseTo(15 * metresPerDegree, 3);
      expect(distance(shape, [sign * -10, 0])).toBeCloseTo(10 * metresPerDegree, 3);
      expect(distance(shape, [sign * 100, 0])).toBeCloseTo(-metresPerDegree, 3);
    }
  });

  test("of a circle is true at the pole", () => {
    const radiusM = metresPerDegree;
    expect(distance(circleOf([20, 90], radiusM), [-100, 89])).toBeCloseTo(0, 3);
    expect(distance(circleOf([20, 89.5], radiusM), [-160, 89.5])).toBeCloseTo(0, 3);
  });
});

describe("inradiusMetres", () => {
  const inradius = (shape: FenceShape) => inradiusMetres(prepareFence(shape));

  test("of a circle is its radius, of a corridor half its width", () => {
    expect(inradius(circleOf([0, 0], 77))).toBe(77);
    expect(inradius(corridorOf(path("0 0, 1 0"), 50))).toBe(25);
  });

  const square = (west: number, south: number, width: number, height: number): Ring =>
    closed([
      [west, south],
      [west + width, south],
      [west + width, south + height],
      [west, south + height],
    ]);

  test.each([
    ["a square", polygonOf(square(0, 0, 0.002, 0.002)), 0.001],
    ["a square at 60° north, where it is half as wide", polygonOf(square(0, 60, 0.004, 0.002)), 0.001],
    ["a square over the antimeridian", polygonOf(shiftedEast(square(-0.001, 0, 0.002, 0.002), 180)), 0.001],
    ["a strip a hundred times as long as wide", polygonOf(square(0, 0, 0.2, 0.002)), 0.001],
    ["a square with a hole in the middle", polygonOf(square(0, 0, 0.1, 0.1), square(0.04, 0.04, 0.02, 0.02)), 0.0234],
    ["an L", polygonOf(closed(path("0 0, 0.03 0, 0.03 0.01, 0.01 0.01, 0.01 0.03, 0 0.03"))), 0.005858],
  ])("of %s is right to a few per cent", (_, shape, degrees) => {
    const metres = degrees * metresPerDegree;
    expect(inradius(shape)).toBeGreaterThan(metres * 0.94);
    expect(inradius(shape)).toBeLessThan(metres * 1.01);
  });

  test("of a sliver ten thousand times as long as wide is found, within a factor of two", () => {
    const metres = inradius(polygonOf(closed(path("0 0, 1 1, 1.0001 1"))));
    expect(metres).toBeGreaterThan(1.7);
    expect(metres).toBeLessThan(4.1);
  });

  test("is never more than the distance of any place inside from the edge allows", () => {
    forAll(100, [ringsAnywhere, beside], ({ outer, hole }, where) => {
      const area = prepareFence(polygonOf(outer, hole));
      const inside = -signedDistanceMetres(area, placeOf(placeBeside(outer, ...where)));
      expect(inradiusMetres(area)).toBeGreaterThan(0.95 * inside - 0.001);
    });
  });
});

test("a place inside a fence is within its extent, and a way that only passes beside it is not", () => {
  const extent = extentOf([179, 10, -179, 11]);
  const meets = (from: string, to: string) =>
    mayMeet(extent, placeOf(path(from)[0] ?? [0, 0]), placeOf(path(to)[0] ?? [0, 0]));
  expect(meets("180 10.5", "180 10.5")).toBe(true);
  expect(meets("-180 10.5", "-180 10.5")).toBe(true);
  expect(meets("178 10.5", "-178 10.5")).toBe(true);
  expect(meets("178 9", "-178 9.9")).toBe(false);
  expect(meets("-178.9 10.5", "170 10.5")).toBe(true);
  expect(meets("-178.9 10.5", "-170 10.5")).toBe(false);
  expect(meets("0 10.5", "10 10.5")).toBe(false);
  forAll(100, [ringsAnywhere, beside, anyOrigin], ({ outer }, where, origin) => {
    const [position = [0, 0]] = shiftedEast([placeBeside(outer, ...where)], origin);
    const shifted = shiftedEast(outer, origin);
    for (const shape of [polygonOf(shifted), corridorOf(shifted, 500), circleOf(shifted[0] ?? [0, 0], 700)]) {
      const area = prepareFence(shape);
      const place = placeOf(position);
      if (signedDistanceMetres(area, place) <= 0) expect(mayMeet(area.extent, place, place)).toBe(true);
    }
  });
});
