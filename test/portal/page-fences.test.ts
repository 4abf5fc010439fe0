import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Position } from "../../src/domain/geometry/geojson.ts";
import type { FenceDetails } from "../../src/portal/both-sides/contract/fences.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { localMomentIn, localText } from "../../src/portal/page/common/periods/local-moments.ts";
import { draftFeatures, handlesOf, moved } from "../../src/portal/page/fences/draft-features.ts";
import {
  type Drawing,
  drawingOf,
  drawingProblem,
  emptyDrawing,
  midpoints,
  shapeFields,
  shapeOf,
} from "../../src/portal/page/fences/drawing.ts";
import { addPoint, finish, insertPoint, movePoint, removePoint } from "../../src/portal/page/fences/drawing-edits.ts";
import { changedFenceFields, fenceFormOf } from "../../src/portal/page/fences/fence-fields.ts";
import { begin, redo, step, undo } from "../../src/portal/page/fences/history.ts";
import {
  areaSquareMetres,
  eastOf,
  metresApart,
  metresUnit,
  showArea,
  showMetres,
} from "../../src/portal/page/fences/measure.ts";

function drawn(shape: Drawing["shape"], ...points: Position[]): Drawing {
  return finish(points.reduce((now, point) => addPoint(now, point), emptyDrawing(shape, 100)));
}

