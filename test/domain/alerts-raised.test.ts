import { expect, test } from "bun:test";
import fc from "fast-check";
import { type AlertType, alertKind, alertTypes, type Severity, severities } from "../../src/domain/alert-types.ts";
import { raisedBy } from "../../src/domain/alerts/raised.ts";
import type { RuleInForce } from "../../src/domain/alerts/read-rule.ts";
import { type RulesInForce, rulesInForce } from "../../src/domain/alerts/rules-in-force.ts";
import type { SetRule } from "../../src/domain/alerts/set-rules.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import { forAll } from "../support/for-all.ts";

const now = Date.parse("2026-06-15T12:00:00Z");
const today = "2026-06-15";
const zone = storedZone("UTC");
const [near, far, foreign] = ["near", "far", "foreign"];
const hasFence = (id: string) => id !== foreign;

function rule(alertType: AlertType, parts: Partial<SetRule> = {}): SetRule {
  const plain = {
    enabled: true,
    severity: null,
    parameters: {},
    geofenceIds: [],
    setFor: "account",
    tag: null,
  } as const;
  return { alertType, ...plain, ...parts };
}

const nights = { within: [{ days: ["mon"], from: "20:00", until: "06:00" }], dates_off: [] };
const past = { within: [], dates_off: ["2020-01-01"] };
const toCome = { within: [], dates_off: ["2026-06-18"] };

/** What raises alerts by a rule in force, in the plainest way: with every value that a reading may have. */
function severitiesBy(type: AlertType, { severity, threshold }: RuleInForce): readonly Severity[] {
  const { severity: usual, isCritical } = alertKind(type);
  if (severity !== null) return [severity];
  if (isCritical === null || threshold === null) return [usual];
  return readings.getOrInsertComputed(`${type} ${threshold}`, () => {
    const beyond = [...Array(1_000).keys()].map((step) => threshold + (isLower(type) ? -1 : 1) * (step + 1) * 0.1);
    return [...new Set(beyond.map((value) => (isCritical(value, threshold) ? "critical" : usual)))];
  });
}

const readings = new Map<string, readonly Severity[]>();

const isLower = (type: AlertType) => type.endsWith("_low") || type.startsWith("low_");

function inForce(rules: RulesInForce): [AlertType, RuleInForce][] {
  const byType = alertTypes.flatMap((type): [AlertType, RuleInForce][] => {
    const one = rules.byType[type];
    return one === null || (type === "tyre_pressure_low" && rules.tyrePressureByAxle.size > 0) ? [] : [[type, one]];
  });
  const bySensor = (["temperature_high", "temperature_low"] as const).flatMap((type) =>
    [...rules.bySensor[type].values()].flatMap((one): [AlertType, RuleInForce][] =>
      one === null ? [] : [[type, one]],
    ),
  );
  const byFence = (["geofence_enter", "geofence_exit"] as const).flatMap((type) =>
    [...rules.byFence[type]].flatMap(([id, one]): [AlertType, RuleInForce][] => (hasFence(id) ? [[type, one]] : [])),
  );
  const byAxle = [...rules.tyrePressureByAxle.values()].map((one): [AlertType, RuleInForce] => [
    "tyre_pressure_low",
    one,
  ]);
  return [...byType, ...bySensor, ...byFence, ...byAxle];
}

/** The afternoon, the night that `nights` names, the next day, and the date that is to come. */
const moments = [now, now + 10 * 3_600_000, now + dayMs, now + 3 * dayMs];

/** At any place and at every kind of moment to come, by the functions that judge frames. */
function raisedSomewhere(settings: readonly SetRule[]): Map<AlertType, Set<Severity>> {
  const alertRules = [{ validFrom: 0, content: settings }];
  const context = { alertRules, zone } as unknown as DeviceContext;
  const found = new Map<AlertType, Set<Severity>>();
  for (const at of moments) {
    for (const inside of [[], [near], [far], [near, far]]) {
      const rules = rulesInForce(context, now, inside as string[], at);
      for (const [type, one] of inForce(rules)) {
        // A rule that does not hold is followed all the same; it raises nothing then.
        if (one.times !== null && !holds(one, at)) continue;
        const seen = found.getOrInsertComputed(type, () => new Set());
        for (const severity of severitiesBy(type, one)) seen.add(severity);
      }
    }
  }
  return found;
}

function holds({ times }: RuleInForce, at: number): boolean {
  if (times === nights) {
    const hour = new Date(at).getUTCHours();
    const day = new Date(at - 6 * 3_600_000).getUTCDay();
    return day === 1 && (hour >= 20 || hour < 6);
  }
  return times !== past && new Date(at).toISOString().startsWith("2026-06-18");
}

const limits: Readonly<Partial<Record<AlertType, readonly SetRule["parameters"][]>>> = {
  speeding: [{}, { limit_kmh: 80 }, { limit_kmh: 50 }],
  low_battery: [{}, { below_percent: 5 }, { below_percent: 10 }, { below_percent: 11 }],
  temperature_high: [{}, { above_c: 8 }, { above_c: 8, sensor: "rear" }],
  tyre_pressure_low: [{}, { nominal_kpa: 800 }, { nominal_kpa: { 1: 800, 2: 700 } }],
};

const anyRule = fc
  .record({
    alertType: fc.constantFrom<AlertType>(
      "speeding",
      "low_battery",
      "temperature_high",
      "tyre_pressure_low",
      "geofence_enter",
      "idling",
      "unauthorised_movement",
      "sos",
    ),
    enabled: fc.boolean(),
    severity: fc.option(fc.constantFrom(...severities)),
    limit: fc.nat({ max: 3 }),
    times: fc.constantFrom(null, null, nights, past, toCome),
    geofenceIds: fc.subarray([near, far, foreign] as string[]),
  })
  .map(({ alertType, enabled, severity, limit, times, geofenceIds }) => {
    const own = limits[alertType]?.[limit % (limits[alertType]?.length ?? 1)] ?? {};
    const parameters = { ...own, ...(times === null ? {} : { times }) } as SetRule["parameters"];
    return rule(alertType, { enabled, severity, parameters, geofenceIds });
  });

test("what rules can raise is what the judging of frames would find at some time and place", () => {
  forAll(300, [fc.array(anyRule, { maxLength: 4 })], (settings) => {
    const found = raisedSomewhere(settings);
    const expected = alertTypes.flatMap((type) => {
      const some = found.get(type);
      return some === undefined ? [] : [[type, severities.filter((severity) => some.has(severity))]];
    });
    expect([...raisedBy(settings, { hasFence, today })].map(([type, some]) => [type, [...some]])).toEqual(
      expected as unknown as [AlertType, Severity[]][],
    );
  });
});

test("without settings: what trackers report, and what needs no limit", () => {
  const raised = raisedBy([], { hasFence, today });
  expect(raised.get("sos")).toEqual(["critical"]);
  expect(raised.get("low_battery")).toEqual(["warning", "critical"]);
  for (const type of ["speeding", "geofence_enter", "unauthorised_movement", "temperature_low"] as const) {
    expect(raised.has(type)).toBe(false);
  }
});

test("a limit so far out that whatever is beyond it is critical", () => {
  const raised = raisedBy([rule("low_battery", { parameters: { below_percent: 10 } })], { hasFence, today });
  expect(raised.get("low_battery")).toEqual(["critical"]);
});
