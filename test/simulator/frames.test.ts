import { describe, expect, test } from "bun:test";
import { metresBetween } from "../../src/domain/geometry/distance.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { createWorld, type VehicleTruth } from "../../src/simulator/world.ts";

const from = Date.UTC(2026, 9, 26);
const until = from + 3 * 86_400_000;
const world = createWorld({ seed: 4, vehicles: 40, from });

type TakenFrame = IncomingFrame & {
  readonly recordedAt: number;
  readonly latitude: number;
  readonly longitude: number;
};

const problems: string[] = [];
const byImei = new Map<string, TakenFrame[]>();
for (const { arrivesAt, frames } of world.messages(from, until)) {
  for (const raw of frames) {
    const frame = readCanonicalFrame(JSON.parse(JSON.stringify(raw)), arrivesAt);
    if (typeof frame === "string") {
      problems.push(frame);
      continue;
    }
    const taken = byImei.get(frame.imei) ?? [];
    taken.push(frame as TakenFrame);
    byImei.set(frame.imei, taken);
  }
}
for (const frames of byImei.values()) frames.sort((one, other) => one.recordedAt - other.recordedAt);

const vehicles = world.truth(from, until).vehicles.map((truth): { truth: VehicleTruth; frames: TakenFrame[] } => ({
  truth,
  frames: byImei.get(truth.imei) ?? [],
}));

/** The frames of a vehicle that no fault has moved elsewhere. */
function soundFrames({ truth, frames }: { truth: VehicleTruth; frames: TakenFrame[] }): TakenFrame[] {
  const kinds = ["tunnel", "cold_start", "spike", "cached_position"];
  const bad = new Set(truth.faults.filter(({ kind }) => kinds.includes(kind)).flatMap((fault) => fault.frames));
  return frames.filter(({ recordedAt }) => !bad.has(recordedAt));
}

function steps<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.slice(1).map((item, index) => [items[index] as T, item]);
}

describe("the frames", () => {
  test("are all read as frames, none in the future", () => {
    expect(problems).toEqual([]);
    expect(byImei.size).toBe(40);
    const early = [...byImei.values()].flat().filter(({ recordedAt, receivedAt }) => recordedAt > receivedAt);
    expect(early).toEqual([]);
  });

  test("never leap, but in a fault", () => {
    const leaps = vehicles.flatMap((vehicle) => {
      const flights = vehicle.truth.faults.filter(({ kind }) => kind === "shipped_abroad");
      return steps(soundFrames(vehicle)).filter(([one, next]) => {
        const seconds = (next.recordedAt - one.recordedAt) / 1000;
        const isFlight = flights.some(({ at }) => at > one.recordedAt && at < next.recordedAt);
        return !isFlight && metresBetween(one, next) > (seconds * 175) / 3.6 + 60;
      });
    });
    expect(leaps).toEqual([]);
  });

  test("have speeds of road traffic, close to what the places say", () => {
    const odd = vehicles.flatMap((vehicle) =>
      steps(soundFrames(vehicle)).filter(([one, next]) => {
        const seconds = (next.recordedAt - one.recordedAt) / 1000;
        if (seconds <= 0 || seconds > 35 || one.speed_kmh === null || next.speed_kmh === null) return false;
        const fastest = Math.max(one.speed_kmh, next.speed_kmh);
        // Nobody brakes or accelerates harder than 2.5 m/s².
        const isHard = Math.abs(next.speed_kmh - one.speed_kmh) > 2.5 * 3.6 * seconds + 8;
        const isFar = (metresBetween(one, next) / seconds) * 3.6 > fastest + 9 * seconds + 45;
        return fastest > 175 || isHard || isFar;
      }),
    );
    expect(odd).toEqual([]);
  });

  test("have odometers that never fall, and fuel between empty and full", () => {
    for (const { frames } of vehicles) {
      const read = frames.filter(({ odometer_km }) => odometer_km !== null);
      expect(steps(read).filter(([one, next]) => (next.odometer_km ?? 0) < (one.odometer_km ?? 0))).toEqual([]);
      const reports = frames.flatMap(({ sensors }) => sensors).filter((sensor) => sensor.kind === "fuel");
      const levels = reports.map(({ level_percent }) => level_percent ?? 0);
      expect(levels.filter((level) => level <= 0 || level > 100)).toEqual([]);
    }
  });

  test("come often on the road, seldom from a parked vehicle", () => {
    const gaps = vehicles.flatMap(({ truth, frames }) => {
      const hidden = truth.faults.filter(({ kind }) => kind === "silent" || kind === "shipped_abroad");
      return steps(frames).filter(([one, next]) => {
        const seconds = (next.recordedAt - one.recordedAt) / 1000;
        if (hidden.some(({ at, until: end }) => at < next.recordedAt && end > one.recordedAt)) return false;
        const isDriving = truth.trips.some(({ startedAt, endedAt }) => {
          return one.recordedAt > startedAt && next.recordedAt < endedAt && one.speed_kmh !== 0;
        });
        return seconds > (isDriving ? 31 : 61 * 60);
      });
    });
    expect(gaps).toEqual([]);
  });
});

describe("the truth", () => {
  test("has as many kilometres by day as by trip", () => {
    for (const { truth } of vehicles) {
      // What is still on the road at the end of the window is cut off there by day, and whole as a trip.
      const trips = truth.trips.filter(({ isTowed }) => !isTowed);
      if (trips.some(({ endedAt }) => endedAt > until)) continue;
      const byTrip = trips.reduce((sum, { km }) => sum + km, 0);
      const byDay = Object.values(truth.kmByDay).reduce((sum, km) => sum + km, 0);
      expect(byDay).toBeCloseTo(byTrip, 6);
    }
  });

  test("has trips one after the other, and enter and exit of each fence by turns", () => {
    for (const { truth } of vehicles) {
      for (const [one, next] of steps(truth.trips)) expect(next.startedAt).toBeGreaterThan(one.endedAt);
      for (const crossings of Map.groupBy(truth.crossings, ({ fenceId }) => fenceId).values()) {
        for (const [one, next] of steps(crossings)) expect(next.type).not.toBe(one.type);
      }
    }
  });

  test("has every fault that it is to have, within the days where special things happen", () => {
    const kinds = new Set<string>(vehicles.flatMap(({ truth }) => truth.faults.map(({ kind }) => kind)));
    const wanted = [
      "tunnel",
      "cold_start",
      "spike",
      "cached_position",
      "buffered_burst",
      "duplicate",
      "shipped_abroad",
      "silent",
    ];
    expect([...kinds].sort()).toEqual(wanted.sort());
  });
});
