import { describe, expect, test } from "bun:test";
import { AccountFences } from "../../src/derive/fence-index.ts";
import type { Frame } from "../../src/domain/frame.ts";
import { initialStages, stepStages } from "../../src/domain/stages.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import { accepted, type RejectReason } from "../../src/domain/verdict.ts";
import { seen } from "./support/quality-frames.ts";

const context = { fuelTankCapacityL: 60, zone: utc, alertRules: [], fences: new AccountFences([]).of(1) };

const driving = Array.from({ length: 30 }, (_, index) =>
  seen(index * 10, index * 200, { ignition: true, speed_kmh: 72 }),
).reduce((state, frame) => stepStages(state, { frame, verdict: accepted, speedKmh: 72 }, context).state, initialStages);

/** All that a frame may report. */
const loud: Frame = seen(300, 1_500_000, {
  ignition: false,
  event: "sos",
  battery_percent: 1,
  external_voltage_v: 3,
  odometer_km: 7,
  sensors: [
    { kind: "fuel", sensor: "tank_1", level_percent: 5, volume_l: null },
    { kind: "temperature", sensor: "cargo_1", temperature_c: 90, humidity_percent: null },
  ],
});

const after = (rejectReason: RejectReason, frame = loud) =>
  stepStages(
    driving,
    { frame, verdict: { valid: false, rejectReason, discontinuity: false }, speedKmh: null },
    context,
  );

describe.each(["implausible_jump", "spike"] as const)("a frame rejected as %s", (reason) => {
  test("counts for no rule", () => {
    const { state, facts } = after(reason, { ...loud, event: null });
    expect(state).toBe(driving);
    expect(facts).toEqual([]);
  });

  test("raises its event, as a frame without a position does", () => {
    const { state, facts } = after(reason);
    expect(state.alerts.episodes.map(({ alertType }) => alertType)).toEqual(["gps_lost", "sos"]);
    expect({ ...state, alerts: driving.alerts }).toEqual(driving);
    expect(facts).toEqual([]);
  });
});

test("a frame without a position still counts for the ignition, and for alerts", () => {
  const { state } = after("no_fix");
  expect(state.trips.phase).toBe("switched_off");
  expect(state.alerts.episodes.length).toBeGreaterThan(0);
});
