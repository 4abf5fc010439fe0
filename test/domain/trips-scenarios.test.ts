import { describe, expect, test } from "bun:test";
import { isTowed, tripUnderWay } from "../../src/domain/trips/trips.ts";
import { drive, going, type Moment, type Outcome, secondOf } from "./support/trips-drive.ts";

const standing = (from: number, to: number, step: number, metres: number, on: boolean | null) =>
  going(from, to, step, metres, 0, on);

/** Start, end, why, and whole metres of the trips, the one in progress last. */
function reported({ trips, open }: Outcome) {
  return [...trips, ...(open === null ? [] : [open])].map((trip) => [
    secondOf(trip.startedAt),
    secondOf(trip.endedAt),
    trip.endReason,
    Math.round(trip.distanceMm / 1000),
  ]);
}

describe("a day on the road", () => {
  test("delivery stops of ten minutes are one trip each where the driver switches off, and none where he does not", () => {
    const round = (isOff: boolean): Moment[] =>
      [0, 1, 2].flatMap((stop) => {
        const begin = stop * 1000;
        const at = stop * 4000;
        const parked = standing(begin + 401, begin + 990, 30, at + 4000, !isOff);
        return [...going(begin, begin + 400, 10, at, 36), ...parked];
      });
    expect(reported(drive([...round(true), { second: 9000, metres: 12_000, kmh: 0, on: false }]))).toEqual([
      [0, 401, "ignition_off", 4000],
      [1000, 1401, "ignition_off", 4000],
      [2000, 2401, "ignition_off", 4000],
    ]);
    expect(reported(drive(round(false)))).toEqual([[0, null, null, 12_000]]);
  });

  test.each([
    ["a speed, every 10 s", 10, true, true],
    ["a speed, every 30 s", 30, true, null],
    ["a speed, every 60 s", 60, true, null],
    ["no speed, every 10 s", 10, false, true],
    ["no speed, every 60 s", 60, false, null],
  ])("a jam at 4 km/h for half an hour is one trip, within 5 % of its way: with %s", (_, step, hasSpeed, on) => {
    const jam = [...going(0, 300, step, 0, 36, on), ...going(300 + step, 2100, step, 3000 + step / 0.9, 4, on)];
    const onward = going(2100 + step, 2400, step, 5000 + step * 10, 36, on);
    const all = [...jam, ...onward].map((moment) => (hasSpeed ? moment : { ...moment, kmh: null }));
    const outcome = drive(all);
    expect(outcome.trips).toEqual([]);
    expect(outcome.open?.endedAt).toBeNull();
    expect(Math.abs((outcome.open?.distanceMm ?? 0) / 8_000_000 - 1)).toBeLessThan(0.05);
    expect(outcome.open?.distanceMm).toBe(outcome.days[0]?.distanceMm as number);
  });

  test("a stop with the engine running adds no way, however its position drifts, as it adds no mileage", () => {
    const drifting = Array.from({ length: 84 }, (_, index) => ({
      second: 310 + index * 10,
      metres: 3000 + (index % 2) * 30,
      kmh: 0,
      on: true,
    }));
    const outcome = drive([...going(0, 300, 10, 0, 36), ...drifting, ...going(1150, 1450, 10, 3000, 36)]);
    expect(reported(outcome)).toEqual([[0, null, null, 6000]]);
    expect(outcome.open?.distanceMm).toBe(outcome.days[0]?.distanceMm);
  });

  test("a position that drifts farther than a departure, while no frame moves, is no trip", () => {
    const drifting = [0, 60, 120, 60, 0, 80, 130].map((metres, index) => ({
      second: index * 20,
      metres,
      kmh: 0,
      on: true,
    }));
    expect(reported(drive(drifting))).toEqual([]);
  });

  test("a gap that is bridged counts whatever its ends say", () => {
    const outcome = drive([
      ...going(0, 300, 10, 0, 36),
      { second: 310, metres: 3000, kmh: 0, on: true },
      { second: 911, metres: 9000, kmh: 0, on: true },
    ]);
    expect(reported(outcome)).toEqual([[0, null, null, 9000]]);
    expect(outcome.open?.hasGap).toBe(true);
  });

  test("an engine left running ends a trip where it came to a stop, and it does not start again by itself", () => {
    const outcome = drive([...going(0, 600, 10, 0, 54), ...standing(610, 20_000, 30, 9075, true)]);
    expect(reported(outcome)).toEqual([[0, 610, "stationary", 9075]]);
    expect(outcome.trips[0]?.idleMs).toBe(0);
    expect(tripUnderWay(outcome.known.trips)).toBeNull();
  });

  test("without the ignition, a stop of three minutes parts two trips, and a red light does not", () => {
    const stopFor = (seconds: number) => [
      ...going(0, 600, 10, 0, 36, null),
      ...standing(610, 610 + seconds, 10, 6000, null),
      ...going(620 + seconds, 1200 + seconds, 10, 6100, 36, null),
    ];
    expect(reported(drive(stopFor(90)))).toEqual([[0, null, null, 11_900]]);
    expect(reported(drive(stopFor(180)))).toEqual([
      [0, 610, "stationary", 6000],
      [790, null, null, 5900],
    ]);
  });

  test("a tracker that sends every ten minutes has trips without gaps, which end when it stands", () => {
    const driving = going(0, 6000, 600, 0, 60);
    const outcome = drive([...driving, ...standing(6600, 9600, 600, 105_000, true)]);
    expect(reported(outcome)).toEqual([[0, 6600, "stationary", 105_000]]);
    expect(outcome.trips[0]?.hasGap).toBe(false);
    expect(outcome.days.map(({ distanceMm }) => distanceMm).reduce((sum, mm) => sum + mm, 0)).toBe(105_000_000);
  });

  test("its trips hold all of the way but what was driven before the first one was seen", () => {
    const rounds = [0, 1, 2].flatMap((round) => [
      ...standing(round * 14_400, round * 14_400 + 6600, 600, round * 80_000, null),
      ...going(round * 14_400 + 7200, round * 14_400 + 13_800, 600, round * 80_000 + 7000, 36, null),
    ]);
    const { trips, open, days } = drive(rounds);
    const inTrips = [...trips, ...(open ? [open] : [])].reduce((sum, { distanceMm }) => sum + distanceMm, 0);
    const counted = days.reduce((sum, { distanceMm }) => sum + distanceMm, 0);
    expect([...trips, ...(open ? [open] : [])]).toHaveLength(3);
    expect(inTrips / counted).toBeGreaterThan(0.97);
  });

  test("a tracker that sleeps while parked starts its next trip where it wakes up", () => {
    const morning = going(40_000, 40_600, 10, 6020, 36);
    expect(reported(drive([...going(0, 600, 10, 0, 36), ...morning]))).toEqual([
      [0, 600, "gap", 6000],
      [40_000, null, null, 6010],
    ]);
  });
});