const square: readonly Position[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

describe("a drawing", () => {
  test("becomes the fields of a fleet file's line, and is read back from them", () => {
    const drawings = [drawn("circle", [13.4, 52.5]), drawn("polygon", ...square), drawn("corridor", [0, 0], [1, 1])];
    for (const drawing of drawings) {
      const fields = shapeFields(drawing);
      expect(readFenceShape(fields).problems).toBeNull();
      expect(shapeFields(drawingOf(fields))).toEqual(fields);
    }
  });

  test("of any polygon that the fleet file takes is taken, and of any other its problem is named", () => {
    const degrees = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(degrees, degrees), { minLength: 3, maxLength: 7 }), (points) => {
        const drawing = drawn("polygon", ...points);
        const { problems } = readFenceShape(shapeFields(drawing));
        expect(drawingProblem(drawing)).toEqual(problems?.[0] ?? null);
        if (problems !== null) expect(drawingProblem(drawing)?.kind).toBeDefined();
        expect(shapeOf(drawing) === null).toBe(problems !== null);
      }),
    );
  });

  test("that is not finished is blamed for edges that cross, but not for the end that is missing", () => {
    const open = (...points: Position[]) =>
      points.reduce((now, point) => addPoint(now, point), emptyDrawing("polygon", 0));
    expect(drawingProblem(open([0, 0], [1, 0]))).toBeNull();
    // A spiral: only the way back to the beginning would cross.
    expect(drawingProblem(open([0, 0], [2, 0], [2, 2], [-2, 2], [-2, -2], [3, -2], [3, 1]))).toBeNull();
    expect(drawingProblem(open([0, 0], [2, 0], [2, 2], [1, -1]))?.kind).toBe("crossing edges");
    expect(drawingProblem(open([0, 0], [1, 1], [1, 0], [0, 1]))?.kind).toBe("crossing edges");
    expect(drawingProblem(open([0, 0], [2, 0], [2, 1], [1, -0.5], [3, -0.5]))?.kind).toBe("crossing edges");
    expect(drawingProblem(open([0, 0], [1, 0], [2, 0]))).toBeNull();
    expect(drawingProblem(finish(open([0, 0], [1, 0], [2, 0])))?.kind).toBe("flat");
  });

  test("names every other problem in words of its own", () => {
    expect(drawingProblem({ ...drawn("circle", [0, 0]), metres: 5 })?.kind).toBe("metres");
    expect(drawingProblem(drawn("polygon", [0, 0], [120, 0], [-120, 10]))?.kind).toBe("too wide");
    const many = Array.from({ length: 1001 }, (_, index): Position => [index / 1000, (index / 1000) ** 2]);
    expect(drawingProblem(drawn("polygon", ...many))?.kind).toBe("too many points");
    expect(drawingProblem(drawn("corridor", ...many))?.kind).toBe("too many points");
    const outside = { ...drawn("polygon", ...square), rings: [square, square.map(([x, y]): Position => [x + 5, y])] };
    expect(drawingProblem(outside)?.kind).toBe("hole out of place");
  });

  test("keeps as many points as its shape needs, and loses a hole that has too few", () => {
    const triangle = drawn("polygon", [0, 0], [1, 0], [0, 1]);
    expect(removePoint(triangle, { ring: 0, index: 1 })).toBe(triangle);
    expect(removePoint(drawn("polygon", ...square), { ring: 0, index: 3 }).rings[0]).toEqual(square.slice(0, 3));
    const hole: Position[] = [
      [0.2, 0.2],
      [0.4, 0.2],
      [0.3, 0.4],
    ];
    const withHole = { ...drawn("polygon", ...square), rings: [square, hole] };
    expect(removePoint(withHole, { ring: 1, index: 0 }).rings).toEqual([square]);
    expect(finish(addPoint(emptyDrawing("polygon", 0), [0, 0])).isDone).toBe(false);
  });

  test("gets a point between two others, also between the last and the first", () => {
    const polygon = drawn("polygon", ...square);
    const middles = midpoints(polygon);
    expect(middles.map(({ position }) => position)).toEqual([
      [0.5, 0],
      [1, 0.5],
      [0.5, 1],
      [0, 0.5],
    ]);
    const last = middles[3];
    if (!last) throw new Error("there are four edges");
    expect(insertPoint(polygon, last.after, last.position).rings[0]).toEqual([...square, [0, 0.5]]);
    expect(midpoints(drawn("corridor", [0, 0], [2, 0])).map(({ position }) => position)).toEqual([[1, 0]]);
  });

  test("across the antimeridian is one piece: points are stored within ±180 and drawn beside each other", () => {
    const drawing = drawn("polygon", [179, 0], [181, 0], [181, 1], [179, 1]);
    expect(drawing.rings[0]?.map(([longitude]) => longitude)).toEqual([179, -179, -179, 179]);
    expect(drawingProblem(drawing)).toBeNull();
    const [area] = draftFeatures(drawing, null, null);
    const corners = area?.geometry.type === "Polygon" ? (area.geometry.coordinates[0] ?? []) : [];
    expect(Math.max(...corners.map(([x = 0]) => x)) - Math.min(...corners.map(([x = 0]) => x))).toBe(2);
    expect(midpoints(drawing)[0]?.position).toEqual([180, 0]);
    expect(movePoint(drawing, { ring: 0, index: 0 }, [-181.5, 0]).rings[0]?.[0]).toEqual([178.5, 0]);
  });

  test("marks the edges that cross", () => {
    const bowTie = drawn("polygon", [0, 0], [1, 1], [1, 0], [0, 1]);
    const features = draftFeatures(bowTie, null, drawingProblem(bowTie));
    expect(features.filter(({ properties }) => properties?.part === "wrong")).toHaveLength(2);
  });

  test("of a circle has a handle on its edge, which sets the radius within its bounds", () => {
    const circle = drawn("circle", [13.4, 52.5]);
    const [, edge] = handlesOf(circle);
    expect(edge?.kind).toBe("radius");
    expect(metresApart([13.4, 52.5], edge?.position ?? [0, 0])).toBeCloseTo(100, 0);
    const to = (metres: number) => moved(circle, { kind: "radius", position: [0, 0] }, eastOf([13.4, 52.5], metres));
    expect([to(250).metres, to(1).metres, to(900_000).metres]).toEqual([250, 20, 100_000]);
  });
});

test("what was done is undone step by step, and done again until something else is done", () => {
  let history = begin(0);
  for (const next of [1, 2, 3]) history = step(history, next);
  history = undo(undo(history));
  expect([history.now, redo(history).now, redo(redo(redo(history))).now]).toEqual([1, 2, 3]);
  history = step(history, 9);
  expect([history.now, redo(history).now, undo(history).now]).toEqual([9, 9, 1]);
  expect(step(history, 9)).toEqual(history);
  expect(undo(begin(5)).now).toBe(5);
});

