import { beforeAll, describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { createWorld, type VehicleTruth } from "../../src/simulator/world.ts";
import { type Comparison, clock, compareVehicle } from "./comparison.ts";
import { type Derived, deriveWorld } from "./derived-world.ts";
import { causes, comparisonTable, errorPercent } from "./table.ts";

/** A Monday on which a fortnight's special days begin, and three days from there: all that can happen does. */
const from = Date.UTC(2026, 9, 26);
const until = from + 3 * 86_400_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What a receiver gets wrong about where it is. */
const placeFaults = ["tunnel", "cold_start", "spike", "cached_position"] as const;

describe("what the product tells of the demo fleet", () => {
  const vehicles: { readonly truth: VehicleTruth; readonly derived: Derived }[] = [];
  const comparisons: Comparison[] = [];

  beforeAll(async () => {
    const world = createWorld({ seed: 1, vehicles: 40, from });
    const derived = await deriveWorld(world, from, until);
    for (const truth of world.truth(from, until).vehicles) {
      const found = derived.get(truth.imei);
      if (found === undefined) throw new Error(`${truth.name} is not there`);
      vehicles.push({ truth, derived: found });
      comparisons.push(compareVehicle(truth, found, until));
    }
    console.log(comparisonTable(comparisons));
    console.log(`crossings that differ: ${causes(comparisons.flatMap((one) => one.crossingDifferences))}`);
  }, 30_000);

  const alertsOf = (derived: Derived, type: string, at: number, withinMs: number) =>
    derived.alerts.filter(({ alert_type, occurred_at }) => {
      return alert_type === type && occurred_at >= at - minuteMs && occurred_at <= at + withinMs;
    });

  test("is within 2 % of the kilometres that were driven on each day", () => {
    const wrong = comparisons.flatMap((one) => {
      const truth = vehicles.find((vehicle) => vehicle.truth.name === one.name)?.truth;
      return one.days.filter((day) => {
        // A vehicle on a lorry moves, too: without an odometer that is believed its way is counted.
        const towedKm = (truth?.trips ?? [])
          .filter(({ isTowed, startedAt }) => isTowed && new Date(startedAt).toISOString().startsWith(day.day))
          .reduce((sum, { km }) => sum + km, 0);
        const asDriven = errorPercent(day);
        const asMoved = errorPercent({ km: day.km + towedKm, foundKm: day.foundKm });
        return Math.min(asDriven, towedKm > 0 ? asMoved : asDriven) > 2;
      });
    });
    expect(wrong).toEqual([]);
  });

  test("has every trip over 500 m once, and no other", () => {
    expect(comparisons.flatMap((one) => one.tripDifferences)).toEqual([]);
    expect(comparisons.reduce((sum, one) => sum + one.trips, 0)).toBeGreaterThan(900);
  });

  test("has every crossing once, but where a known limit explains the difference", () => {
    const differences = comparisons.flatMap((one) => one.crossingDifferences);
    expect(differences.filter(({ cause }) => cause === null)).toEqual([]);
    const crossings = comparisons.reduce((sum, one) => sum + one.crossings, 0);
    expect(differences.length / crossings).toBeLessThan(0.02);
  });

  test("believes no jump, no place of yesterday and no fix in a tunnel", () => {
    const believed = vehicles.flatMap(({ truth, derived }) => {
      const valid = new Set(derived.frames.filter((frame) => frame.valid).map((frame) => frame.recorded_at));
      return truth.faults
        .filter(({ kind }) => kind !== "cold_start" && placeFaults.some((placeFault) => placeFault === kind))
        .flatMap(({ kind, frames }) =>
          frames.filter((at) => valid.has(at)).map((at) => `${truth.name} ${kind} ${clock(at)}`),
        );
    });
    expect(believed).toEqual([]);
  });

  test("believes a wrong first fix only if nothing around it speaks against it", () => {
    const [all, believed, unexplained] = [[] as number[], [] as number[], [] as string[]];
    for (const { truth, derived } of vehicles) {
      const valid = derived.frames.filter((frame) => frame.valid).map((frame) => frame.recorded_at);
      for (const at of truth.faults.filter(({ kind }) => kind === "cold_start").flatMap(({ frames }) => frames)) {
        all.push(at);
        const index = valid.indexOf(at);
        if (index < 0) continue;
        believed.push(at);
        if (!isBeyondDoubt(derived, valid[index - 1] ?? 0, at, valid[index + 1] ?? 0)) {
          unexplained.push(`${truth.name} ${clock(at)}`);
        }
      }
    }
    console.log(`wrong first fixes that are believed: ${believed.length} of ${all.length}`);
    expect(unexplained).toEqual([]);
    expect(believed.length / all.length).toBeLessThan(0.2);
  });

  test("rejects no frame that is right, but for the last one before a flight", () => {
    const rejected = vehicles.flatMap(({ truth, derived }) => {
      const bad = new Set(
        truth.faults.flatMap(({ kind, frames }) => (placeFaults.some((k) => k === kind) ? frames : [])),
      );
      const flights = truth.faults.filter(({ kind }) => kind === "shipped_abroad");
      return derived.frames
        .filter(({ valid, recorded_at }) => !valid && !bad.has(recorded_at))
        .filter(({ recorded_at }) => !flights.some(({ at }) => recorded_at < at && at - recorded_at < hourMs))
        .map(({ recorded_at, reject_reason }) => `${truth.name} ${clock(recorded_at)} ${reject_reason}`);
    });
    expect(rejected).toEqual([]);
  });

  test("has each refill and the theft, with their litres, and no other", () => {
    for (const { truth, derived } of vehicles) {
      const measured = truth.fuel.filter(({ isMeasured }) => isMeasured);
      for (const { type, at, litres } of measured) {
        const [alert] = alertsOf(derived, type === "refill" ? "fuel_refill" : "fuel_drain", at, hourMs);
        expect(Math.abs((alert?.value ?? 0) - litres)).toBeLessThan(Math.max(3, litres * 0.04));
      }
      const told = derived.alerts.filter(
        ({ alert_type }) => alert_type === "fuel_refill" || alert_type === "fuel_drain",
      );
      expect(told).toHaveLength(measured.length);
    }
    expect(vehicles.flatMap(({ truth }) => truth.fuel).filter(({ type }) => type === "theft")).toHaveLength(1);
  });

  test("has the slow puncture soon after the tyre is low, and no other", () => {
    const told = vehicles.flatMap(({ derived }) =>
      derived.alerts.filter(({ alert_type }) => alert_type === "tyre_pressure_low"),
    );
    const [puncture] = vehicles.flatMap(({ truth }) => truth.tyres);
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain(`axle_${puncture?.axle}_wheel_${puncture?.wheel}`);
    expect(Math.abs((told[0]?.occurred_at ?? 0) - (puncture?.lowAt ?? 0))).toBeLessThan(2 * hourMs);
  });

  test("has what trackers tell themselves, each at its moment", () => {
    const missed = vehicles.flatMap(({ truth, derived }) =>
      truth.events.filter(
        ({ type, at }) => !derived.alerts.some((one) => one.alert_type === type && one.occurred_at === at),
      ),
    );
    expect(missed).toEqual([]);
    expect(vehicles.flatMap(({ truth }) => truth.events).some(({ type }) => type === "sos")).toBe(true);
  });

  test("knows of the towed car, the warm cargo, the speeder, the weak battery and the silent device", () => {
    const types = (name: string) =>
      new Set(vehicles.find(({ truth }) => truth.name === name)?.derived.alerts.map(({ alert_type }) => alert_type));
    expect(types("Car 01")).toContain("towing");
    expect(types("Reefer 01")).toContain("temperature_high");
    expect(types("Car 02")).toContain("speeding");
    expect(types("Service 02")).toContain("low_external_voltage");
    const offline = vehicles.filter(({ derived }) =>
      derived.alerts.some(({ alert_type }) => alert_type === "device_offline"),
    );
    expect(offline.map(({ truth }) => truth.name)).toEqual(["Van 03"]);
    expect(offline[0]?.truth.faults.some(({ kind }) => kind === "silent")).toBe(true);
  });
});

/**
 * The limits of the rules: a lone fix is given up only when the next ones cannot be reached from it; and one that comes
 * within ten minutes of another is not alone.
 */
function isBeyondDoubt({ sent }: Derived, before: number, at: number, after: number): boolean {
  if (at - before <= 600_000) return true;
  const [one, next] = [sent.get(at), sent.get(after)];
  const place = (frame: typeof one) => ({ latitude: frame?.latitude ?? 0, longitude: frame?.longitude ?? 0 });
  const metres = metresBetween(place(one), place(next));
  const seconds = (after - at) / 1000;
  const fastestKmh = seconds <= 60 ? Math.max(one?.speed_kmh ?? 0, next?.speed_kmh ?? 0) + 80 : 250;
  return metres <= (fastestKmh / 3.6) * seconds + 100 + (one?.accuracy_m ?? 0) + (next?.accuracy_m ?? 0);
}
