import { describe, expect, test } from "bun:test";
import { stopPlace, tripUnderWay } from "../../src/domain/trips/trips.ts";
import { drive, evening, going, type Moment, secondOf } from "./support/trips-drive.ts";

/** Drives 3 km in 300 s, with a frame every ten seconds, and comes to a stop at 3010 m in second 310. */
const arriving = (on: boolean | null): Moment[] => [
  ...going(0, 300, 10, 0, 36, on),
  { second: 310, metres: 3010, kmh: 0, on },
];

/** When the first trip ended, and why; null if it has not. */
function endOf(moments: readonly Moment[]) {
  const [trip] = drive(moments).trips;
  return trip === undefined ? null : [secondOf(trip.endedAt), trip.endReason];
}

const stillOn = (second: number, metres = 3010): Moment => ({ second, metres, kmh: 0, on: true });
const stillUnknown = (second: number, metres = 3010): Moment => ({ second, metres, kmh: 0 });
const every = (step: number, from: number, to: number, moment: (second: number) => Moment) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => moment(from + index * step));

describe("a trip ends where the ignition goes off", () => {
  const off = { second: 320, metres: 3012, kmh: 0, on: false };
  const later = { second: 3000, metres: 3012, kmh: 0, on: false };

  test("at that frame", () => {
    expect(endOf([...arriving(true), off, later])).toEqual([320, "ignition_off"]);
    expect(endOf([...arriving(null), off, later])).toEqual([320, "ignition_off"]);
  });

  test("and is reported as over at once, although a flicker may take that back", () => {
    const { trips, open, known } = drive([...arriving(true), off]);
    expect(trips).toEqual([]);
    expect(open).toMatchObject({ endedAt: evening + 320_000, endReason: "ignition_off" });
    expect(tripUnderWay(known.trips)).toBeNull();
    expect(drive([...arriving(true), off, later]).trips).toEqual([open as NonNullable<typeof open>]);
  });

  test.each([
    ["on again after 29.999 s", 349.999, 3050, true, false],
    ["on again after 30 s", 350, 3050, true, true],
    ["on again 99 m away", 340, 3111.9, true, false],
    ["on again 100 m away", 340, 3112.1, true, true],
    ["then unknown for 30 s", 350, 3013, null, true],
  ])("unless it comes on again at once: %s", (_, second, metres, on, ends) => {
    const end = endOf([...arriving(true), off, { second, metres, kmh: 20, on }]);
    expect(end).toEqual(ends ? [320, "ignition_off"] : null);
  });

  test("and what came between counts if it was a flicker", () => {
    const flicker = (on: boolean): Moment[] => [
      { second: 320, metres: 3012, kmh: 4, on },
      { second: 325, metres: 3020, kmh: 6, on: null },
      { second: 330, metres: 3040, kmh: 12, on: true },
    ];
    const { open } = drive([...arriving(true), ...flicker(false)]);
    expect(open?.positionCount).toBe(35);
    expect(open).toEqual(drive([...arriving(true), ...flicker(true)]).open);
  });

  test("even where there is no position, as in an underground garage", () => {
    const garage = { second: 400, metres: null, on: false };
    const { trips, open } = drive([...arriving(true), garage, { second: 30_000, metres: 3015, kmh: 0, on: true }]);
    expect(open).toBeNull();
    expect(trips).toMatchObject([
      { endedAt: evening + 400_000, endReason: "ignition_off", durationMs: 400_000, positionCount: 32 },
    ]);
    expect(trips[0]?.updatedAt).toBe(evening + 400_000);
  });

  test.each([
    ["without a position", { second: 420, metres: null, on: true }, null],
    ["without a position, too late", { second: 430, metres: null, on: true }, 400],
    ["with one", { second: 420, metres: 3050, kmh: 20, on: true }, null],
    ["with one, too late", { second: 430, metres: 3050, kmh: 20, on: true }, 400],
  ])("and a flicker without a position is one: on again %s", (_, again: Moment, end) => {
    const garage = { second: 400, metres: null, on: false };
    const driving = going(440, 500, 10, 3100, 36);
    expect(endOf([...arriving(true), garage, again, ...driving])?.[0] ?? null).toBe(end);
  });

  test("and frames without a position change nothing else", () => {
    const blind = [5, 105, 205].flatMap((second) => [null, true].map((on) => ({ second, metres: null, on })));
    const all = [...arriving(true), ...blind].sort((one, other) => one.second - other.second);
    expect(drive(all).open).toEqual(drive(arriving(true)).open);
    expect(stopPlace(drive([{ second: 0, metres: null, on: false }]).known.trips)).toBeNull();
  });
});

