import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AccountFences } from "../../src/derive/fence-index.ts";
import { alertTypes } from "../../src/domain/alert-types.ts";
import { holdsAt, nextWithin, type RuleTimes, stretchesBetween } from "../../src/domain/alerts/rule-times.ts";
import type { DeviceContext } from "../../src/domain/device-context.ts";
import { type AlertFact, type Fact, factKey, type TripFact } from "../../src/domain/facts.ts";
import type { AlertRule, Json } from "../../src/domain/fleet.ts";
import { emptyFold, foldFrame } from "../../src/domain/fold.ts";
import type { Frame } from "../../src/domain/frame.ts";
import { openFacts } from "../../src/domain/stages.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import { forAll } from "../support/for-all.ts";
import { randomDrive } from "../support/random-drive.ts";
import { anyTimes, cutTo, spansByClock } from "../support/times-oracle.ts";
import { alertsIn, drive, noon, rule } from "./alerts-drive.ts";
import { circleOf } from "./support/shapes.ts";

const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns"];
const every: RuleTimes["within"][number]["days"] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const daily = (from: string, until: string): RuleTimes & Json => ({
  within: [{ days: every, from, until }],
  dates_off: [],
});

const yard = {
  fenceId: "yard",
  name: "Yard",
  validFrom: 0,
  shape: circleOf([13.4, 52.5], 1500),
  devices: new Set([1]),
};

function contextWith(zone: string, times: (RuleTimes & Json) | null): DeviceContext {
  const settings = { limit_kmh: 60, above_c: 8, below_c: 2, nominal_kpa: 780, after_s: 120 };
  const content = alertTypes.map(
    (alertType): AlertRule => ({
      alertType,
      enabled: true,
      severity: null,
      parameters: times === null ? settings : { ...settings, times },
      geofenceIds: alertType.startsWith("geofence") ? ["yard"] : [],
    }),
  );
  return {
    fuelTankCapacityL: 80,
    zone: storedZone(zone),
    alertRules: [{ validFrom: 0, content }],
    fences: new AccountFences([yard]).of(1),
  };
}

function factsOf(frames: readonly Frame[], context: DeviceContext): Fact[] {
  const facts = new Map<string, Fact>();
  const add = (fact: Fact) => {
    // What is final is never reported again.
    expect(facts.has(factKey(fact))).toBe(false);
    facts.set(factKey(fact), fact);
  };
  let fold = emptyFold;
  for (const frame of frames) {
    const next = foldFrame(fold, frame, context);
    fold = next.fold;
    for (const final of next.final) final.facts.forEach(add);
    // Any frame may be the last one before a restart.
    if (frame.digest % 16 === 0) fold = JSON.parse(JSON.stringify(fold));
  }
  for (const pending of fold.tail) pending.facts.forEach(add);
  openFacts(fold.tip, context, null).forEach(add);
  return [...facts.values()];
}

function framesOf(seed: number, beginAt: number, count: number): Frame[] {
  return randomDrive({ imei: "356307042000021", seed, count, beginAt, leaps: false }).map((frame, digest) => ({
    ...frame,
    digest,
    recordedAt: frame.recordedAt ?? 0,
  }));
}

const alertsAmong = (facts: readonly Fact[]) => facts.filter((fact): fact is AlertFact => fact.kind === "alert");
const tripsAmong = (facts: readonly Fact[]) => facts.filter((fact): fact is TripFact => fact.kind === "trip");
const spanOf = ({ alertType, qualifier, occurredAt, endedAt }: AlertFact) =>
  [alertType, qualifier, occurredAt, endedAt] as const;
const sorted = (spans: readonly (readonly unknown[])[]) => spans.map((span) => JSON.stringify(span)).sort();

/** In the nights in which clocks change, and in ordinary ones. */
const begins = ["2026-03-28T16:00:00Z", "2026-10-24T14:00:00Z", "2026-06-12T20:00:00Z"].map((at) => Date.parse(at));

