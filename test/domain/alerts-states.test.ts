import { describe, expect, test } from "bun:test";
import type { CrossingFact } from "../../src/domain/facts.ts";
import { alertsIn, drive, type Moment, noon, rule, type Settings } from "./alerts-drive.ts";

const off = (alertType: Parameters<typeof rule>[0]): Settings => ({
  rules: [[0, [rule(alertType, { enabled: false })]]],
});

describe("idling", () => {
  const idle = (at: number, change: Partial<Moment> = {}): Moment => ({ at, speed: 0, ignition: true, ...change });

  test.each([
    ["600 s at a standstill with the ignition on", [idle(0), idle(600)], [[0, null, null]]],
    ["not less", [idle(0), idle(599.999)], []],
    ["3 km/h is still", [idle(0, { speed: 3 }), idle(600)], [[0, null, null]]],
    ["silence of 900 s counts", [idle(0), idle(900)], [[0, null, null]]],
    ["a longer one begins it anew", [idle(0), idle(900.001), idle(1500)], []],
    ["from the frame after it", [idle(0), idle(19_800), idle(20_400)], [[19_800, null, null]]],
    ["a frame that says nothing breaks no silence", [idle(0), idle(500, { ignition: null }), idle(1000)], []],
    ["once it is reported, silence does not end it", [idle(0), idle(600), idle(19_800)], [[0, null, null]]],
    ["one frame at 5 km/h is none", [idle(0), idle(300, { speed: 5 }), idle(600)], [[0, null, null]]],
    ["two in a row are", [idle(0), idle(300, { speed: 5 }), idle(310, { speed: 5 }), idle(600)], []],
    ["one is enough 100 m away", [idle(0), idle(300, { speed: 5, north: 101 }), idle(600)], []],
    ["what lies between says nothing", [idle(0), idle(300, { speed: 4 }), idle(600)], [[0, null, null]]],
    ["an unknown ignition says nothing", [idle(0), idle(300, { ignition: null }), idle(600)], [[0, null, null]]],
    ["a frame without a position says nothing", [idle(0), idle(300, { valid: false }), idle(600)], [[0, null, null]]],
    ["but ignition off does", [idle(0), idle(300, { valid: false, ignition: false }), idle(600)], []],
    ["an unknown ignition never begins it", [idle(0, { ignition: null }), idle(600)], []],
    ["it ends with the ignition", [idle(0), idle(600), idle(700, { ignition: false })], [[0, 700, 700]]],
    ["one frame does not end it", [idle(0), idle(600), idle(700, { speed: 5 }), idle(710)], [[0, null, null]]],
    [
      "it ends with the first of two in motion",
      [idle(0), idle(600), idle(700, { speed: 5 }), idle(710, { speed: 5 })],
      [[0, 700, 700]],
    ],
    ["or with one that is elsewhere", [idle(0), idle(600), idle(700, { speed: 50, north: 300 })], [[0, 700, 700]]],
    [
      "between two low speeds within 60 s a position farther off is an error",
      [idle(0), idle(540), idle(600, { speed: 3, north: 150 })],
      [[0, null, null]],
    ],
    ["but not within more", [idle(0), idle(539), idle(600, { speed: 0, north: 150 }), idle(601)], []],
    ["100 m away is the same place", [idle(0), idle(600, { north: 99.9 })], [[0, null, null]]],
    ["further is not", [idle(0), idle(600, { north: 101 }), idle(1200, { north: 101 })], [[600, null, null]]],
    ["nor is where it was carried to", [idle(0), idle(600, { elsewhere: true })], []],
  ] as const)("%s", (_, moments, expected) => {
    expect(alertsIn(drive(moments))).toEqual(
      expected.map(([since, until, value]) => ["idling", since, until, "info", value]),
    );
  });

  test("is reported in minutes", () => {
    const driven = drive([idle(0), idle(600)]);
    expect(driven.open).toMatchObject([
      { message: "The engine has been running at a standstill for over 10 min", threshold: 600, unit: "s" },
    ]);
    driven.step(idle(1400, { ignition: false }));
    expect(driven.final).toMatchObject([{ message: "The engine ran at a standstill for 23 min", value: 1400 }]);
  });

  test("is as the settings say: off, after another time, only in a fence, changed midway", () => {
    const after = (after_s: number, geofenceIds: string[] = []) =>
      rule("idling", { parameters: { after_s }, geofenceIds });
    expect(alertsIn(drive([idle(0), idle(600)], off("idling")))).toEqual([]);
    expect(alertsIn(drive([idle(0), idle(60)], { rules: [[0, [after(60)]]] }))).toHaveLength(1);
    const fence: Settings = { rules: [[0, [after(60, ["depot"]), rule("idling", { enabled: false })]]] };
    expect(alertsIn(drive([idle(0), idle(60)], fence))).toEqual([]);
    expect(alertsIn(drive([idle(0, { inside: ["depot"] }), idle(60, { inside: ["depot"] })], fence))).toHaveLength(1);
    const changed: Settings = {
      rules: [
        [0, []],
        [650, [after(300)]],
      ],
    };
    expect(alertsIn(drive([idle(0), idle(600), idle(700), idle(999), idle(1000)], changed))).toEqual([
      ["idling", 0, 700, "info", 700],
      ["idling", 700, null, "info", null],
    ]);
  });
});

