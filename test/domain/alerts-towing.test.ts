import { describe, expect, test } from "bun:test";
import type { TripFact } from "../../src/domain/facts.ts";
import { alertsIn, drive, type Moment, noon, rule, type Settings } from "./alerts-drive.ts";

const off: Settings = { rules: [[0, [rule("towing", { enabled: false })]]] };
const parked = (at: number, change: Partial<Moment> = {}): Moment => ({ at, ignition: false, ...change });
const hour = 3600;

describe("a tow with frames on the way", () => {
  const stood = parked(0);
  const towed = (at: number, change: Partial<Moment> = {}): Moment => parked(at, { trip: 10, towed: true, ...change });

  test("lasts from the trip's start to its end, however late it is known as towing", () => {
    const driven = drive([stood, towed(40, { known: false }), towed(60)]);
    expect(driven.open).toMatchObject([{ occurredAt: noon + 10_000, receivedAt: noon + 40_500, severity: "critical" }]);
    expect(driven.open[0]?.tripFoundAt).toBe(noon + 10_000);
    const trip = { kind: "trip", startedAt: noon + 10_000, endedAt: noon + 70_000 } as TripFact;
    driven.step({ at: 90, endedTrips: [trip] });
    expect(alertsIn(driven)).toEqual([["towing", 10, 70, "critical", null]]);
    driven.step({ at: 100, trip: 95 });
    expect(driven.state.towedTrip).toBeNull();
  });

  test("ends where it was last seen if the trip was not kept", () => {
    expect(alertsIn(drive([stood, towed(20), parked(90)]))).toEqual([["towing", 10, 20, "critical", null]]);
  });

  test("ends with the frame at which the ignition comes on, does not come again, and the next trip is another", () => {
    const drivenOn = [stood, towed(20), towed(30, { towed: false }), towed(40, { towed: false }), towed(50)];
    expect(alertsIn(drive([...drivenOn, parked(65), towed(80, { trip: 70 })]))).toEqual([
      ["towing", 10, 30, "critical", null],
      ["towing", 70, null, "critical", null],
    ]);
  });

  test("is reported once per trip, whatever the settings do meanwhile", () => {
    expect(alertsIn(drive([stood, towed(20)], off))).toEqual([]);
    const settings: Settings = {
      rules: [
        [0, []],
        [30, [rule("towing", { enabled: false })]],
        [40, []],
      ],
    };
    expect(alertsIn(drive([stood, towed(20), towed(30), towed(40), towed(50)], settings))).toEqual([
      ["towing", 10, 30, "critical", null],
    ]);
  });

  test("is none of a vehicle that was not seen standing with its ignition off", () => {
    expect(alertsIn(drive([towed(20)]))).toEqual([]);
    expect(alertsIn(drive([parked(0, { ignition: null }), towed(20)]))).toEqual([]);
    expect(alertsIn(drive([parked(0, { valid: false }), towed(20)]))).toEqual([]);
    expect(alertsIn(drive([stood, { at: 10, ignition: true, valid: false }, towed(20)]))).toEqual([]);
  });
});

