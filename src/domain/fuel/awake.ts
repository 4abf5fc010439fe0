import type { FuelThresholds } from "./level-change.ts";
import {
  type AwakeState,
  type LevelChange,
  type LevelSum,
  readingsPerMedian,
  type Tank,
  type TankReading,
  type Woken,
} from "./tank.ts";

const none: LevelSum = { at: 0, sum: 0, count: 0 };

export const notAwake: AwakeState = { recent: [], woken: null };

/** How long a part is, and how long a sensor must be awake again: slopes and waves last for less. */
const partMs = 300_000;
const wokenMs = 600_000;

/** A shorter silence is a stop, or lost frames. */
const shortestSilenceMs = 30 * 60_000;

/** What the engine used on a longer way may explain the rest. */
const longestUnseenMetres = 5000;

/** Whether the sensor had no power: the ignition was off, and there was no reading for longer than the last five took. */
export function isAfterSilence({ readings }: Tank, { at, isIgnitionOn, isStill }: TankReading): boolean {
  const last = readings[readings.length - 1];
  if (last === undefined || (!isIgnitionOn && isStill)) return false;
  return at - last.at > Math.max(shortestSilenceMs, last.at - (readings[0] ?? last).at);
}

/** After another reading. Where it stands there may be a slope, and without power many sensors show 0 for a moment. */
export function stayAwake(awake: AwakeState, reading: TankReading): AwakeState {
  if (reading.isStill || reading.level === 0) return awake;
  const { recent, woken } = awake;
  const last = recent[recent.length - 1];
  const isSamePart = last !== undefined && reading.at - last.at < partMs;
  return {
    recent: isSamePart ? recent.with(-1, added(last, reading)) : [...recent.slice(-1), added(none, reading)],
    woken: woken && wokenWith(woken, reading),
  };
}

function wokenWith({ lastReceipt, latitude, longitude, due, ...sum }: Woken, reading: TankReading): Woken {
  const receipt = Math.max(lastReceipt, reading.receivedAt);
  return { ...added(sum, reading), lastReceipt: receipt, latitude, longitude, due };
}

/** After the first reading since a silence. `use` is what the engine may have used since the last one. */
export function wake({ recent }: Tank, reading: TankReading, use: number): AwakeState {
  const { receivedAt: lastReceipt, latitude, longitude, metres } = reading;
  const sum = recent.reduce((all, part) => all + part.sum, 0);
  const count = recent.reduce((all, part) => all + part.count, 0);
  if (count < readingsPerMedian || metres > longestUnseenMetres) return stayAwake(notAwake, reading);
  const woken: Woken = { ...none, lastReceipt, latitude, longitude, due: sum / count - use };
  return stayAwake({ recent: [], woken }, reading);
}

/** A drain in the silence; "none" once it is known that there was none, null as long as it is not. */
export function drainInSilence(
  { at, sum, count, due, lastReceipt, latitude, longitude }: Woken,
  reading: TankReading,
  { silentDrain }: FuelThresholds,
): LevelChange | "none" | null {
  if (count < readingsPerMedian || reading.at - at < wokenMs) return null;
  const level = sum / count;
  if (due - level < silentDrain) return "none";
  const shown = { at, latitude, longitude, settledAt: at, updatedAt: lastReceipt };
  return { alertType: "fuel_drain", ...shown, from: due, level };
}

/** In hundredths, so that a sum is the same however it came about. */
function added({ at, sum, count }: LevelSum, reading: TankReading): LevelSum {
  const next = Math.round((sum + reading.level) * 100) / 100;
  return { at: count === 0 ? reading.at : at, sum: next, count: count + 1 };
}
