import { describe, expect, test } from "bun:test";
import { noTrail } from "../../src/domain/motion.ts";
import { type Fix, sight } from "../../src/domain/sighting.ts";
import { type Relocation, relocationBy } from "../../src/domain/trips/relocation.ts";
import { initialTrips, stepTrips } from "../../src/domain/trips/trips.ts";
import { evening, judged, type Moment } from "./support/trips-drive.ts";

/** What each frame shows, as `second since, once | again | there`. */
function relocations(moments: readonly Moment[]): readonly (string | null)[] {
  let trips = initialTrips;
  let previous: Fix | null = null;
  return moments.map((moment) => {
    const sighting = sight(judged(moment), previous, noTrail);
    const after = stepTrips(trips, sighting).state;
    const found = relocationBy(trips, after, sighting);
    trips = after;
    previous = sighting.fix ?? previous;
    return found && inWords(found);
  });
}

function inWords({ since, isConfirmed, isOver }: Relocation): string {
  return `${Math.round((since - evening) / 1000)} ${isOver ? "there" : isConfirmed ? "again" : "once"}`;
}

const off = (second: number, metres: number | null, change: Partial<Moment> = {}): Moment => {
  return { second, metres, kmh: metres === null ? null : 0, on: false, ...change };
};
const nights = [0, 3600, 7200].map((second) => off(second, 0));

describe("a vehicle that stood with its ignition off turns up elsewhere", () => {
  test.each([
    ["an hour apart", 3600],
    ["5 min apart", 300],
    ["6 h apart", 21_600],
  ])("by two frames %s, the second of which shows it standing", (_, step) => {
    const at = 7200 + step;
    const since = step === 300 ? at - 300 : at;
    const found = relocations([...nights, off(at, 15_000), off(at + step, 15_000), off(at + 2 * step, 15_000)]);
    expect(found.slice(3)).toEqual([`${since} once`, `${since} there`, null]);
  });

  test.each([
    ["200 m", 200.1, {}, true],
    ["no less", 199.9, {}, false],
    ["twice its accuracy", 301, { accuracyM: 150 }, true],
    ["no less", 299, { accuracyM: 150 }, false],
  ] as const)("%s away from there", (_, metres, change, expected) => {
    expect(relocations([...nights, off(10_800, metres, change)])[3] !== null).toBe(expected);
  });

  test("or twice the accuracy that it had there", () => {
    const still = [0, 3600, 7200].map((second) => off(second, 0, { accuracyM: 150 }));
    expect(relocations([...still, off(10_800, 299)])[3]).toBeNull();
    expect(relocations([...still, off(10_800, 301)])[3]).not.toBeNull();
  });

  test("300 m if it sends more often than every three minutes", () => {
    const often = [0, 60, 120].map((second) => off(second, 0));
    expect(relocations([...often, off(299, 250)])[3]).toBeNull();
    expect(relocations([...often, off(300, 250)])[3]).not.toBeNull();
  });

  test("seen at another place five hours later, it goes on", () => {
    const found = relocations([
      ...nights,
      off(25_200, 15_000),
      off(43_200, 30_000),
      off(61_200, 30_000),
      off(79_200, 30_000),
    ]);
    expect(found.slice(3)).toEqual(["25200 once", "25200 again", "43200 there", null]);
  });

  test("or is back where it was: then it was not away", () => {
    expect(relocations([...nights, off(10_800, 15_000), off(14_400, 0)]).slice(3)).toEqual(["10800 once", null]);
  });

  test("after the one frame that showed the ignition off at the end of a drive", () => {
    const drive = Array.from(
      { length: 60 },
      (_, index): Moment => ({ second: index * 10, metres: index * 100, kmh: 36, on: true }),
    );
    const found = relocations([...drive, off(610, 6000), off(7200, 21_000), off(14_400, 21_000)]);
    expect(found.slice(-3)).toEqual([null, "7200 once", "7200 there"]);
  });

  test("over a discontinuity", () => {
    expect(relocations([...nights, off(7300, 40_000, { isElsewhere: true }), off(7400, 40_000)]).slice(3)).toEqual([
      "7300 there",
      null,
    ]);
    expect(relocations([...nights, off(7300, 150, { isElsewhere: true })])[3]).toBeNull();
  });
});
