import type { Frame, SensorReport } from "../../../src/domain/frame.ts";
import { noReport, randomNumbers } from "../../support/random-drive.ts";

/** What a tracker sends, and what is wrong with it. */
export interface Habits {
  readonly stepS: number;
  readonly speed: "sent" | "none" | "zero" | "noisy";
  readonly ignition: boolean;
  /** The error of its positions in metres; it lasts for some 40 s. */
  readonly errorM: number;
  readonly odometer: "none" | "exact" | "whole" | "high";
  /** Seconds between frames while it stands with the ignition off. */
  readonly sleepsS: number;
  /** Sends the last place again and again in a tunnel, instead of none. */
  readonly freezes?: boolean;
  /** Another tracker has the same IMEI, and is parked. */
  readonly isShared?: boolean;
  /** Now and then a position is so many metres off. */
  readonly strays?: number;
}

const begin = Date.UTC(2026, 2, 2, 5);
const metresPerDegree = 111_195;

/** A stretch of a vehicle's day. */
interface Stretch {
  readonly minutes: number;
  readonly kmh: number;
  readonly isOn: boolean;
  /** Degrees that it turns in a minute. */
  readonly turns?: number;
  readonly sky?: "tunnel" | "garage";
  /** Moved by this much in the meantime, by others. */
  readonly carriedM?: number;
  readonly isSilent?: boolean;
  /** Litres that are in the tank afterwards. */
  readonly fuelL?: number;
}

/** Two working days with a night in between: everything that a rule asks about happens at least once. */
const story: readonly Stretch[] = [
  { minutes: 40, kmh: 0, isOn: false },
  { minutes: 4, kmh: 0, isOn: true },
  { minutes: 9, kmh: 34, isOn: true, turns: 60 },
  { minutes: 2, kmh: 0, isOn: true },
  { minutes: 12, kmh: 84, isOn: true, turns: 8 },
  { minutes: 4, kmh: 80, isOn: true, sky: "tunnel" },
  { minutes: 10, kmh: 88, isOn: true, turns: 5 },
  { minutes: 20, kmh: 4, isOn: true, turns: 3 },
  { minutes: 25, kmh: 0, isOn: true, sky: "garage" },
  { minutes: 6, kmh: 45, isOn: true, turns: 70 },
  { minutes: 75, kmh: 2, isOn: true },
  { minutes: 14, kmh: 62, isOn: true, turns: 20 },
  { minutes: 30, kmh: 0, isOn: false, fuelL: 78 },
  { minutes: 16, kmh: 118, isOn: true, turns: 4 },
  { minutes: 22, kmh: 70, isOn: true, isSilent: true },
  { minutes: 6, kmh: 50, isOn: true, turns: 40 },
  { minutes: 5, kmh: 0, isOn: false },
  { minutes: 7, kmh: 28, isOn: true, turns: 90 },
  { minutes: 600, kmh: 0, isOn: false, fuelL: 31 },
  { minutes: 90, kmh: 0, isOn: false, carriedM: 15_000 },
  { minutes: 20, kmh: 55, isOn: true, turns: 30 },
  { minutes: 3, kmh: 0, isOn: true },
  { minutes: 11, kmh: 96, isOn: true, turns: 6 },
  { minutes: 3, kmh: 7, isOn: false },
  { minutes: 120, kmh: 0, isOn: false },
];

