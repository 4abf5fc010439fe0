import { describe, expect, test } from "bun:test";
import type { AlertRule } from "../../src/domain/fleet.ts";
import { alertsIn, drive, inSeries, inWords, type Moment, noon, rule } from "./alerts-drive.ts";

function limited(limit_kmh: number, change: Partial<AlertRule> = {}): AlertRule {
  return rule("speeding", { parameters: { limit_kmh }, ...change });
}

const limit80 = { rules: [[0, [limited(80)]]] } as const;
const limit50 = { rules: [[0, [limited(50)]]] } as const;

/** One frame for each pair of second and speed. */
function speeds(...pairs: readonly (readonly [at: number, speed: number | null])[]): Moment[] {
  return pairs.map(([at, speed]) => ({ at, ...speedAt(speed, at) }));
}

const speedAt = (speed: number | null, at: number) => ({ speed, north: at * 15 });

describe("speeding", () => {
  test.each([
    ["5 km/h above is tolerated", "0:55 10:55", ""],
    ["more than that is not", "0:55.1 10:55.1", "0 to now, warning, 55.1"],
    ["just under 10 s is too short", "0:70 9.999:70", ""],
    ["10 s are not", "0:70 10:70", "0 to now, warning, 70"],
    ["one frame is not enough", "0:70", ""],
    ["the tolerance breaks what is building", "0:70 6:55 12:70", ""],
    ["it ends at the limit", "0:70 10:70 20:50", "0 to 20, warning, 70"],
    ["not above it", "0:70 10:70 20:50.1", "0 to now, warning, 70"],
    ["30 km/h above is critical", "0:60 10:80 20:60", "0 to now, critical, 80"],
    ["a little less is not", "0:60 10:79.9", "0 to now, warning, 79.9"],
    ["a speed that is not believed says nothing", "0:70 5:null 10:70 15:null", "0 to now, warning, 70"],
    ["a gap of 300 s is bridged", "0:70 300:70", "0 to now, warning, 70"],
    ["a longer one is not", "0:70 300.001:70", ""],
    ["an alert ends before a longer one", "0:70 10:70 310.001:70", "0 to 10, warning, 70"],
    ["even if nobody says how fast", "0:70 10:70 310.001:null", "0 to 10, warning, 70"],
  ])("%s", (_, series, expected) => expect(inWords(drive(inSeries(series, speedAt), limit50))).toBe(expected));

  test("is none without a limit", () => expect(alertsIn(drive(speeds([0, 200], [60, 200])))).toEqual([]));

  test("episodes less than 60 s apart are one, with the first beginning and the highest peak", () => {
    const driven = drive(
      speeds([0, 70], [10, 70], [20, 50], [79.999, 90], [89.999, 60], [100, 29], [161, 40]),
      limit50,
    );
    expect(alertsIn(driven)).toEqual([["speeding", 0, 100, "critical", 90]]);
    expect(driven.open).toEqual([]);
  });

  test("episodes 60 s apart are two", () => {
    const driven = drive(speeds([0, 70], [10, 70], [20, 50], [80, 75], [90, 75]), limit50);
    expect(alertsIn(driven)).toEqual([
      ["speeding", 0, 20, "warning", 70],
      ["speeding", 80, null, "warning", 75],
    ]);
  });

  test("what ended shows its end at once, and is final 60 s later unless more is building", () => {
    const driven = drive(speeds([0, 70], [10, 70], [20, 50], [77, 50]), limit50);
    expect([driven.open.length, driven.final.length]).toEqual([1, 0]);
    expect(driven.open[0]?.endedAt).toBe(noon + 20_000);
    driven.step({ at: 79.5, speed: 75, north: 79.5 * 15 });
    driven.step({ at: 85, speed: 75, north: 85 * 15 });
    expect([driven.open.length, driven.final.length]).toEqual([1, 0]);
    driven.step({ at: 88, speed: 50, north: 88 * 15 });
    driven.step({ at: 91, speed: 50, north: 91 * 15 });
    expect([driven.open.length, driven.final.length]).toEqual([0, 1]);
  });

  test("invalid frames do not count", () => {
    expect(
      alertsIn(
        drive(
          [0, 20].map((at) => ({ at, speed: 90, valid: false })),
          limit50,
        ),
      ),
    ).toEqual([]);
  });

  test("is reported in words, with where and how fast it began and its trip", () => {
    const moments = speeds([0, 68], [10, 67]).map((moment) => ({ ...moment, trip: -60 }));
    expect(drive(moments, limit50).open[0]).toEqual({
      kind: "alert",
      alertType: "speeding",
      qualifier: "",
      occurredAt: noon,
      endedAt: null,
      severity: "warning",
      message: "68 km/h where 50 km/h are allowed",
      receivedAt: noon + 10_500,
      updatedAt: noon + 10_500,
      latitude: 52,
      longitude: 13,
      speedKmh: 68,
      value: 68,
      threshold: 50,
      unit: "km/h",
      fenceId: null,
      tripFoundAt: noon - 60_000,
    });
  });

  test("learns of its trip when it is known as one, but not of a later one", () => {
    const moments = speeds([0, 68], [10, 68], [20, 68]);
    const tripOf = (more: (index: number) => Partial<Moment>) => {
      const onTrip = moments.map((moment, index) => ({ ...moment, ...more(index) }));
      return drive(onTrip, limit50).open[0]?.tripFoundAt;
    };
    expect(tripOf((index) => ({ trip: -5, known: index === 2 }))).toBe(noon - 5000);
    expect(tripOf(() => ({ trip: 1 }))).toBeNull();
  });
});