describe("moved while its tracker sleeps", () => {
  const first = (at: number, change: Partial<Moment> = {}): Moment =>
    parked(at, { away: [at, "once"], north: 15_000, ...change });
  const there = (at: number, since: number, change: Partial<Moment> = {}): Moment =>
    parked(at, { away: [since, "there"], north: 15_000, ...change });
  const asleep = parked(0);
  const good = { accuracy: 50 };

  test("is reported by the second frame there, from the first one on, with the new place", () => {
    const driven = drive([asleep, first(hour)]);
    expect(alertsIn(driven)).toEqual([]);
    driven.step(there(2 * hour, hour));
    expect(alertsIn(driven)).toEqual([["towing", hour, hour, "critical", null]]);
    expect(driven.final).toMatchObject([
      { receivedAt: noon + 2 * hour * 1000 + 500, message: "The vehicle was moved with its ignition off" },
    ]);
    expect(driven.final[0]?.latitude).toBeCloseTo(52 + 15_000 / 111_195, 6);
  });

  test.each([
    ["an accuracy of 50 m", good, 1],
    ["no more", { accuracy: 50.1 }, 0],
    ["six satellites if it reports no accuracy", { satellites: 6 }, 1],
    ["not fewer", { satellites: 5 }, 0],
    ["not with a bad accuracy", { satellites: 9, accuracy: 60 }, 0],
    ["a kilometre", { ...good, north: 1000.5 }, 1],
    ["no less", { ...good, north: 999 }, 0],
    ["a known ignition", { ...good, ignition: null }, 0],
  ] as const)("is reported by the first frame there if it is good: %s", (_, change, expected) => {
    const driven = drive([asleep, first(hour, change)]);
    expect(driven.open).toHaveLength(expected);
    driven.step(there(2 * hour, hour, { north: driven.previous === null ? 0 : ((change as Moment).north ?? 15_000) }));
    expect(alertsIn(driven)).toEqual([["towing", hour, hour, "critical", null]]);
  });

  test("is one tow as long as each frame shows another place", () => {
    const again = (at: number): Moment => parked(at, { away: [hour, "again"], north: at * 5 });
    const moments = [
      asleep,
      first(hour),
      again(2 * hour),
      again(3 * hour),
      there(4 * hour, 3 * hour),
      parked(5 * hour),
    ];
    expect(alertsIn(drive(moments))).toEqual([["towing", hour, 3 * hour, "critical", null]]);
  });

  test("is none if the next frame is back, or the ignition comes on, and over if it was reported already", () => {
    const back = parked(2 * hour);
    const on = parked(2 * hour, { ignition: true, north: 15_000 });
    expect(alertsIn(drive([asleep, first(hour), back]))).toEqual([]);
    expect(alertsIn(drive([asleep, first(hour), on]))).toEqual([]);
    for (const next of [back, on]) {
      expect(alertsIn(drive([asleep, first(hour, good), next]))).toEqual([["towing", hour, hour, "critical", null]]);
    }
  });

  test("frames without a position change nothing, unless they report the ignition on", () => {
    const lost = (ignition: boolean | null): Moment => parked(1.5 * hour, { valid: false, ignition });
    for (const ignition of [false, null]) {
      const moments = [asleep, lost(ignition), first(2 * hour), { ...lost(ignition), at: 2.5 * hour }];
      expect(alertsIn(drive([...moments, there(3 * hour, 2 * hour)]))).toHaveLength(1);
    }
    expect(alertsIn(drive([asleep, lost(true), first(2 * hour), there(3 * hour, 2 * hour)]))).toEqual([]);
  });

  test("must be off on both sides: one of two frames there that says so is enough, an unknown ignition is not", () => {
    const unknown = { ignition: null };
    const run = (one: Partial<Moment>, other: Partial<Moment>) =>
      alertsIn(drive([asleep, first(hour, one), there(2 * hour, hour, other)])).length;
    expect([run(unknown, {}), run({}, unknown), run(unknown, unknown)]).toEqual([1, 1, 0]);
    expect(alertsIn(drive([parked(0, unknown), first(hour), there(2 * hour, hour)]))).toEqual([]);
  });

  test("may have been a drive if the silence is no longer than two and a quarter usual intervals", () => {
    const reported = (seconds: number) =>
      alertsIn(drive([parked(0, { usual: 600 }), first(seconds), there(2 * seconds, seconds)])).length;
    expect([reported(600), reported(1350), reported(1351)]).toEqual([0, 0, 1]);
  });

  test("over a discontinuity is reported at its first frame, and is over", () => {
    const carried = parked(300, { elsewhere: true, away: [300, "there"] });
    expect(alertsIn(drive([asleep, carried]))).toEqual([["towing", 300, 300, "critical", null]]);
    expect(alertsIn(drive([asleep, carried, carried, parked(600)]))).toHaveLength(1);
    expect(alertsIn(drive([asleep, { ...carried, ignition: null }]))).toEqual([]);
  });

  test("is as the settings say", () => {
    const moments = [asleep, first(hour, good), there(2 * hour, hour)];
    expect(alertsIn(drive(moments, off))).toEqual([]);
    const severity: Settings = { rules: [[0, [rule("towing", { severity: "info" })]]] };
    expect(alertsIn(drive(moments, severity))).toEqual([["towing", hour, hour, "info", null]]);
    const atPort: Settings = { rules: [[0, [rule("towing", { enabled: false, geofenceIds: ["port"] })]]] };
    expect(
      alertsIn(
        drive(
          moments.map((moment) => ({ ...moment, inside: ["port"] })),
          atPort,
        ),
      ),
    ).toEqual([]);
    const switched: Settings = {
      rules: [
        [0, []],
        [1.5 * hour, [rule("towing", { enabled: false })]],
      ],
    };
    expect(alertsIn(drive(moments, switched))).toEqual([["towing", hour, 2 * hour, "critical", null]]);
  });

  test("a second tow from there is another", () => {
    const moments = [asleep, first(hour), there(2 * hour, hour), parked(3 * hour)];
    const next = [first(4 * hour, { north: 40_000 }), there(5 * hour, 4 * hour, { north: 40_000 })];
    expect(alertsIn(drive([...moments, ...next])).map(([, since]) => since)).toEqual([hour, 4 * hour]);
  });
});