describe("a lost position", () => {
  const lost = (at: number, change: Partial<Moment> = {}): Moment => ({ at, valid: false, trip: -100, ...change });

  test.each([
    ["900 s of a trip", [lost(0), lost(900)], [[0, null, null]]],
    ["not less", [lost(0), lost(899.999)], []],
    ["silence of more than 900 s does not count", [lost(0), lost(900.001), lost(1800)], []],
    ["once it is reported, silence does not end it", [lost(0), lost(900), lost(9000)], [[0, null, null]]],
    ["silence before does not count", [lost(-900, { valid: true }), lost(0), lost(899)], []],
    ["a position in between begins it anew", [lost(0), lost(500, { valid: true }), lost(900)], []],
    ["only on a trip", [lost(0, { trip: null }), lost(900, { trip: null })], []],
    ["it ends with the next position", [lost(0), lost(900), lost(1000, { valid: true })], [[0, 1000, 1000]]],
    ["it ends with the trip", [lost(0), lost(900), lost(1000, { trip: null })], [[0, 1000, 1000]]],
  ] as const)("%s", (_, moments, expected) => {
    const alerts = expected.map(([since, until, value]) => ["gps_lost", since, until, "warning", value]);
    expect(alertsIn(drive(moments))).toEqual(alerts);
  });

  test("is as the settings say", () => {
    expect(alertsIn(drive([lost(0), lost(900)], off("gps_lost")))).toEqual([]);
    const sooner: Settings = { rules: [[0, [rule("gps_lost", { parameters: { after_s: 60 } })]]] };
    expect(alertsIn(drive([lost(0), lost(60)], sooner))).toHaveLength(1);
  });
});

