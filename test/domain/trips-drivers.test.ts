import { describe, expect, test } from "bun:test";
import { cardAfter, crewFrom, crewWith, tripDrivers } from "../../src/domain/trips/drivers.ts";

const anna = { driverId: "anna", at: 1000 };
const minutes = 60_000;

describe("the drivers of a trip", () => {
  test("are those whose cards were sent on the way, each until the next", () => {
    const crew = ["anna", undefined, "anna", "ben", "ben"].reduce(
      (before, driverId, index) => crewWith(before, driverId, 1000 * index),
      {},
    );
    expect(tripDrivers(crew, 0, 9000)).toEqual([
      { driverId: "anna", from: 0, until: 3000 },
      { driverId: "ben", from: 3000, until: 9000 },
    ]);
  });

  test("begin with the one whose card was shown before the start, if that was at most 30 minutes before", () => {
    const drove = (startAt: number) => tripDrivers(crewFrom(anna, startAt, {}), startAt, startAt + 1);
    expect(drove(1000 + 30 * minutes)).toHaveLength(1);
    expect(drove(1001 + 30 * minutes)).toEqual([]);
    const handed = crewFrom(anna, 5000, crewWith({}, "ben", 6000));
    expect(tripDrivers(handed, 5000, 9000).map(({ driverId }) => driverId)).toEqual(["anna", "ben"]);
  });

  test("count once, whose card is shown before the start and after it", () => {
    const crew = crewFrom(anna, 5000, crewWith({}, "anna", 6000));
    expect(tripDrivers(crew, 5000, 9000)).toEqual([{ driverId: "anna", from: 5000, until: 9000 }]);
  });

  test("of the trip before are not those of the next, unless a card was sent after its end", () => {
    const crew = crewWith({}, "anna", 1000);
    expect(cardAfter(crew, 1000)).toBe(null);
    expect(cardAfter(crew, 999)).toEqual(anna);
    expect(cardAfter({}, 0)).toBe(null);
  });
});