describe("a trip ends where the vehicle stays", () => {
  test.each([
    ["899.999 s with the ignition on", every(60, 370, 1150, stillOn), stillOn(1209.999), null],
    ["900 s with the ignition on", every(60, 370, 1150, stillOn), stillOn(1210), 310],
    ["179.999 s with the ignition unknown", every(60, 370, 430, stillUnknown), stillUnknown(489.999), null],
    ["180 s with the ignition unknown", every(60, 370, 430, stillUnknown), stillUnknown(490), 310],
    ["900 s, with the ignition said to be on once", every(60, 370, 1150, stillUnknown), stillUnknown(1210), 310],
  ])("at the first frame of the dwell: %s", (name, dwelling: Moment[], last: Moment, end) => {
    const on = name.includes("unknown") ? null : true;
    expect(endOf([...arriving(on), ...dwelling, last])).toEqual(end === null ? null : [end, "stationary"]);
  });

  test.each([
    ["49.999 m off at 30 km/h", [[330, 49.999, 30]], true],
    ["50.001 m off at 4.999 km/h, once", [[330, 50.001, 4.999]], true],
    ["50.001 m off at 5 km/h, once", [[330, 50.001, 5]], false],
    ["99.999 m off, once", [[330, 99.999, 0]], true],
    ["100.001 m off, once", [[330, 100.001, 0]], false],
    ["60 m off, twice over 19.999 s", [320, 339.999].map((second) => [second, 60, 0]), true],
    ["60 m off, twice over 20 s", [320, 340].map((second) => [second, 60, 0]), false],
    ["60 m off, three times over 14.999 s", [320, 327, 334.999].map((second) => [second, 60, 0]), true],
    ["60 m off, three times over 15 s", [320, 327, 335].map((second) => [second, 60, 0]), false],
  ])("or does not, if it goes on: %s", (_, strays, ends) => {
    for (const on of [true, null]) {
      const still = on ? stillOn : stillUnknown;
      const away = strays.map(([second = 0, metres = 0, kmh = 0]) => ({ second, metres: 3010 + metres, kmh, on }));
      const last = on ? 1215 : 495;
      expect(endOf([...arriving(on), ...away, ...every(10, 345, last, still)])).toEqual(
        ends ? [310, "stationary"] : null,
      );
    }
  });

  test("without a speed, at the first frame within 50 m", () => {
    const silent = arriving(null).map((moment) => ({ ...moment, kmh: null }));
    const staying = every(10, 320, 490, (second) => ({ second, metres: 3010 + (second % 20) }));
    const { trips } = drive([...silent, ...staying]);
    const endedAt = secondOf(trips[0]?.endedAt) ?? 0;
    // It drove on for some 50 m after the first of these positions.
    expect(endedAt).toBeGreaterThanOrEqual(300);
    expect(endedAt).toBeLessThanOrEqual(310);
    expect(trips[0]?.endReason).toBe("stationary");
  });

  test("and nothing of the dwell counts", () => {
    const wandering = every(20, 330, 1230, (second) => ({ ...stillOn(second, 3010 + (second % 40)), kmh: 2 }));
    const fast = { ...stillOn(800), kmh: 99 };
    const all = [...arriving(true), ...wandering, fast].sort((one, other) => one.second - other.second);
    const [trip] = drive(all).trips;
    const [plain] = drive([...arriving(true), { second: 400, metres: 3010, isElsewhere: true }]).trips;
    expect({ ...trip, endReason: null, updatedAt: 0 }).toEqual({ ...plain, endReason: null, updatedAt: 0 } as never);
    expect(trip?.updatedAt).toBe(evening + 1_210_000);
  });

  test("where it stops, not where it still drove past", () => {
    const slow = going(302, 308, 1, 3008, 18, true).map((moment) => ({
      ...moment,
      metres: 3000 + moment.second - 300,
    }));
    expect(endOf([...going(0, 300, 10, 0, 36), ...slow, ...every(60, 310, 1210, stillOn)])).toEqual([
      310,
      "stationary",
    ]);
  });

  test("or is towed to, with the ignition off all the way", () => {
    const towed = [
      ...going(0, 300, 10, 0, 36, false),
      ...every(10, 310, 500, (second) => ({ ...stillUnknown(second), on: false })),
    ];
    expect(endOf(towed)).toEqual([310, "stationary"]);
  });
});

describe("a queue, the ignition unknown", () => {
  /** Every 10 s from second 320 on: 20 m on in second 430. */
  const queue = (until: number) => every(10, 320, until, (second) => stillUnknown(second, second < 430 ? 3010 : 3030));

  test("does not end a trip after 180 s as long as the vehicle has come on in the last two minutes", () => {
    expect(endOf([...arriving(null), ...queue(520)])).toBeNull();
    expect(endOf([...arriving(null), ...queue(600)])).toEqual([310, "stationary"]);
  });

  test("ends it after 300 s at the latest", () => {
    const creeping = (until: number) =>
      every(10, 320, until, (second) => stillUnknown(second, 2980 + (second - 310) / 5));
    expect(endOf([...arriving(null), ...creeping(600)])).toBeNull();
    expect(endOf([...arriving(null), ...creeping(610)])).toEqual([310, "stationary"]);
  });
});