describe("speeds that scatter", () => {
  /** A frame every ten seconds on a road that is driven at 80 km/h or faster. */
  const every10s = (...kmh: readonly number[]) =>
    drive(speeds(...kmh.map((speed, index) => [10 * index, speed] as const)), limit50);
  const calm = [48, 49, 48, 49, 48, 49, 48, 49, 48];
  const wild = [44, 54, 45, 55, 46, 53, 44, 54, 46];

  test("begin an alert later than those that do not", () => {
    expect(alertsIn(every10s(...calm, 60, 60, 60))).toHaveLength(1);
    expect(alertsIn(every10s(...wild, 60, 60, 60))).toEqual([]);
    expect(alertsIn(every10s(...wild, 60, 60, 60, 60, 60, 60, 60, 60))).toHaveLength(1);
    expect(alertsIn(every10s(...wild, 72, 72, 72))).toHaveLength(1);
  });

  test("around the limit are no alert, and above it they are one", () => {
    const around = (middle: number) =>
      every10s(...Array.from({ length: 60 }, (_, index) => middle + ([4, -3, 6, -6, -1][index % 5] ?? 0)));
    expect(alertsIn(around(50))).toEqual([]);
    expect(alertsIn(around(60))).toMatchObject([["speeding", expect.any(Number), null, "warning", 66]]);
  });

  test("are looked at every three seconds", () => {
    const driven = drive(speeds([0, 70], [10, 70], [12, 71], [14.999, 200]), limit50);
    expect(alertsIn(driven)).toEqual([["speeding", 0, null, "warning", 71]]);
  });
});

test.each([2, 5, 7, 8])("two wrong speeds %d s apart are no alert, since the next one is back at the limit", (step) => {
  const kmh = [78, 78, 78, 130, 130, 78, 78, 78, 78];
  const moments = kmh.map((speed, index) => ({ at: index * step, speed, north: (index * step * 78) / 3.6 }));
  expect(alertsIn(drive(moments, limit80))).toEqual([]);
});

describe("speeds that the places contradict", () => {
  const pair = (metres: number) =>
    drive(
      [
        { at: 0, speed: 60, north: 0 },
        { at: 10, speed: 130, north: metres },
        { at: 20, speed: 130, north: 2 * metres },
        { at: 30, speed: 60, north: 3 * metres },
      ],
      limit80,
    );

  test("say nothing", () => {
    // 130 km/h are 361 m in 10 s. Places may be 60 m off, and a road winds by an eighteenth in that time.
    expect(alertsIn(pair(284))).toEqual([]);
    expect(alertsIn(pair(286))).toHaveLength(1);
  });
});

