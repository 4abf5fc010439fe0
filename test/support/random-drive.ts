import { nothingReported } from "../../src/domain/frame.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const noReport: Omit<IncomingFrame, "imei" | "recordedAt" | "receivedAt"> = {
  ...nothingReported,
  fix: null,
  source: null,
  sensors: [],
};

export interface DriveOptions {
  readonly imei: string;
  readonly seed: number;
  readonly count: number;
  readonly beginAt: number;
  /** Where it begins, in degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
  /** Whether it may turn up on the other side of the world now and then; it does by default. */
  readonly leaps?: boolean;
}

const metresPerDegree = 111_195;

/**
 * The frames of a made-up vehicle in their order: drives and stops, with all that real trackers do wrong: gaps, spikes,
 * fixes lost, places of yesterday, jumps across the world, cell positions, and two frames of one moment.
 */
export function randomDrive(options: DriveOptions): IncomingFrame[] {
  const random = randomNumbers(options.seed);
  // Drawn apart, so that the drives are the same with and without drivers.
  const ofDrivers = randomNumbers(options.seed + 1_000_003);
  const hasReader = ofDrivers() < 0.5;
  let driver: string | undefined;
  const chance = (probability: number) => random() < probability;
  const knowsIgnition = chance(0.7);
  const knowsSpeed = chance(0.8);
  const everyMs = [1_000, 5_000, 10_000, 30_000, 60_000][Math.floor(random() * 5)] ?? 10_000;
  let { latitude = 52.5, longitude = 13.4 } = options;
  let at = options.beginAt;
  let heading = random() * 360;
  let isDriving = false;
  let left = 1 + Math.floor(random() * 30);
  let odometerKm = 1000 + random() * 100_000;
  let fuel = 80;
  let speed = 0;
  const frames: IncomingFrame[] = [];
  while (frames.length < options.count) {
    if (left-- <= 0) {
      isDriving = !isDriving;
      left = 1 + Math.floor(random() * (isDriving ? 60 : 30));
      if (hasReader) driver = isDriving ? `0000${Math.floor(ofDrivers() * 4)}A01` : undefined;
    }
    let stepMs = chance(0.02) ? Math.floor(random() * 7_200_000) : everyMs * (0.9 + random() * 0.2);
    if (chance(0.01)) stepMs = 0;
    at += Math.floor(stepMs);
    if (isDriving) {
      speed = Math.max(0, Math.min(120, speed + (random() - 0.4) * 30));
      heading += (random() - 0.5) * 40;
    } else speed = 0;
    const metres = (speed / 3.6) * (stepMs / 1000);
    odometerKm += metres / 1000;
    fuel = chance(0.005) ? 20 + random() * 80 : Math.max(0, fuel - metres / 20_000);
    latitude += (metres * Math.cos((heading * Math.PI) / 180)) / metresPerDegree;
    longitude +=
      (metres * Math.sin((heading * Math.PI) / 180)) / (metresPerDegree * Math.cos((latitude * Math.PI) / 180));
    if (chance(0.003) && options.leaps !== false) {
      latitude = Math.max(-80, Math.min(80, latitude + (random() - 0.5) * 40));
      longitude += (random() - 0.5) * 100;
    }
    latitude = Math.max(-85, Math.min(85, latitude));
    longitude = ((((longitude + 180) % 360) + 360) % 360) - 180;
    const isSpike = chance(0.01);
    const drift = () => (random() - 0.5) * 0.0002;
    frames.push({
      ...noReport,
      imei: options.imei,
      recordedAt: at,
      receivedAt: at + Math.floor(random() * 5_000),
      latitude: rounded(latitude + drift() + (isSpike ? 0.05 : 0)),
      longitude: rounded(longitude + drift()),
      speed_kmh: knowsSpeed ? Math.round(speed * 10) / 10 : null,
      heading_deg: Math.round((((heading % 360) + 360) % 360) * 10) / 10,
      accuracy_m: chance(0.3) ? Math.round(random() * 60) : null,
      satellites: chance(0.03) ? 2 : 9,
      ignition: knowsIgnition ? isDriving || chance(0.1) : null,
      odometer_km: chance(0.8) ? Math.round(odometerKm * 1000) / 1000 : null,
      battery_percent: chance(0.2) ? Math.round(random() * 100) : null,
      external_voltage_v: chance(0.2) ? Math.round((11 + random() * 3) * 10) / 10 : null,
      event: chance(0.01) ? "sos" : chance(0.01) ? "harsh_braking" : null,
      fix: chance(0.02) ? false : null,
      source: chance(0.02) ? "cell" : null,
      sensors: chance(0.3)
        ? [
            { kind: "fuel", sensor: "tank_1", level_percent: Math.round(fuel * 10) / 10, volume_l: null },
            {
              kind: "temperature",
              sensor: "cargo",
              temperature_c: Math.round((random() * 20 - 5) * 10) / 10,
              humidity_percent: null,
            },
          ]
        : [],
      driver_id: driver,
    });
  }
  return frames;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** The same elements in another order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}
