import { expect, test } from "bun:test";
import type { CrossingState } from "../../src/domain/crossings/crossings.ts";
import { crossingsFromEarlierRules } from "../../src/domain/earlier/times-of-receipt.ts";
import { circleAtHome, drive, eventsIn, noon, placeAt, seen } from "./crossings-drive.test.ts";

const stop = placeAt(990);

/** As 1.0.0 stored them, key for key. */
const stored = (record: object): CrossingState => JSON.parse(JSON.stringify({ records: [record], stop }));
const inside = { fenceId: "fence", isInside: true, enteredAt: noon, told: "enter", strayed: null, candidate: null };
const outside = { ...inside, isInside: false, enteredAt: null };

test("a state of earlier rules takes the present form, key for key", () => {
  const present = drive(circleAtHome, [seen(-10, 1010), seen(10, 990), seen(20, 990, { stop })]).state;
  const earlier = crossingsFromEarlierRules(stored(inside));
  // When the frames of the entry were received, the earlier rules did not remember.
  const unknown = present.records.map((record) => ({ ...record, entryKnownAt: null }));
  expect(JSON.stringify(earlier)).toBe(JSON.stringify({ records: unknown, stop }));
  expect(JSON.stringify(crossingsFromEarlierRules(earlier))).toBe(JSON.stringify(earlier));
  expect(crossingsFromEarlierRules({ records: [], stop: null })).toEqual({ records: [], stop: null });
});

test("what the earlier rules had reported is remembered, so enter and exit still alternate", () => {
  const goOn = (record: object, ...norths: number[]) =>
    eventsIn(
      drive(
        circleAtHome,
        norths.map((north, index) => seen(10 * (index + 1), north)),
        {
          state: crossingsFromEarlierRules(stored(record)),
          previous: drive(circleAtHome, [seen(0, norths[0] ?? 0)]).previous,
          facts: [],
        },
      ),
    );
  expect(goOn(inside, 950, 1050, 1100)).toEqual(["exit 15"]);
  // An enter was reported whose exit was not: the next enter is left out.
  expect(goOn(outside, 1050, 950, 900, 1050, 1100)).toEqual(["exit 36.667"]);
  expect(goOn({ ...inside, told: "exit" }, 950, 1050, 1100)).toEqual([]);
});

test("a candidate of earlier rules can still be confirmed", () => {
  const [latitude, longitude] = [placeAt(1000).latitude, placeAt(1000).longitude];
  const edge = { afterAt: noon, at: noon + 5000, latitude, longitude };
  const candidate = {
    frameAt: noon + 10_000,
    at: noon + 5000,
    latitude,
    longitude,
    speedKmh: null,
    timeUncertaintyMs: 0,
  };
  const state = crossingsFromEarlierRules(stored({ ...outside, told: null, strayed: edge, candidate }));
  const { previous } = drive(circleAtHome, [seen(10, 950)]);
  expect(eventsIn(drive(circleAtHome, [seen(20, 900)], { state, previous, facts: [] }))).toEqual(["enter 5"]);
  expect(eventsIn(drive(circleAtHome, [seen(20, 1010)], { state, previous, facts: [] }))).toEqual([]);
});