/** The frames of that vehicle's tracker, in their order: the same for the same habits and seed. */
export function framesWithHabits(habits: Habits, seed: number): Frame[] {
  // One frame a second is many frames: half of the early morning is enough.
  const isDense = habits.stepS === 1;
  const stretches = isDense ? story.slice(0, 8).map((one) => ({ ...one, minutes: one.minutes / 2 })) : story;
  const random = randomNumbers(seed);
  const bell = () => random() + random() + random() + random() - 2;
  const frames: Frame[] = [];
  let [at, east, north, heading, drivenM, fuelL, volts] = [begin, 0, 0, 40, 0, 62, 12.6];
  let error = { east: 0, north: 0 };
  let seen = { latitude: 48, longitude: 11 };
  for (const stretch of stretches) {
    const { minutes, kmh, isOn, turns = 0, sky, carriedM = 0, isSilent = false } = stretch;
    north += carriedM;
    const until = at + minutes * 60_000;
    while (at < until) {
      const stepS = isOn || kmh > 0 ? habits.stepS : habits.sleepsS;
      const lastS = (until - at) / 1000;
      const seconds = Math.min(stepS, lastS);
      at += Math.round(seconds * 1000);
      const now = Math.max(0, kmh + (kmh > 10 ? bell() * 6 : 0));
      const metres = (now / 3.6) * seconds;
      heading += (turns * seconds) / 60 + bell() * 4;
      east += metres * Math.sin((heading * Math.PI) / 180);
      north += metres * Math.cos((heading * Math.PI) / 180);
      drivenM += metres;
      fuelL = Math.max(2, fuelL - metres / 9000);
      volts = isOn ? 14 : 12.4;
      const kept = Math.exp(-seconds / 40);
      const spread = Math.sqrt(1 - kept * kept) * (sky === "garage" ? 60 : habits.errorM) * 1.7;
      error = { east: error.east * kept + bell() * spread, north: error.north * kept + bell() * spread };
      const stray = habits.strays !== undefined && random() < 0.01 ? habits.strays : 0;
      const place = placeOf(east + error.east + stray, north + error.north);
      const isLost = sky === "tunnel";
      if (!isLost) seen = place;
      if (isSilent) continue;
      const sent = isLost && !habits.freezes ? { latitude: null, longitude: null } : seen;
      frames.push({
        ...noReport,
        ...sent,
        recordedAt: at,
        receivedAt: at + 2000,
        digest: frames.length,
        fix: isLost && !habits.freezes ? false : null,
        speed_kmh: speedOf(habits, now, bell),
        accuracy_m: random() < 0.5 ? Math.round(5 + Math.abs(habits.errorM)) : null,
        satellites: 9,
        ignition: habits.ignition ? isOn : null,
        odometer_km: odometerOf(habits, drivenM),
        battery_percent: random() < 0.02 ? 0 : Math.round(60 + bell() * 45),
        external_voltage_v: random() < 0.01 ? 0 : Math.round((volts + bell()) * 10) / 10,
        event: random() < 0.004 ? "harsh_braking" : random() < 0.002 ? "sos" : null,
        sensors: isOn ? sensorsOf(fuelL, bell) : [],
      });
      if (habits.isShared && random() < 0.2) {
        frames.push({
          ...noReport,
          ...placeOf(-7000, 4000),
          recordedAt: at + 500,
          receivedAt: at + 2500,
          digest: frames.length,
          speed_kmh: habits.speed === "none" ? null : 0,
          ignition: habits.ignition ? false : null,
          satellites: 9,
        });
      }
    }
    fuelL = stretch.fuelL ?? fuelL;
  }
  return frames;
}

function placeOf(eastM: number, northM: number) {
  const latitude = 48 + northM / metresPerDegree;
  const longitude = 11 + eastM / (metresPerDegree * Math.cos((48 * Math.PI) / 180));
  return { latitude: rounded(latitude, 1e6), longitude: rounded(longitude, 1e6) };
}

function speedOf({ speed }: Habits, kmh: number, bell: () => number): number | null {
  if (speed === "none") return null;
  if (speed === "zero") return 0;
  const noisy = speed === "noisy" ? kmh + bell() * 6 : kmh;
  return rounded(Math.max(0, noisy), 10);
}

function odometerOf({ odometer }: Habits, metres: number): number | null {
  if (odometer === "none") return null;
  const km = 51_234.6 + (metres / 1000) * (odometer === "high" ? 1.2 : 1);
  return odometer === "whole" ? Math.floor(km) : rounded(km, 1000);
}

function sensorsOf(fuelL: number, bell: () => number): SensorReport[] {
  return [
    { kind: "fuel", sensor: "tank_1", level_percent: null, volume_l: rounded(fuelL + bell(), 10) },
    {
      kind: "tyre",
      sensor: "wheel_1",
      axle: 1,
      wheel: 1,
      pressure_kpa: rounded(640 + bell() * 180, 1),
      temperature_c: 40,
    },
    { kind: "temperature", sensor: "cargo", temperature_c: rounded(5 + bell() * 8, 10), humidity_percent: null },
  ];
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
