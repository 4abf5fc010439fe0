import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import { type FenceArea, prepareFence, signedDistanceMetres } from "../../src/domain/geometry/fence-area.ts";
import type { Position } from "../../src/domain/geometry/geojson.ts";
import { edgeFraction, passage, placeBetween } from "../../src/domain/geometry/passage.ts";
import { forAll } from "../support/for-all.ts";
import { anyOrigin, closed, path, shiftedEast } from "./geometry-shapes.test.ts";
import { circleOf, corridorOf, polygonOf } from "./support/shapes.ts";

const place = (text: string): Place => {
  const [[longitude, latitude] = [0, 0]] = path(text);
  return { latitude, longitude };
};
const through = (area: FenceArea, from: string, to: string) => passage(area, place(from), place(to));

describe("passage", () => {
  const ring = polygonOf(closed(path("0 0, 3 0, 3 3, 0 3")), closed(path("1 1, 2 1, 2 2, 1 2")));
  const holed = prepareFence(ring);
  const degree = metresBetween(place("0 0"), place("1 0"));

  test("goes from the first entry to the last exit, and measures only what is inside", () => {
    const found = through(holed, "-1 1.5", "4 1.5");
    expect(found?.entry).toBeCloseTo(0.2, 9);
    expect(found?.exit).toBeCloseTo(0.8, 9);
    expect(found?.chordMetres).toBeCloseTo(2 * degree * Math.cos((1.5 * Math.PI) / 180), -2);
  });

  test("is null if an end is inside, and if the way stays outside", () => {
    expect(through(holed, "0.5 0.5", "4 1.5")).toBeNull();
    expect(through(holed, "-1 1.5", "0.5 1.5")).toBeNull();
    expect(through(holed, "-1 -1", "4 -0.1")).toBeNull();
    expect(through(holed, "1.2 1.5", "1.8 1.5")).toBeNull();
    expect(through(holed, "-1 1.5", "-1 1.5")).toBeNull();
    expect(through(holed, "-1 2", "2 5.1")).toBeNull();
  });

  test("begins in a hole as well as anywhere outside", () => {
    expect(through(holed, "1.5 1.5", "4 1.5")?.chordMetres).toBeCloseTo(degree * Math.cos((1.5 * Math.PI) / 180), -2);
  });

  test("goes through a vertex, and only touches one, without being confused", () => {
    const diamond = prepareFence(polygonOf(closed(path("0 -1, 1 0, 0 1, -1 0"))));
    const across = through(diamond, "-2 0", "2 0");
    expect([across?.entry, across?.exit]).toEqual([expect.closeTo(0.25, 9), expect.closeTo(0.75, 9)]);
    expect(through(diamond, "-2 1", "2 1")?.chordMetres ?? 0).toBeCloseTo(0, 6);
  });

  test("of a circle and a corridor lies between their edges", () => {
    const circle = prepareFence(circleOf([0, 0], degree));
    const across = through(circle, "-2 0", "2 0");
    expect([across?.entry, across?.exit]).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)]);
    expect(across?.chordMetres).toBeCloseTo(2 * degree, 0);
    expect(through(circle, "-2 1.0001", "2 1.0001")).toBeNull();
    const corridor = prepareFence(corridorOf(path("0 0, 0.1 0, 0.1 0.1"), degree / 50));
    const twice = through(corridor, "-0.05 0.05", "0.2 0.05");
    expect(twice?.entry).toBeCloseTo(0.14 / 0.25, 4);
    expect(twice?.chordMetres).toBeCloseTo(degree / 50, 0);
    const overBoth = through(corridor, "0.04 -0.05", "0.15 0.06");
    expect(overBoth).not.toBeNull();
    expect(through(corridor, "-0.05 0.02", "0.05 0.02")).toBeNull();
  });

  const offset = fc.integer({ min: -4000, max: 4000 }).map((metres) => metres / 111_195);
  const position = fc.tuple(offset, offset);
  const shapes = fc.oneof(
    fc.integer({ min: 20, max: 3000 }).map((radius) => (at: (p: Position) => Position) => circleOf(at([0, 0]), radius)),
    fc.tuple(fc.array(position, { minLength: 2, maxLength: 12 }), fc.integer({ min: 2, max: 1500 })).map(
      ([line, width]) =>
        (at: (p: Position) => Position) =>
          corridorOf(line.map(at), width),
    ),
    fc
      .array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 100, max: 4000 })), {
        minLength: 3,
        maxLength: 20,
      })
      .map((spokes) => (at: (p: Position) => Position) => {
        const vertices = spokes.map(([turn, metres], index): Position => {
          const angle = ((index + 0.8 * turn) / spokes.length) * 2 * Math.PI;
          return at([(metres * Math.cos(angle)) / 111_195, (metres * Math.sin(angle)) / 111_195]);
        });
        return polygonOf(closed(vertices));
      }),
  );

  test("agrees with many places along the way, at any longitude and up to 80° north and south", () => {
    forAll(
      150,
      [shapes, position, position, anyOrigin, fc.integer({ min: -80, max: 80 })],
      (shape, from, to, origin, latitude) => {
        const at = ([x, y]: Position): Position =>
          shiftedEast([[x / Math.cos((latitude * Math.PI) / 180), latitude + y]], origin)[0] ?? [0, 0];
        const area = prepareFence(shape(at));
        const [start, end] = [from, to].map((where) => {
          const [longitude, north] = at(where);
          return { latitude: north, longitude };
        }) as [Place, Place];
        const count = 400;
        let inside = 0;
        let deepest = 0;
        for (let nth = 0; nth <= count; nth++) {
          const metres = signedDistanceMetres(area, placeBetween(start, end, nth / count));
          if (metres <= 0) inside++;
          deepest = Math.min(deepest, metres);
        }
        const found = passage(area, start, end);
        const isOut = signedDistanceMetres(area, start) > 0 && signedDistanceMetres(area, end) > 0;
        if (!isOut) return expect(found).toBeNull();
        // What is grazed by less than a few metres may be seen either way.
        if (deepest < -5) expect(found).not.toBeNull();
        if (found === null) return;
        const stepMetres = metresBetween(start, end) / count;
        const crossings = 30;
        expect(Math.abs(found.chordMetres - inside * stepMetres)).toBeLessThan(crossings * stepMetres + 10);
        for (const edge of [found.entry, found.exit]) {
          expect(Math.abs(signedDistanceMetres(area, placeBetween(start, end, edge)))).toBeLessThan(5);
        }
      },
    );
  });
});

describe("edgeFraction", () => {
  test("is where the way goes over the edge, or 0 if it ends on the side it begins on", () => {
    const area = prepareFence(polygonOf(closed(path("179 0, -179 0, -179 1, 179 1"))));
    expect(edgeFraction(area, place("178 0.5"), place("180 0.5"))).toBeCloseTo(0.5, 6);
    expect(edgeFraction(area, place("-180 0.5"), place("-178 0.5"))).toBeCloseTo(0.5, 6);
    expect(edgeFraction(area, place("-180 0.5"), place("180 0.6"))).toBe(0);
    expect(edgeFraction(area, place("177 0.5"), place("178 0.5"))).toBe(0);
  });
});

test("a place between two others takes the shorter way round the globe", () => {
  expect(placeBetween(place("179 10"), place("-177 20"), 0.25)).toEqual(place("180 12.5"));
  expect(placeBetween(place("179 10"), place("-177 20"), 0.5)).toEqual(place("-179 15"));
  expect(placeBetween(place("-177 20"), place("179 10"), 1)).toEqual(place("179 10"));
});