describe("without a speed", () => {
  const at = (kmh: number, step: number, from: number, until: number): Moment[] => {
    const moments: Moment[] = [];
    for (let second = from; second <= until; second += step) moments.push({ at: second, north: (second * kmh) / 3.6 });
    return moments;
  };

  test.each([
    ["9 km/h above are tolerated", 88.9, 0],
    ["more is not", 89.1, 1],
  ])("by the places: %s", (_, kmh, alerts) => {
    for (const step of [1, 10, 30]) expect(alertsIn(drive(at(kmh, step, 0, 120), limit80))).toHaveLength(alerts);
  });

  test("it is known after 40 s, and ends when the mean of these is at the limit", () => {
    expect(alertsIn(drive(at(100, 10, 0, 30), limit80))).toEqual([]);
    const driven = drive(
      [
        ...at(100, 10, 0, 60),
        ...[70, 80, 90, 100, 110].map((second) => ({ at: second, north: 60 / 0.036 + (second - 60) * 16 })),
      ],
      limit80,
    );
    expect(alertsIn(driven)).toMatchObject([["speeding", 40, expect.any(Number), "warning", expect.closeTo(100, 3)]]);
  });

  test("a leap of the receiver is none", () => {
    const leap = [
      ...at(70, 10, 0, 60),
      ...at(70, 10, 70, 200).map((moment) => ({ ...moment, north: (moment.north ?? 0) + 600 })),
    ];
    expect(alertsIn(drive(leap, limit80))).toEqual([]);
  });
});

describe("a speed limit of fences", () => {
  const fence = (geofenceIds: string[], limit_kmh: number, enabled = true) =>
    limited(limit_kmh, { geofenceIds, enabled });
  const settings = {
    rules: [[0, [fence(["yard", "port"], 20), fence(["port"], 10), limited(80)]]],
  } as const;
  const at = (seconds: number, speed: number, ...inside: string[]): Moment => ({
    at: seconds,
    speed,
    inside,
    north: 40 * seconds,
  });

  test.each([
    ["holds inside", ["yard"], 20, "yard"],
    ["the lowest of several holds", ["yard", "port"], 10, "port"],
    ["another fence changes nothing", ["field"], 80, null],
    ["outside the device's own holds", [], 80, null],
  ] as const)("%s", (_, inside, threshold, fenceId) => {
    const moments = [at(0, 100, ...inside), at(10, 100, ...inside)];
    expect(drive(moments, settings).open).toMatchObject([{ threshold, fenceId }]);
  });

  test("goes before the device's even if it is higher", () => {
    const higher = {
      rules: [[0, [fence(["track"], 200), limited(80)]]],
    } as const;
    expect(alertsIn(drive([at(0, 150, "track"), at(10, 150, "track")], higher))).toEqual([]);
  });

  test("that is switched off takes the device's away there", () => {
    const off = {
      rules: [[0, [fence(["track"], 1, false), limited(80)]]],
    } as const;
    expect(alertsIn(drive([at(0, 150, "track"), at(10, 150, "track")], off))).toEqual([]);
    expect(alertsIn(drive([at(0, 150), at(10, 150)], off))).toHaveLength(1);
  });

  test("that begins or ends to hold ends the alert; what follows is another", () => {
    const moments = [at(0, 100, "yard"), at(10, 100, "yard"), at(15, 100), at(25, 100), at(30, 30)];
    expect(alertsIn(drive(moments, settings))).toEqual([
      ["speeding", 0, 15, "critical", 100],
      ["speeding", 15, 30, "warning", 100],
    ]);
  });
});

test("new settings end an alert with the first frame under them", () => {
  const changed = (rules: readonly ReturnType<typeof rule>[]) => ({ rules: [...limit50.rules, [15, rules]] }) as const;
  const moments = speeds([0, 70], [10, 70], [14.999, 70], [15, 70], [25, 70]);
  const first = ["speeding", 0, 15, "warning", 70];
  expect(alertsIn(drive(moments, changed([])))).toEqual([first]);
  expect(alertsIn(drive(moments, changed([limited(50, { enabled: false })])))).toEqual([first]);
  expect(alertsIn(drive(moments, changed([limited(60)])))).toEqual([first, ["speeding", 15, null, "warning", 70]]);
  const severe = limited(50, { severity: "info" });
  expect(alertsIn(drive(moments, changed([severe])))).toEqual([first, ["speeding", 15, null, "info", 70]]);
  expect(alertsIn(drive(moments, changed([rule("towing"), limited(50)])))).toEqual([
    ["speeding", 0, null, "warning", 70],
  ]);
});