describe("carried, not driven", () => {
  test("a tow truck makes a trip that began with the ignition off, from 300 m on", () => {
    const parked = standing(0, 600, 60, 0, false);
    const hauled = going(660, 1800, 20, 100, 18, false);
    const outcome = drive([...parked, ...hauled]);
    expect(isTowed(outcome.known.trips)).toBe(true);
    expect(reported(outcome)).toEqual([[635, null, null, 5800]]);
    const put = drive([...parked, ...hauled, ...standing(1820, 2020, 20, 5800, false)]);
    expect(reported(put)).toEqual([[635, 1820, "stationary", 5800]]);
    expect(isTowed(put.known.trips)).toBe(false);
  });

  test("a towed vehicle is towed until its ignition comes on, with or without a position; the trip goes on", () => {
    const towed = [...standing(0, 600, 60, 0, false), ...going(660, 1260, 20, 100, 18, false)];
    const put = standing(1280, 1300, 10, 3100, false);
    expect(isTowed(drive([...towed, ...put]).known.trips)).toBe(true);
    expect(isTowed(drive([...towed, ...put, { second: 1305, metres: null, on: null }]).known.trips)).toBe(true);
    expect(isTowed(drive([...towed, ...put, { second: 1305, metres: null, on: true }]).known.trips)).toBe(false);
    const driven = drive([...towed, ...put, ...going(1310, 1910, 10, 3100, 36)]);
    expect(isTowed(drive([...towed, ...put, { second: 1310, metres: 3100, kmh: 0, on: true }]).known.trips)).toBe(
      false,
    );
    expect(isTowed(driven.known.trips)).toBe(false);
    expect(reported(driven)).toEqual([[635, null, null, 9100]]);
  });

  test("a towed vehicle that is driven on ends its trip when the ignition goes off", () => {
    const outcome = drive([
      ...standing(0, 600, 60, 0, false),
      ...going(660, 1800, 20, 100, 18, false),
      ...going(1820, 2400, 20, 5900, 36, true),
      ...standing(2420, 2480, 20, 11_700, false),
    ]);
    expect(reported(outcome)).toEqual([[635, 2420, "ignition_off", 11_750]]);
  });

  test("a ferry with a sleeping tracker is a trip on either side, and none across", () => {
    const here = [...going(0, 600, 10, 0, 36), { second: 610, metres: 6005, kmh: 0, on: false }];
    const there = going(9000, 9600, 10, 80_000, 36);
    expect(reported(drive([...here, ...there]))).toEqual([
      [0, 610, "ignition_off", 6005],
      [9000, null, null, 6000],
    ]);
  });

  test("a ferry with a waking tracker tows the vehicle", () => {
    const here = [...going(0, 600, 10, 0, 36), { second: 610, metres: 6005, kmh: 0, on: false }];
    const across = going(700, 4000, 60, 6005, 30, false);
    const outcome = drive([...here, ...across]);
    expect(isTowed(outcome.known.trips)).toBe(true);
    expect(outcome.trips).toHaveLength(1);
  });
});

describe("an ignition that flickers", () => {
  test("while it drives does not part the trip", () => {
    const flickering = going(0, 900, 5, 0, 36).map((moment, index) => ({ ...moment, on: index % 7 !== 6 }));
    expect(reported(drive(flickering))).toEqual([[0, null, null, 9000]]);
  });

  test("while it is parked starts none", () => {
    const parked = standing(0, 9000, 10, 0, false).map((moment, index) => ({ ...moment, on: index % 5 === 0 }));
    const outcome = drive(parked);
    expect(reported(outcome)).toEqual([]);
    expect(tripUnderWay(outcome.known.trips)).toBeNull();
  });

  test("in a garage without a position ends the trip once, when it goes off last", () => {
    const blind = [
      [610, true],
      [640, false],
      [660, true],
      [700, false],
      [760, false],
    ].map(([second, on]) => ({ second: Number(second), metres: null, on: Boolean(on) }));
    const outcome = drive([...going(0, 600, 10, 0, 36), ...blind]);
    expect(reported(outcome)).toEqual([[0, 700, "ignition_off", 6000]]);
    const again = drive([...going(0, 600, 10, 0, 36), ...blind, ...going(30_000, 30_300, 10, 6100, 36)]);
    expect(reported(again)).toEqual([
      [0, 700, "ignition_off", 6000],
      [29_985, null, null, 3100],
    ]);
  });
});
