import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AccountFences, type FenceVersion } from "../../src/derive/fence-index.ts";
import { initialCrossings, stepCrossings } from "../../src/domain/crossings/crossings.ts";
import type { DeviceFences, FenceInForce } from "../../src/domain/device-context.ts";
import type { CrossingFact } from "../../src/domain/facts.ts";
import { mayMeet, prepareFence, signedDistanceMetres } from "../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import { forAll } from "../support/for-all.ts";

const circle = (longitude: number, latitude: number, radiusM: number): FenceShape => ({
  shape: "circle",
  geometry: { type: "Point", coordinates: [longitude, latitude] },
  radiusM,
  widthM: null,
});

function version(fenceId: string, validFrom: number, shape: FenceShape, ...devices: number[]): FenceVersion {
  return { fenceId, name: `Fence ${fenceId}`, validFrom, shape, devices: new Set(devices) };
}

const here = circle(10, 50, 1000);
const there = circle(20, 50, 1000);
const middle = { latitude: 50, longitude: 10 };
const always = Number.NEGATIVE_INFINITY;

describe("the version in force", () => {
  const fences = new AccountFences([
    version("a", 300, there, 1),
    version("a", 100, here, 1),
    version("a", 200, here, 1, 2),
    version("a", 400, there, 2),
    version("a", 500, there, 1, 2),
  ]);

  test.each([
    [1, 0, { versionFrom: always, assignedFrom: always, firstAssignedFrom: always }],
    [1, 299, { versionFrom: always, assignedFrom: always, firstAssignedFrom: always }],
    [1, 300, { versionFrom: 300, assignedFrom: always, firstAssignedFrom: always }],
    [1, 400, null],
    [1, 500, { versionFrom: 300, assignedFrom: 500, firstAssignedFrom: always }],
    [2, 199, null],
    [2, 200, { versionFrom: always, assignedFrom: 200, firstAssignedFrom: 200 }],
    [2, 300, null],
    [2, 450, { versionFrom: 300, assignedFrom: 400, firstAssignedFrom: 200 }],
    [2, 1e15, { versionFrom: 300, assignedFrom: 400, firstAssignedFrom: 200 }],
    [3, 200, null],
  ])("of device %p at %p", (device, at, expected) => {
    const found = fences.of(device).find("a", at);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ id: "a", name: "Fence a", ...expected });
  });

  test("is near where it is then, and not where it was", () => {
    const near = (at: number) => fences.of(1).near(at, middle, middle, 1).length;
    expect([near(0), near(299), near(300), near(500)]).toEqual([1, 1, 0, 0]);
  });

  test("is always the same object, so that asking costs no memory", () => {
    const device = fences.of(1);
    expect(device.find("a", 50)).toBe(device.find("a", 99));
    expect(device.near(50, middle, middle, 1)[0]).toBe(device.find("a", 50) as FenceInForce);
  });
});

test("an account without fences, and a device without any, have none", () => {
  const none = new AccountFences([]).of(1);
  expect(none.near(0, middle, middle, 1)).toEqual([]);
  expect(none.find("a", 0)).toBeNull();
  const account = new AccountFences([version("a", 0, here, 1)]);
  expect(account.of(2)).toBe(account.of(3));
  expect(account.of(2).near(0, middle, middle, 1)).toEqual([]);
});