describe("a gap", () => {
  /** From the last frame, in second 310 at 3010 m, to one some seconds and metres further. */
  const after = (seconds: number, metres: number, on: boolean | null): Moment[] => [
    ...arriving(on),
    { second: 310 + seconds, metres: 3010 + metres, kmh: 36, on },
  ];
  const kmhMetres = (kmh: number, seconds: number) => (kmh / 3.6) * seconds;

  test.each([
    ["within 50 m, 179.999 s", 179.999, 49.999, null, false, false],
    ["within 50 m, 180 s", 180, 49.999, null, true, false],
    ["beyond 50 m, 180 s", 180, 50.001, null, false, false],
    ["within 50 m, 300 s, with the ignition on", 300, 49.999, true, false, false],
    ["within 50 m, 300.001 s, with the ignition on", 300.001, 49.999, true, true, false],
    ["below 10 km/h, 180 s", 180, kmhMetres(9.99, 180), null, false, false],
    ["below 10 km/h, 180.001 s", 180.001, kmhMetres(9.99, 180), null, true, false],
    ["below 10 km/h, 300 s, with the ignition on", 300, kmhMetres(9.99, 300), true, false, false],
    ["below 10 km/h, 300.001 s, with the ignition on", 300.001, kmhMetres(9.99, 300), true, true, false],
    ["at 10 km/h, 180.001 s", 180.001, kmhMetres(10.01, 180.001), null, false, false],
    ["at 10 km/h, 300.001 s", 300.001, kmhMetres(10.01, 300.001), null, false, true],
    ["fast, 3600 s", 3600, kmhMetres(60, 3600), null, false, true],
    ["fast, 3600.001 s", 3600.001, kmhMetres(60, 3600), true, true, false],
  ])("ends a trip at the last frame before it, or is bridged: %s", (_, seconds, metres, on, ends, hasGap) => {
    const { trips, open } = drive(after(seconds, metres, on));
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual(ends ? [[310, "gap"]] : []);
    expect(open?.hasGap ?? false).toBe(hasGap);
    if (ends) expect(trips[0]?.updatedAt).toBe(evening + Math.round((310 + seconds) * 1000));
  });

  test("within 50 m ends a trip from 180 s on where the ignition was on at one side only", () => {
    expect(endOf([...arriving(true), stillUnknown(490)])).toEqual([310, "gap"]);
    expect(endOf([...arriving(null), stillOn(490)])).toEqual([310, "gap"]);
  });

  test.each([
    ["slow, 1800 s", 1800, 5, false, false],
    ["slow, 1800.001 s", 1800.001, 5, true, false],
    ["fast, 1800 s", 1800, 60, false, false],
    ["fast, 1800.001 s", 1800.001, 60, false, true],
    ["fast, 3600 s", 3600, 60, false, true],
    ["fast, 3600.001 s", 3600.001, 60, true, false],
  ])("is longer for a tracker that reports every ten minutes: %s", (_, seconds, kmh, ends, hasGap) => {
    const { trips, open } = drive([
      ...going(0, 6000, 600, 0, 60, null),
      { second: 6000 + seconds, metres: 100_000 + kmhMetres(kmh, seconds), kmh: 60 },
    ]);
    expect(trips.map(({ endedAt, endReason }) => [secondOf(endedAt), endReason])).toEqual(ends ? [[6000, "gap"]] : []);
    expect(open?.hasGap ?? false).toBe(hasGap);
  });

  test.each([
    ["3600 s of silence, every 901 s", 901, 3604, false],
    ["3604.001 s of silence, every 901 s", 901, 3604.001, true],
  ])("is over after four usual intervals, if that is more than an hour: %s", (_, step, seconds, ends) => {
    const { trips } = drive([
      ...going(0, 10 * step, step, 0, 60, null),
      { second: 10 * step + seconds, metres: kmhMetres(60, 10 * step + seconds), kmh: 60 },
    ]);
    expect(trips).toHaveLength(ends ? 1 : 0);
  });

  test("that is bridged counts as driven", () => {
    const { open } = drive(after(600, 10_000, null));
    // 13,010 m straight on. Its speeds make 50 m of the last 10 m before the stop: of these 40 m count only what a road may wind on
    // the first leg, which follows none, 2.524 m, and on those 10 m, which show no direction, 0.425 m.
    expect(open?.distanceMm).toBe(13_012_949);
    expect(open?.idleMs).toBe(0);
  });

  test("starts the next trip behind it, without its distance, if the vehicle is elsewhere then", () => {
    const { open, trips } = drive([...after(4000, 9000, true), ...going(4320, 4500, 10, 12_110, 36)]);
    expect(trips).toHaveLength(1);
    expect(secondOf(open?.startedAt)).toBe(4310);
    expect(open?.distanceMm).toBe(1_900_000);
  });
});