describe("sizes", () => {
  const show = (distance: "km" | "mi") => new Show("en", en, { ...usualUnits, distance }, "UTC");
  test("are in the person's units", () => {
    expect([showMetres(150, show("km")), showMetres(150, show("mi"))]).toEqual(["150 m", "492 ft"]);
    expect([showMetres(25_000, show("km")), metresUnit(show("mi")).name]).toEqual(["25.0 km", "ft"]);
    expect([showArea(900, show("km")), showArea(52_000, show("km")), showArea(3.2e6, show("km"))]).toEqual([
      "900 m²",
      "5.2 ha",
      "3.2 km²",
    ]);
    expect(showArea(40_468.56, show("mi"))).toBe("10.0 acres");
  });

  test("of an area are those on the ground, without its holes", () => {
    const ring = (half: number): Position[] => [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
      [-half, -half],
    ];
    // A degree is 111.195 km at the equator.
    const squareKm = areaSquareMetres([ring(0.05)]) / 1e6;
    expect(squareKm).toBeCloseTo(11.1195 ** 2, 1);
    expect(areaSquareMetres([ring(0.05), ring(0.025)]) / 1e6).toBeCloseTo(squareKm * 0.75, 1);
  });
});

describe("what is sent", () => {
  const fence: FenceDetails = {
    geofence_id: "1",
    name: "Depot",
    description: null,
    color: "red",
    shape: "circle",
    geometry: { type: "Point", coordinates: [1, 2] },
    radius_m: 100,
    width_m: null,
    device_count: 1,
    device_ids: ["a"],
    revision: 3,
    managed_by: "file",
    is_made_here: false,
    updated_at: "",
    removed_at: null,
    versions: [],
    rules: [],
  };
  const drawing = drawingOf(fence);

  test("is only what differs, and a moment only where it means something", () => {
    const form = fenceFormOf(fence);
    expect(changedFenceFields(form, drawing, fence)).toBeNull();
    const always = { kind: "always" } as const;
    expect(changedFenceFields({ ...form, name: " Yard ", from: always }, drawing, fence)).toEqual({ name: "Yard" });
    expect(changedFenceFields({ ...form, color: null }, drawing, fence)).toEqual({ color: null });
    expect(changedFenceFields({ ...form, deviceIds: new Set(["b", "a"]) }, drawing, fence)).toEqual({
      device_ids: ["a", "b"],
    });
    const at = Date.UTC(2026, 4, 1);
    expect(
      changedFenceFields({ ...form, from: { kind: "moment", at } }, { ...drawing, metres: 150 }, fence),
    ).toMatchObject({
      shape: "circle",
      radius_m: 150,
      valid_from: "2026-05-01T00:00:00.000Z",
    });
  });

  test("is also an earlier start alone, unless it counts since then already", () => {
    const form = fenceFormOf(fence);
    const since = (valid_from: string | null) => ({ ...fence, versions: [{ ...fence, valid_from, device_count: 1 }] });
    const may = since("2026-05-01T00:00:00.000Z");
    const from = (at: number) => ({ ...form, from: { kind: "moment", at } as const });
    const always = { ...form, from: { kind: "always" } as const };
    const april = Date.UTC(2026, 3, 1);
    expect(changedFenceFields(from(april), drawing, may)).toEqual({ valid_from: "2026-04-01T00:00:00.000Z" });
    expect(changedFenceFields(always, drawing, may)).toEqual({ valid_from: "1970-01-01T00:00:00.000Z" });
    expect(changedFenceFields(from(Date.UTC(2026, 4, 1)), drawing, may)).toBeNull();
    expect(changedFenceFields(always, drawing, since(null))).toBeNull();
    expect(changedFenceFields(from(april), drawing, since(null))).toBeNull();
  });

  test("of a new fence is all of it, from now on unless the person says otherwise", () => {
    const form = { ...fenceFormOf(null), name: "New" };
    const fields = changedFenceFields(form, drawing, null);
    expect(fields).toMatchObject({ name: "New", shape: "circle", radius_m: 100, device_ids: [] });
    expect(fields).not.toHaveProperty("valid_from");
    expect(changedFenceFields({ ...form, from: { kind: "always" } }, drawing, null)).toMatchObject({
      valid_from: "always",
    });
  });
});

test("a moment is entered by the clock of the account", () => {
  expect(localMomentIn("2026-05-01T08:30", "Europe/Berlin")).toBe(Date.UTC(2026, 4, 1, 6, 30));
  expect(localMomentIn("2026-01-01T08:30", "Asia/Kolkata")).toBe(Date.UTC(2026, 0, 1, 3));
  expect(localMomentIn("", "UTC")).toBeNull();
  for (const zone of ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]) {
    for (let at = Date.UTC(2026, 2, 28); at < Date.UTC(2026, 2, 31); at += 3_600_000) {
      const text = localText(at, zone);
      expect(localText(localMomentIn(text, zone) ?? 0, zone)).toBe(text);
    }
  }
});