describe("the tracker's own events", () => {
  test.each([
    ...["sos", "crash", "power_cut", "tampering", "jamming"].map((event) => [event, "critical", 60] as const),
    ...["harsh_acceleration", "harsh_braking", "harsh_cornering"].map((event) => [event, "warning", 10] as const),
  ])("%s: ends as it happens, %s, one alert if it is repeated within %d s", (event, severity, within) => {
    const driven = drive([{ at: 0, event }]);
    expect(alertsIn(driven)).toEqual([[event, 0, 0, severity, null]]);
    driven.step({ at: within, event });
    driven.step({ at: 2 * within });
    expect([driven.open.length, driven.final.length]).toEqual([1, 0]);
    driven.step({ at: 2 * within + 0.001, event });
    expect(alertsIn(driven)).toEqual([
      [event, 0, within, severity, null],
      [event, 2 * within + 0.001, 2 * within + 0.001, severity, null],
    ]);
    expect(alertsIn(drive([{ at: 0, event, valid: false }]))).toHaveLength(1);
    expect(alertsIn(drive([{ at: 0, event }], off(event as never)))).toEqual([]);
    const fixed: Settings = { rules: [[0, [rule(event as never, { severity: "info" })]]] };
    expect(alertsIn(drive([{ at: 0, event }], fixed))).toEqual([[event, 0, 0, "info", null]]);
  });

  test.each(["", "SOS", "sos ", "towing", "__proto__", "constructor", "\u0000", "x".repeat(10_000)])(
    "%j is none",
    (event) => {
      expect(alertsIn(drive([{ at: 0, event }]))).toEqual([]);
    },
  );

  test("of two types at one moment are two", () => {
    expect(alertsIn(drive(["sos", "crash"].map((event) => ({ at: 0, event }))))).toHaveLength(2);
  });

  test("without a position are at the last known place", () => {
    const pressed: Moment = { at: 5, valid: false, event: "sos" };
    expect(drive([{ at: 0, north: 0 }, pressed]).open).toMatchObject([{ latitude: 52 }]);
    expect(drive([pressed]).open).toMatchObject([{ latitude: null, speedKmh: null }]);
  });
});

describe("crossings", () => {
  const crossing = (fenceId: string, eventType: "enter" | "exit"): CrossingFact => ({
    ...{ kind: "crossing", fenceId, eventType, occurredAt: noon + 3000, latitude: 52.1, longitude: 13.1, speedKmh: 31 },
    ...{ interpolated: true, timeUncertaintyMs: 0, dwellMs: null, receivedAt: noon + 10_500, updatedAt: noon + 11_000 },
  });
  const crossings = ["depot", "port", "lost"].flatMap((id) => [crossing(id, "enter"), crossing(id, "exit")]);
  const named = (type: "geofence_enter" | "geofence_exit", ids: string[], change = {}) =>
    rule(type, { geofenceIds: ids, ...change });
  const alerts = (...rules: ReturnType<typeof rule>[]) =>
    drive([{ at: 10, crossings, trip: 0 }], { rules: [[0, rules]] }).final.map(({ message, severity }) => [
      message,
      severity,
    ]);

  test("are reported of the fences that the settings name, and of no others", () => {
    expect(drive([{ at: 10, crossings }]).final).toEqual([]);
    expect(alerts(rule("geofence_enter"))).toEqual([]);
    expect(alerts(named("geofence_enter", ["depot"]))).toEqual([["Entered the depot", "info"]]);
    expect(
      alerts(named("geofence_exit", ["depot"], { severity: "warning" }), named("geofence_exit", ["port"])),
    ).toEqual([
      ["Left the depot", "warning"],
      ["Left the port", "info"],
    ]);
    expect(
      alerts(named("geofence_exit", ["depot", "port"]), named("geofence_exit", ["depot"], { enabled: false })),
    ).toEqual([["Left the port", "info"]]);
    expect(alerts(named("geofence_enter", ["lost"]))).toEqual([["Entered a geofence", "info"]]);
  });

  test("are reported at their own time and place, and are over at once", () => {
    const driven = drive([{ at: 10, crossings, trip: 0 }], { rules: [[0, [named("geofence_enter", ["depot"])]]] });
    expect(driven.open).toEqual([]);
    expect(driven.final).toMatchObject([
      {
        ...{ qualifier: "depot", fenceId: "depot", occurredAt: noon + 3000, endedAt: noon + 3000, tripFoundAt: noon },
        ...{ latitude: 52.1, longitude: 13.1, speedKmh: 31, receivedAt: noon + 10_500, updatedAt: noon + 11_000 },
      },
    ]);
  });
});