test("a discontinuity ends a trip at the last frame before it, and the next one starts behind it", () => {
  const moments = [...arriving(true), { second: 320, metres: 900_000, isElsewhere: true, kmh: 50, on: true }];
  const { trips, open } = drive([...moments, ...going(330, 500, 10, 900_140, 50)]);
  expect(trips).toMatchObject([
    { endedAt: evening + 310_000, endReason: "discontinuity", updatedAt: evening + 320_000 },
  ]);
  expect(secondOf(open?.startedAt)).toBe(320);
});

describe("a trip is reported", () => {
  /** Out and back: as far as that from its start, and as long, in so many seconds. */
  const outAndBack = (farthest: number, length: number, seconds: number): Moment[] => [
    { second: 0, metres: 0, kmh: 5, on: true },
    { second: seconds / 2, metres: farthest, kmh: 5, on: true },
    { second: seconds, metres: 2 * farthest - length, kmh: 0, on: true },
    { second: seconds + 1, metres: 0, isElsewhere: true },
  ];

  test.each([
    ["199.999 m", 150, 199.999, 100, false],
    ["200.001 m", 150, 200.001, 100, true],
    ["99.999 m away at most", 99.999, 260, 100, false],
    ["100.001 m away at most", 100.001, 260, 100, true],
    ["59.999 s and 499.999 m", 300, 499.999, 59.999, false],
    ["60 s", 300, 499.999, 60, true],
    ["500.001 m", 300, 500.001, 32, true],
  ])("or not: %s", (_, farthest, length, seconds, isReported) => {
    expect(drive(outAndBack(farthest, length, seconds)).trips).toHaveLength(isReported ? 1 : 0);
  });
});

describe("a trip says", () => {
  test("the whole millimetres of its legs, its frames, and its odometers", () => {
    const moments = [0, 123.4567, 300.0004, 700].map((metres, index) => ({
      second: index * 20,
      metres,
      kmh: 5 + index,
      on: true,
      odometerKm: 1000 + index,
    }));
    const [trip] = drive([
      ...moments,
      { second: 80, metres: 700, kmh: 0, on: false, receivedAt: evening },
      stillOn(9000),
    ]).trips;
    expect(trip).toMatchObject({
      distanceMm: 123_457 + 176_544 + 400_000,
      durationMs: 80_000,
      positionCount: 5,
      maxSpeedKmh: 8,
      startOdometerKm: 1000,
      endOdometerKm: null,
      updatedAt: evening + 60_000,
    });
  });

  test.each([
    ["179.999 s, leg by leg, but for the one on which it went off", 470, 489.999, 160],
    ["180 s, all of it", 470, 490, 180],
    ["330 s, all of it", 610, 640, 330],
  ])("how long it stood with the engine running: %s", (_, lastOn, off, idle) => {
    const standing = [...every(30, 310, lastOn - 1, stillOn), stillOn(lastOn)];
    const [trip] = drive([
      ...going(0, 300, 10, 0, 36),
      ...standing,
      { ...stillOn(off), on: false },
      stillOn(9000),
    ]).trips;
    expect(trip?.idleMs).toBe(idle * 1000);
  });

  test("its highest speed: reported, or by the places where none is", () => {
    const silent = (step: number) => [...going(0, 300, step, 0, 36, null)].map((moment) => ({ ...moment, kmh: null }));
    for (const step of [1, 10, 60]) expect(drive(silent(step)).open?.maxSpeedKmh).toBeCloseTo(36, 6);
    expect(drive([...silent(10), { second: 310, metres: 3100, kmh: 50 }]).open?.maxSpeedKmh).toBe(50);
    expect(drive([...silent(10), { second: 310, metres: 3100, kmh: 20 }]).open?.maxSpeedKmh).toBeCloseTo(36, 6);
  });

  test("a departure that nothing confirmed is forgotten over a long silence", () => {
    const parked = going(0, 1200, 60, 0, 0, null);
    // Once seen away, without a speed; then nothing for five days, and a drive from there.
    const away: Moment = { second: 1260, metres: 500, kmh: null, on: null };
    const later = 5 * 86_400;
    const { trips, open } = drive([...parked, away, ...going(later, later + 600, 10, 700, 36, null)]);
    expect(trips).toEqual([]);
    expect((open?.startedAt ?? 0) - evening).toBeGreaterThan((later - 600) * 1000);
  });
});
