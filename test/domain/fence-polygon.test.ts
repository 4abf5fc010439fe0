import { expect, test } from "bun:test";
import fc from "fast-check";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { contains, prepareFence } from "../../src/domain/geometry/fence-area.ts";
import { type AreaGeometry, circlePolygon, corridorPolygon } from "../../src/domain/geometry/fence-polygon.ts";
import type { Position } from "../../src/domain/geometry/geojson.ts";
import { containsPosition } from "../../src/domain/geometry/ring.ts";
import { forAll } from "../support/for-all.ts";

const polygonsOf = (area: AreaGeometry) => (area.type === "Polygon" ? [area.coordinates] : area.coordinates);
const isIn = (area: AreaGeometry, place: Position) =>
  polygonsOf(area).some(([ring]) => ring !== undefined && containsPosition(ring, place));

function expectValid(area: AreaGeometry): void {
  for (const [ring = [], ...holes] of polygonsOf(area)) {
    expect(holes).toEqual([]);
    expect(ring[0]).toEqual(ring.at(-1) as Position);
    for (const [longitude, latitude] of ring) {
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
    }
    const signed = ring.slice(1).reduce((sum, [x, y], index) => {
      const [beforeX, beforeY] = ring[index] as Position;
      return sum + (beforeX * y - x * beforeY);
    }, 0);
    // Against the clock (RFC 7946).
    expect(signed).toBeGreaterThan(0);
  }
}

const place = fc.tuple(
  fc.double({ min: -179.99, max: 179.99, noNaN: true }),
  fc.double({ min: -60, max: 60, noNaN: true }),
);

test("a circle is a polygon of 64 corners on it, also across 180 degrees", () => {
  forAll(200, [place, fc.double({ min: 10, max: 50_000, noNaN: true })], (centre, radius) => {
    const area = circlePolygon({ type: "Point", coordinates: centre }, radius);
    expectValid(area);
    const [longitude, latitude] = centre;
    if (area.type === "Polygon") {
      expect(area.coordinates[0]).toHaveLength(65);
      for (const [x, y] of area.coordinates[0] ?? [])
        expect(metresBetween({ latitude, longitude }, { latitude: y, longitude: x })).toBeCloseTo(radius, 0);
    }
    if (Math.abs(Math.abs(longitude) - 180) > 1e-6) expect(isIn(area, centre)).toBe(true);
  });
});

test("around a corridor is what is as near to its middle, whatever way it takes", () => {
  const step = fc.tuple(
    fc.double({ min: -0.02, max: 0.02, noNaN: true }),
    fc.double({ min: -0.02, max: 0.02, noNaN: true }),
  );
  const odd = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  forAll(
    200,
    [steps, fc.double({ min: 20, max: 300, noNaN: true }), fc.array(odd, { minLength: 20, maxLength: 20 })],
    (ways, width, places) => {
      const line: [number, number][] = [[13.4, 52.5]];
      for (const [east, north] of ways) {
        const [x, y] = line.at(-1) as [number, number];
        if (Math.hypot(east, north) > 1e-4) line.push([x + east, y + north]);
      }
      if (line.length < 2) return;
      const geometry = { type: "LineString", coordinates: line } as const;
      const area = corridorPolygon(geometry, width);
      const [thinner, wider] = [0.97, 1.03].map((share) =>
        prepareFence({ shape: "corridor", geometry, radiusM: null, widthM: width * share }),
      );
      const spread = 0.05;
      for (const [x, y] of [...places.map(([u, v]): Position => [13.4 + u * spread, 52.5 + v * spread]), ...line]) {
        const there = { latitude: y, longitude: x };
        if (thinner && contains(thinner, there)) expect(isIn(area, [x, y])).toBe(true);
        if (wider && !contains(wider, there)) expect(isIn(area, [x, y])).toBe(false);
      }
      if (area.type === "Polygon") expectValid(area);
    },
  );
});
