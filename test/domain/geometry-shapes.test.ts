import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Position, Ring } from "../../src/domain/geometry/geojson.ts";

/** Random rings for the other geometry tests, around 0° E so that a test can shift them wherever it likes. */

/** Positions from text, longitude first: `path("13.4 52.5, 13.5 52.5")`. */
export function path(text: string): Position[] {
  return text.split(", ").map((position) => {
    const [longitude, latitude] = position.split(" ").map(Number);
    return [longitude ?? Number.NaN, latitude ?? Number.NaN];
  });
}

export function closed(vertices: readonly Position[]): Ring {
  const [first] = vertices;
  return first === undefined ? [] : [...vertices, first];
}

/** Longitudes to shift to, the antimeridian and its neighbourhood among them. */
export const anyOrigin = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(180, -180, 179.999, -179.999, 179, -179),
);

export function shiftedEast(ring: Ring, degrees: number): Ring {
  return ring.map(([longitude, latitude]) => {
    const shifted = longitude + degrees;
    if (shifted > 180) return [shifted - 360, latitude];
    return [shifted < -180 ? shifted + 360 : shifted, latitude];
  });
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** From a bus stop to a country. */
const sizeDegrees = fc.constantFrom(0.0005, 0.02, 1, 15);
const middleLatitude = fc.integer({ min: -70, max: 70 });

/** Around 0° N 0° E, at any distance from it, by rising angle: such a polygon is simple however ragged it is. */
export function starVertices(): fc.Arbitrary<Position[]> {
  const spokes = fc.array(fc.tuple(fraction, fraction), { minLength: 4, maxLength: 60 });
  return fc.tuple(spokes, sizeDegrees).map(([parts, size]) =>
    parts.map(([turn, reach], index): Position => {
      const angle = ((index + 0.8 * turn) / parts.length) * 2 * Math.PI;
      const distance = size * (0.05 + 0.95 * reach);
      return [distance * Math.cos(angle), distance * Math.sin(angle)];
    }),
  );
}

/** On an ellipse, in order. */
export function convexVertices(): fc.Arbitrary<Position[]> {
  const turns = fc.array(fraction, { minLength: 5, maxLength: 40 });
  return fc.tuple(turns, sizeDegrees, middleLatitude).map(([parts, size, latitude]) =>
    parts.map((turn, index): Position => {
      const angle = ((index + 0.8 * turn) / parts.length) * 2 * Math.PI;
      return [size * Math.cos(angle), latitude + (size / 2) * Math.sin(angle)];
    }),
  );
}

test("shifting goes round the globe", () => {
  expect(shiftedEast(path("1 0, -1 0"), 180)).toEqual(path("-179 0, 179 0"));
  expect(shiftedEast(path("1 0, -1 0"), -180)).toEqual(path("-179 0, 179 0"));
});