describe("rules with times", () => {
  test("raise what they raise without, cut to the times", () => {
    const some = fc.constantFrom(...begins).chain((beginAt) => fc.tuple(fc.constant(beginAt), anyTimes(beginAt)));
    let cut = 0;
    forAll(25, [fc.nat(100_000), some, fc.constantFrom(...zones)], (seed, [beginAt, times], zone) => {
      const frames = framesOf(seed, beginAt, 250);
      const last = Math.max(...frames.map(({ recordedAt }) => recordedAt));
      const always = factsOf(frames, contextWith(zone, null));
      const within = factsOf(frames, contextWith(zone, times as RuleTimes & Json));
      const spans = spansByClock(times, zone, beginAt, last);
      const expected = alertsAmong(always).flatMap(({ alertType, qualifier, occurredAt, endedAt }) =>
        cutTo(spans, occurredAt, endedAt, last).map((span) => [alertType, qualifier, ...span]),
      );
      const found = alertsAmong(within).filter(({ alertType }) => alertType !== "unauthorised_movement");
      expect(sorted(found.map(spanOf))).toEqual(sorted(expected));
      // Drives are the trips, cut in the same way. One under way may stand by now.
      const over = tripsAmong(always).filter(({ endedAt }) => endedAt !== null);
      const underWay =
        tripsAmong(always).find(({ endedAt }) => endedAt === null)?.startedAt ?? Number.POSITIVE_INFINITY;
      const drives = over.flatMap(({ startedAt, endedAt }) => cutTo(spans, startedAt, endedAt, last));
      const reported = alertsAmong(within).filter(
        ({ alertType, occurredAt }) => alertType === "unauthorised_movement" && occurredAt < underWay,
      );
      expect(sorted(reported.map(({ occurredAt, endedAt }) => [occurredAt, endedAt]))).toEqual(sorted(drives));
      cut += expected.length + drives.length;
      // What was not cut is the same in every field.
      const before = new Map(alertsAmong(always).map((fact) => [JSON.stringify(spanOf(fact)), fact]));
      for (const fact of found) {
        const same = before.get(JSON.stringify(spanOf(fact)));
        if (same !== undefined && fact.endedAt !== null)
          expect(fact).toMatchObject({ ...same, updatedAt: fact.updatedAt });
      }
    });
    expect(cut).toBeGreaterThan(0);
  });

  test("hold when the clocks say so, whatever the zone", () => {
    const some = fc.constantFrom(...begins).chain((beginAt) => fc.tuple(fc.constant(beginAt), anyTimes(beginAt)));
    forAll(100, [some, fc.constantFrom(...zones)], ([beginAt, times], zone) => {
      const last = beginAt + 3 * 86_400_000;
      const spans = spansByClock(times, zone, beginAt, last).filter(([from, until]) => from <= last && until > beginAt);
      const found = stretchesBetween(times, storedZone(zone), beginAt, last);
      const next = nextWithin(times, storedZone(zone), beginAt);
      const soon = stretchesBetween(times, storedZone(zone), beginAt, next);
      if (next < beginAt + 7 * 86_400_000) expect(soon.map(({ from }) => from)).toEqual([next]);
      else expect(soon.filter(({ from }) => from < next)).toEqual([]);
      expect(found.map(({ from }) => from)).toEqual(spans.map(([from]) => Math.max(from, beginAt)));
      for (let at = beginAt; at < last; at += 450_000) {
        const isWithin = spans.some(([from, until]) => from <= at && at < until);
        expect(holdsAt(times, storedZone(zone), at)).toBe(isWithin);
      }
    });
  });
});