describe("near", () => {
  test("finds a fence from both sides of the antimeridian, once", () => {
    const fences = new AccountFences([version("a", 0, circle(180, 10, 5000), 1), version("b", 0, here, 1)]).of(1);
    const at = (longitude: number) => ({ latitude: 10, longitude });
    const ids = (from: number, to: number) => fences.near(0, at(from), at(to), 1).map(({ id }) => id);
    for (const longitude of [180, -180, 179.96, -179.96]) expect(ids(longitude, longitude)).toEqual(["a"]);
    expect(ids(179.9, -179.9)).toEqual(["a"]);
    expect(ids(-179.9, 179.9)).toEqual(["a"]);
    expect(ids(179.9, 179.9)).toEqual([]);
    expect(ids(-179.9, -179)).toEqual([]);
  });

  test("takes a margin, and every longitude at a pole", () => {
    const fences = new AccountFences([version("a", 0, here, 1), version("pole", 0, circle(0, 89.9999, 500), 1)]).of(1);
    const ids = (latitude: number, longitude: number, margin: number) =>
      fences.near(0, { latitude, longitude }, { latitude, longitude }, margin).map(({ id }) => id);
    expect(ids(50.0091, 10, 1)).toEqual([]);
    expect(ids(50.0091, 10, 1000)).toEqual(["a"]);
    expect(ids(50, 10.0141, 1)).toEqual([]);
    expect(ids(50, 10.0141, 100)).toEqual(["a"]);
    expect(ids(89.9999, 170, 1)).toEqual(["pole"]);
    expect(ids(90, -90, 1)).toEqual(["pole"]);
  });

  const longitude = fc.oneof(fc.double({ min: 179.7, max: 180.3, noNaN: true }), fc.constantFrom(180));
  const latitude = fc.double({ min: 50, max: 50.3, noNaN: true });
  const wrapped = (east: number) => (east > 180 ? east - 360 : east);
  const shape = fc.oneof(
    fc
      .tuple(longitude, latitude, fc.integer({ min: 20, max: 9000 }))
      .map(([x, y, radius]) => circle(wrapped(x), y, radius)),
    fc
      .tuple(fc.array(fc.tuple(longitude, latitude), { minLength: 2, maxLength: 5 }), fc.integer({ min: 2, max: 5000 }))
      .map(
        ([line, widthM]): FenceShape => ({
          shape: "corridor",
          geometry: { type: "LineString", coordinates: line.map(([x, y]) => [wrapped(x), y] as const) },
          radiusM: null,
          widthM,
        }),
      ),
  );
  const versions = fc.array(
    fc.record({
      fenceId: fc.constantFrom("a", "b", "c", "d", "e"),
      validFrom: fc.integer({ min: 0, max: 5 }),
      shape,
      isAssigned: fc.boolean(),
    }),
    { maxLength: 25 },
  );
  const place = fc.record({ latitude, longitude: longitude.map(wrapped) });

  /** The fence of each id that holds at the moment, found by looking at all. */
  function plainly(all: readonly FenceVersion[], at: number): FenceVersion[] {
    return [...Map.groupBy(all, ({ fenceId }) => fenceId).values()].flatMap((some) => {
      const inOrder = some.toSorted((one, other) => one.validFrom - other.validFrom);
      const inForce = inOrder.findLast(({ validFrom }) => validFrom <= at) ?? inOrder[0];
      return inForce?.devices.has(1) ? [inForce] : [];
    });
  }

  test("gives the same as a plain scan of everything", () => {
    forAll(300, [versions, place, place, fc.integer({ min: -1, max: 6 })], (some, from, to, at) => {
      const unique = [...new Map(some.map((one) => [`${one.fenceId} ${one.validFrom}`, one])).values()];
      const all = unique.map(({ isAssigned, ...one }) =>
        version(one.fenceId, one.validFrom, one.shape, isAssigned ? 1 : 2),
      );
      const fences = new AccountFences(all).of(1);
      const near = fences.near(at, from, to, 1);
      const ids = near.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const inForce of plainly(all, at)) {
        const area = prepareFence(inForce.shape);
        expect(fences.find(inForce.fenceId, at)?.area).toEqual(area);
        if (mayMeet(area.extent, from, to)) expect(ids).toContain(inForce.fenceId);
        if (signedDistanceMetres(area, to) <= 0) expect(ids).toContain(inForce.fenceId);
      }
      for (const { id, area } of near) expect(fences.find(id, at)?.area).toBe(area);
    });
  });
});

test("a vehicle crosses the same fences by the index as by looking at each", () => {
  const all = Array.from({ length: 200 }, (_, nth) => {
    const [row, column] = [Math.floor(nth / 20), nth % 20];
    return version(`fence ${nth}`, 0, circle(10 + column / 100, 50 + row / 100, 150 + 30 * (nth % 9)), 1);
  });
  const indexed = new AccountFences(all).of(1);
  const plain: DeviceFences = {
    find: indexed.find,
    near: (at) => all.flatMap(({ fenceId }) => indexed.find(fenceId, at) ?? []),
    unchangedSince: indexed.unchangedSince,
  };
  const drive = (fences: DeviceFences) => {
    const facts: CrossingFact[] = [];
    let state = initialCrossings;
    let previous: ReturnType<typeof fixAt> | null = null;
    for (let nth = 0; nth < 500; nth++) {
      const fix = fixAt(nth);
      const ms = fix.at - (previous?.at ?? 0);
      const unspoken = { areSpeedsTrusted: false, straightPair: null, excessMm: 0, frozenMm: null, byPlaces: null };
      const leg = previous && { from: previous, to: fix, metres: 0, ms, impliedKmh: 0, ...unspoken };
      const verdict = { valid: true, rejectReason: null, discontinuity: false };
      const step = stepCrossings(
        state,
        { frame: null as never, verdict, fix, previous, leg, isRepeated: false, speedCheck: null, frozen: null },
        null,
        fences,
      );
      state = step.state;
      facts.push(...step.facts);
      previous = fix;
    }
    return { state, facts };
  };
  const result = drive(indexed);
  expect(result).toEqual(drive(plain));
  expect(result.facts.length).toBeGreaterThan(50);
});

function fixAt(nth: number) {
  const turn = nth / 40;
  const [at, latitude, longitude] = [nth * 10_000, 50.05 + 0.05 * Math.sin(1.7 * turn), 10.1 + 0.1 * Math.sin(turn)];
  const unknown = { speedKmh: null, accuracyM: null, ignition: null, odometerKm: null };
  return { at, receivedAt: at, latitude, longitude, ...unknown, motion: "moving" as const };
}
