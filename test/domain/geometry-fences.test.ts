import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boundingBox, earthRadiusMetres } from "../../src/domain/geometry/bounding-box.ts";
import { type FenceShape, type FenceShapeInput, readFenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Position, Ring } from "../../src/domain/geometry/geojson.ts";
import { forAll } from "../support/for-all.ts";
import { anyOrigin, closed, convexVertices, path, shiftedEast, starVertices } from "./geometry-shapes.test.ts";

const polygon = (...rings: unknown[]): FenceShapeInput => ({
  shape: "polygon",
  geometry: { type: "Polygon", coordinates: rings },
});
const circle = (position: unknown, radius_m: unknown): FenceShapeInput => ({
  shape: "circle",
  geometry: { type: "Point", coordinates: position },
  radius_m,
});
const corridor = (positions: unknown, width_m?: unknown): FenceShapeInput => ({
  shape: "corridor",
  geometry: { type: "LineString", coordinates: positions },
  width_m,
});

function shapeOf(input: FenceShapeInput): FenceShape {
  const { shape, problems } = readFenceShape(input);
  if (shape === null) throw new Error(JSON.stringify(problems));
  return shape;
}

const square = (west: number, south: number, size: number): Ring =>
  closed([
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
  ]);

describe("readFenceShape", () => {
  test("reads a circle, a polygon with holes and a corridor of 50 m, without altitudes", () => {
    expect(shapeOf(circle([13.4, 52.5, 34], 20))).toEqual({
      shape: "circle",
      geometry: { type: "Point", coordinates: [13.4, 52.5] },
      radiusM: 20,
      widthM: null,
    });
    const rings = [square(0, 0, 10), square(1, 1, 2), square(5, 5, 2)];
    expect(shapeOf(polygon(...rings)).geometry.coordinates).toEqual(rings);
    expect(shapeOf(corridor(path("0 0, 1 1"))).widthM).toBe(50);
    expect(shapeOf(corridor(path("0 0, 1 1"), null)).widthM).toBe(50);
    expect(
      shapeOf({
        ...corridor(path("0 0, 1 1"), 10),
        radius_m: null,
      }).widthM,
    ).toBe(10);
  });

  const big = square(0, 0, 10);
  const manyVertices = (count: number) =>
    closed(
      Array.from({ length: count }, (_, index): Position => {
        const angle = (index / count) * 2 * Math.PI;
        return [Math.cos(angle), Math.sin(angle)];
      }),
    );
  const wrong: [string, FenceShapeInput, string, string][] = [
    ["no shape", { geometry: { type: "Point", coordinates: [0, 0] } }, "shape", "one of circle, polygon, corridor"],
    [
      "another geometry",
      { shape: "circle", geometry: polygon(big).geometry, radius_m: 50 },
      "geometry.type",
      '"Point"',
    ],
    ["no geometry", { shape: "polygon" }, "geometry", "a GeoJSON Polygon"],
    ["a geometry that is a list", { shape: "corridor", geometry: [] }, "geometry", "a GeoJSON LineString"],
    ["latitude 91", circle([0, 91], 50), "geometry.coordinates.1", "a latitude from -90 to 90"],
    ["longitude -180.1", circle([-180.1, 0], 50), "geometry.coordinates.0", "a longitude from -180 to 180"],
    ["a position of one number", circle([0], 50), "geometry.coordinates", "a position"],
    ["a position of four numbers", circle([0, 0, 0, 0], 50), "geometry.coordinates", "a position"],
    ["a position of texts", circle(["0", "0"], 50), "geometry.coordinates", "a position"],
    ["an infinite position", circle([Number.POSITIVE_INFINITY, 0], 50), "geometry.coordinates", "a position"],
    ["no radius", circle([0, 0], undefined), "radius_m", "from 20 to 100000"],
    ["a radius of 19.9 m", circle([0, 0], 19.9), "radius_m", "from 20 to 100000"],
    ["a radius of 100.001 km", circle([0, 0], 100_001), "radius_m", "from 20 to 100000"],
    ["a radius as text", circle([0, 0], "50"), "radius_m", "from 20 to 100000"],
    ["a circle with a width", { ...circle([0, 0], 50), width_m: 50 }, "width_m", "no width_m"],
    ["a polygon with a radius", { ...polygon(big), radius_m: 50 }, "radius_m", "no radius_m"],
    ["a polygon with a width", { ...polygon(big), width_m: 50 }, "width_m", "no width_m"],
    [
      "a corridor with a radius",
      {
        ...corridor(path("0 0, 1 1")),
        radius_m: 50,
      },
      "radius_m",
      "no radius_m",
    ],
    ["a corridor of 1 m", corridor(path("0 0, 1 1"), 1), "width_m", "from 2 to 10000"],
    ["a corridor of 11 km", corridor(path("0 0, 1 1"), 11_000), "width_m", "from 2 to 10000"],
    ["a corridor of one position", corridor([[0, 0]]), "geometry.coordinates", "2 to 1000 positions"],
    ["a corridor of 1001", corridor(manyVertices(1000)), "geometry.coordinates", "2 to 1000 positions"],
    ["a corridor half round the globe", corridor(path("0 0, 90 0, -90 0")), "geometry.coordinates", "less than 180"],
    ["a polygon without rings", polygon(), "geometry.coordinates", "an array of rings"],
    ["a ring that is no list", polygon({}), "geometry.coordinates.0", "an array of positions"],
    ["a ring of three", polygon(closed(path("0 0, 1 1"))), "geometry.coordinates.0", "at least 4 positions"],
    ["an open ring", polygon(big.slice(0, 4)), "geometry.coordinates.0", "a closed ring"],
    ["an open hole", polygon(big, square(1, 1, 1).slice(0, 4)), "geometry.coordinates.1", "a closed ring"],
    ["a latitude in a ring", polygon(closed(path("0 0, 1 0, 1 95"))), "geometry.coordinates.0.2.1", "a latitude"],
    ["1001 vertices", polygon(manyVertices(1001)), "geometry.coordinates", "at most 1000 vertices"],
    ["a ring on a line", polygon(closed(path("0 0, 1 1, 2 2"))), "geometry.coordinates.0", "encloses an area"],
    ["a bow tie", polygon(closed(path("0 0, 1 1, 1 0, 0 1"))), "geometry.coordinates.0", "not cross"],
    ["a hole outside", polygon(big, square(20, 0, 1)), "geometry.coordinates.1", "inside the outer ring"],
    ["a hole around", polygon(big, square(-1, -1, 12)), "geometry.coordinates.1", "inside the outer ring"],
    ["a hole half outside", polygon(big, square(9, 9, 2)), "geometry.coordinates.1", "rings that do not cross"],
    ["a hole touching the outline", polygon(big, square(0, 4, 2)), "geometry.coordinates.1", "rings that do not cross"],
    ["two holes crossing", polygon(big, square(1, 1, 3), square(3, 3, 3)), "geometry.coordinates.2", "not cross"],
    ["a hole in a hole", polygon(big, square(2, 2, 1), square(1, 1, 5)), "geometry.coordinates.1", "beside the others"],
    ["the same hole twice", polygon(big, square(1, 1, 1), square(1, 1, 1)), "geometry.coordinates.2", "not cross"],
    ["half the globe", polygon(closed(path("0 0, 90 0, -90 0, 0 50"))), "geometry.coordinates", "less than 180"],
  ];
  test.each(wrong)("refuses %s", (_, input, field, expected) => {
    const { problems } = readFenceShape(input);
    expect(problems?.map((problem) => problem.path.join("."))).toContain(field);
    expect(problems?.map((problem) => problem.expected).join("; ")).toContain(expected);
  });

  test("accepts 1000 vertices, and a position of 1000 in a corridor", () => {
    expect(shapeOf(polygon(manyVertices(1000))).shape).toBe("polygon");
    expect(shapeOf(corridor(manyVertices(999))).shape).toBe("corridor");
  });

  test("tells all that is wrong at once", () => {
    const { problems } = readFenceShape({ ...circle([200, 91], 1), width_m: 3 });
    expect(problems).toHaveLength(4);
  });

  test("a hole half the size of a star-shaped polygon is fine, one twice the size is not, anywhere on the globe", () => {
    forAll(100, [starVertices(), anyOrigin], (vertices, origin) => {
      const outer = shiftedEast(closed(vertices), origin);
      const scaled = (factor: number) =>
        shiftedEast(
          closed(vertices).map(([x, y]): Position => [factor * x, factor * y]),
          origin,
        );
      expect(readFenceShape(polygon(outer, scaled(0.5))).problems).toBeNull();
      expect(readFenceShape(polygon(scaled(0.5), outer)).problems).not.toBeNull();
      expect(readFenceShape(polygon(outer, scaled(1))).problems).not.toBeNull();
    });
  });

  test("reads the same wherever on the globe a polygon lies", () => {
    const random = fc.array(fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 })), {
      minLength: 3,
      maxLength: 6,
    });
    forAll(1000, [random, fc.integer({ min: -180, max: 180 })], (vertices, origin) => {
      const here = readFenceShape(polygon(closed(vertices))).problems;
      const there = readFenceShape(polygon(shiftedEast(closed(vertices), origin))).problems;
      expect(there).toEqual(here);
    });
  });
});

