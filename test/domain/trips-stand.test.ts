import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import {
  type Away,
  awayWith,
  isAwayForGood,
  isCreeping,
  isMoving,
  isReportedMoving,
  metresFrom,
  type Stand,
  standAt,
  standPlace,
  standWith,
} from "../../src/domain/trips/stand.ts";
import { fixAt, legBetween, legOf, placeAt } from "./support/trips-legs.ts";

/** A stand whose frames come at these places, one a minute. */
function standOf(metres: readonly number[]): Stand {
  const [first = 0, ...others] = metres;
  let stand = standAt(fixAt(0, first));
  for (const [index, place] of others.entries()) stand = standWith(stand, legTo(fixAt((index + 1) * 60, place)));
  return stand;
}

const metresNorth = (stand: Stand) => metresFrom(stand, placeAt(0));

/** A leg that ends with this frame, ten seconds or more after one elsewhere. */
const legTo = (fix: ReturnType<typeof fixAt>) => legBetween(fixAt(-10, -5), fix);

describe("where a vehicle stands", () => {
  test.each([
    ["of one place", [7], 7],
    ["of two", [0, 10], 5],
    ["of three, of which one is far off", [0, 10, 3000], 10],
    ["of four, of which one is far off", [0, 10, 20, 3000], 15],
    ["of the last nine", [3000, 3000, 3000, 3000, 3000, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5],
  ])("is the middle %s", (_, metres, middle) => expect(metresNorth(standOf(metres))).toBeCloseTo(middle, 6));

  test("is found in both directions on its own", () => {
    let stand = standAt({ at: 0, ...placeAt(10, 0) });
    for (const [index, place] of [placeAt(0, 30), placeAt(20, 10)].entries()) {
      stand = standWith(stand, legTo({ ...fixAt((index + 1) * 60, 0), ...place }));
    }
    expect(metresFrom(stand, placeAt(10, 10))).toBeCloseTo(0, 6);
  });

  test("has the first place of each minute of the clock", () => {
    const stand = standAt(fixAt(10, 0));
    expect(standWith(stand, legTo(fixAt(59.999, 40)))).toBe(stand);
    expect(metresNorth(standWith(stand, legTo(fixAt(60, 40))))).toBeCloseTo(20, 6);
    expect(standWith(standWith(stand, legTo(fixAt(60, 40))), legTo(fixAt(119, 900))).places).toHaveLength(2);
  });

  test("is the same after a frame that repeats the last place at once, in the next minute too", () => {
    const stand = standAt(fixAt(55, 0));
    expect(standWith(stand, legBetween(fixAt(59, 30), fixAt(60, 30)))).toBe(stand);
    expect(standWith(stand, legBetween(fixAt(50, 30), fixAt(60, 30))).places).toHaveLength(2);
  });

  test("has nine places at most, however long it stands", () => {
    expect(standOf(Array.from({ length: 500 }, (_, index) => index)).places).toHaveLength(9);
  });

  test("is the same on both sides of the antimeridian", () => {
    const across = (longitudes: readonly number[]) => {
      let stand = standAt({ at: 0, latitude: 0, longitude: longitudes[0] ?? 0 });
      for (const [index, longitude] of longitudes.slice(1).entries()) {
        stand = standWith(stand, legTo({ ...fixAt((index + 1) * 60, 0), longitude }));
      }
      return standPlace(stand);
    };
    expect(metresBetween(across([179.9999, -179.9999]), { latitude: 0, longitude: 180 })).toBeCloseTo(0, 3);
    expect(across([179.9999, -179.9997, -179.9998]).longitude).toBeCloseTo(-179.9998, 9);
    expect(across([-179.9999, 179.9997, 179.9998]).longitude).toBeCloseTo(179.9998, 9);
  });
});

describe("positions away from it", () => {
  const away = (...seconds: readonly number[]) =>
    seconds.reduce<Away | null>((before, second) => awayWith(before, second * 1000), null) ?? awayWith(null, 0);

  test.each([
    ["one frame", [0], false],
    ["two frames over 19.999 s", [0, 19.999], false],
    ["two frames over 20 s", [0, 20], true],
    ["two frames over an hour", [0, 3600], true],
    ["three frames over 14.999 s", [0, 1, 14.999], false],
    ["three frames over 15 s", [0, 1, 15], true],
    ["fourteen frames over 13 s", Array.from({ length: 14 }, (_, index) => index), false],
    ["sixteen frames over 15 s", Array.from({ length: 16 }, (_, index) => index), true],
  ])("show that it has left: %s", (_, seconds, isAway) => {
    expect(isAwayForGood(away(...seconds), (seconds.at(-1) ?? 0) * 1000)).toBe(isAway);
  });

  test("are counted up to four", () => expect(away(0, 1, 2, 3, 4)).toEqual({ since: 0, frames: 4 }));

  test.each([
    ["at the beginning", 5, 0, true, true],
    ["at the end", 0, 5, true, true],
    ["hardly", 4.999, 4.999, false, false],
    ["not, without a speed", null, null, false, false],
  ])("move %s", (_, fromKmh, toKmh, moves, isReported) => {
    const leg = legOf(10, 100, fromKmh, toKmh);
    expect([isMoving(leg), isReportedMoving(leg)]).toEqual([moves, isReported]);
  });

  test("move without a reported speed on a trip, but not between two", () => {
    const leg = legBetween(fixAt(0, 0), fixAt(10, 100, { motion: "moving" }));
    expect([isMoving(leg), isReportedMoving(leg)]).toEqual([true, false]);
  });
});

describe("a vehicle creeps", () => {
  test.each([
    ["15.1 m on from two minutes ago", [0, 0, 0], 15.1, true],
    ["14.9 m on", [0, 0, 0], 14.9, false],
    ["not if that was three minutes ago", [0, 30, 30, 30], 30, false],
    ["from where it came to stand, not from where it first was", [0, 40], 40, false],
    ["not if it is seen for the first time", [0], 40, false],
  ])("%s", (_, metres, at, creeps) => expect(isCreeping(standOf(metres), placeAt(at))).toBe(creeps));
});