/** Seconds after noon, UTC. */
describe("an alert within times", () => {
  const withTimes = (from: string, until: string, more: Readonly<Record<string, Json>> = {}) => ({
    parameters: { ...more, times: daily(from, until) },
  });

  test("begins and ends with them, and has the worst value within", () => {
    const rules = [[0, [rule("speeding", withTimes("12:01", "12:02", { limit_kmh: 50 }))]]] as const;
    const speeds = [...Array(19).keys()].map((index) => ({
      at: index * 10,
      speed: index === 2 ? 150 : index === 8 ? 90 : index === 15 ? 140 : 70,
      north: index * 200,
    }));
    expect(alertsIn(drive(speeds, { rules }))).toEqual([["speeding", 60, 120, "critical", 90]]);
    expect(alertsIn(drive(speeds.slice(0, 10), { rules }))).toEqual([["speeding", 60, null, "critical", 90]]);
    expect(alertsIn(drive(speeds.slice(0, 6), { rules }))).toEqual([]);
  });

  test("is over with them only once it is known to have lasted so long", () => {
    const rules = [[0, [rule("speeding", withTimes("12:01", "12:02", { limit_kmh: 50 }))]]] as const;
    const fast = (at: number, speed = 70) => ({ at, speed, north: at * 20 });
    const speeds = [...Array(12).keys()].map((index) => fast(index * 10));
    const unseen = { at: 125, valid: false };
    expect(alertsIn(drive([...speeds, unseen], { rules }))).toEqual([["speeding", 60, 120, "warning", 70]]);
    // After a silence it ended with the last speed.
    expect(alertsIn(drive([...speeds, unseen, fast(500)], { rules }))).toEqual([["speeding", 60, 110, "warning", 70]]);
    // What is faster after the times is no value of theirs.
    const goesOn = drive([...speeds, unseen, fast(130, 80)], { rules });
    expect(alertsIn(goesOn)).toEqual([["speeding", 60, 120, "warning", 70]]);
    expect(goesOn.final.length).toBe(1);
  });

  test("of a sensor that falls silent ended with its last reading", () => {
    const reading = (minute: number, celsius: number | null) => ({
      at: minute * 60,
      sensors:
        celsius === null
          ? []
          : [{ kind: "temperature" as const, sensor: "a", temperature_c: celsius, humidity_percent: null }],
    });
    const rules = [[0, [rule("temperature_high", withTimes("13:00", "14:00", { above_c: 8 }))]]] as const;
    const readings = [0, 10, 70, 80].map((minute) => reading(minute, 10));
    const silent = (minute: number) => alertsIn(drive([...readings, reading(minute, null)], { rules }));
    const day = 24 * 60;
    expect(silent(90)).toEqual([["temperature_high", 3600, null, "warning", 10]]);
    expect(silent(150)).toEqual([["temperature_high", 3600, 7200, "warning", 10]]);
    expect(silent(day + 90)).toEqual([["temperature_high", 3600, 4800, "warning", 10]]);
  });

  test("of one moment is raised if that lies within", () => {
    const rules = [[0, [rule("sos", withTimes("12:01", "12:02"))]]] as const;
    const pressed = (at: number) => alertsIn(drive([{ at, event: "sos" }], { rules })).length;
    expect([59, 60, 119, 120].map(pressed)).toEqual([0, 1, 1, 0]);
  });

  test("gives way to the rule before it outside its times", () => {
    const always = rule("speeding", { parameters: { limit_kmh: 100 } });
    const rules = [[0, [always, rule("speeding", withTimes("12:05", "12:10", { limit_kmh: 50 }))]]] as const;
    const speeds = [...Array(90).keys()].map((index) => ({ at: index * 10, speed: 80, north: index * 222 }));
    expect(alertsIn(drive(speeds, { rules }))).toEqual([["speeding", 300, 600, "critical", 80]]);
  });

  test("of a drive is shown only once the vehicle moved within them", () => {
    expect(noon).toBe(Date.UTC(2026, 5, 15, 12));
    const rules = [[0, [rule("unauthorised_movement", withTimes("12:10", "13:00"))]]] as const;
    const until = (second: number) => [60, second].map((at) => ({ at, trip: 0 }));
    expect(alertsIn(drive(until(500), { rules }))).toEqual([]);
    expect(alertsIn(drive(until(700), { rules }))).toEqual([["unauthorised_movement", 600, null, "warning", null]]);
    // Without times it raises nothing.
    expect(alertsIn(drive(until(700), { rules: [[0, [rule("unauthorised_movement")]]] }))).toEqual([]);
  });
});
