import { expect, test } from "bun:test";
import { alertTypes } from "../../src/domain/alert-types.ts";
import { listedRules } from "../../src/domain/alerts/listed-rules.ts";
import { defaultParameters } from "../../src/domain/alerts/parameters.ts";
import { defaultRules, readRule } from "../../src/domain/alerts/read-rule.ts";
import { rulesInForce } from "../../src/domain/alerts/rules-in-force.ts";
import type { SetRule } from "../../src/domain/alerts/set-rules.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { plainFences } from "./crossings-drive.test.ts";

const seed = announcedSeed("listed rules");
const fenceIds = ["depot", "harbour"];

const contextWith = (rules: readonly AlertRule[]): DeviceContext => ({
  fuelTankCapacityL: null,
  zone: utc,
  alertRules: [{ validFrom: 0, content: rules }],
  fences: plainFences({}),
});

test("each type has one default, and it says what the derivation goes by", () => {
  const listed = listedRules([]);
  expect(listed.map(({ alertType }) => alertType)).toEqual([...alertTypes]);
  for (const rule of listed) {
    expect(rule.source).toBe("default");
    expect(rule.parameters).toBe(defaultParameters[rule.alertType]);
    expect(rule.enabled).toBe(defaultRules[rule.alertType] !== null);
    expect(readRule(rule)).toEqual(defaultRules[rule.alertType]);
  }
});

function randomRules(random: () => number): SetRule[] {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: Math.floor(random() * 6) }, (): SetRule => {
    const alertType = one(alertTypes);
    const isOfSensor = alertType.startsWith("temperature") && random() < 0.5;
    const given = {
      limit_kmh: 50,
      after_s: 300,
      above_c: 5,
      below_c: -5,
      below_percent: 30,
      nominal_kpa: { "1": 800 },
    };
    return {
      alertType,
      enabled: random() < 0.7,
      severity: one(["critical", null] as const),
      parameters: random() < 0.6 ? { ...given, ...(isOfSensor && { sensor: "cargo" }) } : {},
      geofenceIds: fenceIds.filter(() => random() < 0.3),
      ...one([
        { setFor: "device", tag: null },
        { setFor: "tag", tag: "cold" },
        { setFor: "account", tag: null },
      ] as const),
    };
  });
}

test("the rules that are listed judge as those that the derivation goes by, in and out of fences", () => {
  for (let round = 0; round < 2000; round++) {
    const rules = randomRules(randomNumbers(seed + round));
    const listed = listedRules(rules);
    expect(listed.filter(({ source }) => source === "set").map(({ source: _, ...rule }) => rule)).toEqual(rules);
    for (const inside of [[], ["depot"], fenceIds]) {
      const found = rulesInForce(contextWith(listed), 1, inside);
      expect(found, `round ${round}`).toEqual(rulesInForce(contextWith(rules), 1, inside));
    }
  }
});

test("no default is listed that holds nowhere", () => {
  for (let round = 0; round < 500; round++) {
    const rules = randomRules(randomNumbers(seed + 5000 + round));
    const general = rules.filter(
      ({ geofenceIds, parameters }) => geofenceIds.length === 0 && !("sensor" in parameters),
    );
    for (const { alertType } of general) {
      expect(listedRules(rules).some((rule) => rule.source === "default" && rule.alertType === alertType)).toBe(false);
    }
  }
});