describe("boundingBox", () => {
  const box = (input: FenceShapeInput) => boundingBox(shapeOf(input));

  test("of a polygon is its outline's, with west greater than east over the antimeridian", () => {
    expect(box(polygon(square(0, 0, 10)))).toEqual([0, 0, 10, 10]);
    expect(box(polygon(shiftedEast(square(-5, 0, 10), 180)))).toEqual([175, 0, -175, 10]);
    expect(box(polygon(shiftedEast(square(0, 0, 10), 180)))).toEqual([-180, 0, -170, 10]);
    expect(box(polygon(shiftedEast(square(-10, 0, 10), 180)))).toEqual([170, 0, 180, 10]);
    expect(box(polygon(shiftedEast(square(-10, 0, 10).toReversed(), -180)))).toEqual([170, 0, 180, 10]);
  });

  test("of a circle touches it on all four sides", () => {
    const latitude = fc.double({ min: -88, max: 88, noNaN: true });
    const radius = fc.double({ min: 20, max: 100_000, noNaN: true });
    forAll(100, [latitude, radius], (lat, radiusM) => {
      const [west, south, east, north] = box(circle([0, lat], radiusM));
      expect(distanceMetres([0, lat], [0, south])).toBeCloseTo(radiusM, 3);
      expect(distanceMetres([0, lat], [0, north])).toBeCloseTo(radiusM, 3);
      expect(west).toBeCloseTo(-east, 12);
      // The touching point of the eastern meridian is where it is nearest to the centre.
      const touching = Math.asin(Math.sin(lat * radian) / Math.cos(radiusM / earthRadiusMetres)) / radian;
      expect(distanceMetres([0, lat], [east, touching])).toBeCloseTo(radiusM, 2);
    });
  });

  test("of a circle spans the antimeridian and is clamped at a pole", () => {
    const [west, , east] = box(circle([179.9999, 0], 1000));
    expect(west).toBeGreaterThan(179.98);
    expect(east).toBeLessThan(-179.98);
    const nearPole = box(circle([20, 89.9], 20_000));
    expect(nearPole).toEqual([-180, expect.closeTo(89.72, 2), 180, 90]);
    expect(box(circle([20, -90], 20))).toEqual([-180, -90, 180, expect.closeTo(-89.9998, 4)]);
  });

  test("of a corridor is widened by half its width", () => {
    const metresPerDegree = earthRadiusMetres * radian;
    const [west, south, east, north] = box(corridor(path("0 0, 1 0"), 100));
    expect([west, 1 - east, south].map((degrees) => degrees * metresPerDegree)).toEqual([
      expect.closeTo(-50, 3),
      expect.closeTo(-50, 3),
      expect.closeTo(-50, 3),
    ]);
    expect(north).toBeCloseTo(-south, 12);
  });

  test("moves with the fence round the globe", () => {
    forAll(100, [convexVertices(), anyOrigin], (vertices, origin) => {
      for (const make of [(ring: Ring) => polygon(ring), (ring: Ring) => corridor(ring, 500)]) {
        const here = box(make(closed(vertices)));
        const there = box(make(shiftedEast(closed(vertices), origin)));
        for (const side of [0, 2] as const) {
          const turns = (there[side] - here[side] - origin) / 360;
          expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-9);
          expect(Math.abs(there[side])).toBeLessThanOrEqual(180);
        }
        expect([there[1], there[3]]).toEqual([here[1], here[3]]);
      }
    });
  });
});

const radian = Math.PI / 180;

function distanceMetres(a: Position, b: Position): number {
  const [dLat, dLon] = [(b[1] - a[1]) * radian, (b[0] - a[0]) * radian];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a[1] * radian) * Math.cos(b[1] * radian) * Math.sin(dLon / 2) ** 2;
  return 2 * earthRadiusMetres * Math.asin(Math.sqrt(h));
}
