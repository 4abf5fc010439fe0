import { expect } from "bun:test";
import type { FuelReport } from "../../../src/domain/frame.ts";
import { alertsIn, type Drive, type Moment, rule, type Settings } from "../alerts-drive.ts";

export function tank(level_percent: number | null, volume_l: number | null = null, sensor = "tank_1"): FuelReport {
  return { kind: "fuel", sensor, level_percent, volume_l };
}

/** Standing with the ignition off, one reading every so many seconds. */
export function parked(from: number, every: number, levels: readonly number[], change: Partial<Moment> = {}): Moment[] {
  return levels.map((level, index) => ({
    at: from + index * every,
    speed: 0,
    ignition: false,
    sensors: [tank(level)],
    ...change,
  }));
}

/** At 60 km/h, one reading every so many seconds. */
export function driving(from: number, every: number, levels: readonly number[]): Moment[] {
  return levels.map((level, index) => {
    const at = from + index * every;
    return { at, speed: 60, ignition: true, north: (at * 60) / 3.6, sensors: [tank(level)] };
  });
}

export function fuel(driven: Drive): unknown[] {
  return alertsIn(driven).map(([type, since, until, severity, value]) => {
    expect(until).toBe(since);
    expect(severity).toBe(type === "fuel_drain" ? "critical" : "info");
    return [type, since, value];
  });
}

export function levelOf({ sensors }: Moment): number {
  const report = sensors?.[0];
  return report?.kind === "fuel" ? (report.level_percent ?? 0) : 0;
}

export const five = (level: number) => Array<number>(5).fill(level);
export const quiet: Settings = { rules: [[0, [rule("idling", { enabled: false })]]] };
export const litres = (capacityL: number): Settings => ({ capacityL });
