import { lowerMedian } from "../lower-median.ts";
import { drainInSilence, isAfterSilence, stayAwake, wake } from "./awake.ts";
import { type FuelThresholds, findChange, followChange } from "./level-change.ts";
import {
  type AwakeState,
  type LevelChange,
  type PastLevel,
  readingsPerMedian,
  type Tank,
  type TankReading,
} from "./tank.ts";

/** A rise or a fall must happen within this time. */
const withinMs = 30 * 60_000;

/** How far apart in time the remembered levels of a standing vehicle are. */
const apartMs = 10 * 60_000;

/** The most an engine uses, in litres: a loaded lorry uphill, one idling with its cooler on. 100 % counts as 100 L. */
const usePerKm = 0.5;
const usePerHourIdle = 5;

export interface TankAfter {
  readonly tank: Tank;
  /** What is now known for certain. */
  readonly over: { readonly change: LevelChange; readonly amount: number } | null;
}

/** Applies one reading of a tank. */
export function readTank(tank: Tank, reading: TankReading, thresholds: FuelThresholds): TankAfter {
  const isSilent = isAfterSilence(tank, reading);
  const use = expectedUse(isSilent ? undefined : tank.readings[tank.readings.length - 1], reading);
  const awake = isSilent ? wake(tank, reading, use) : stayAwake(tank, reading);
  const { woken } = awake;
  const after = followMedians(tank, awake, reading, use, thresholds);
  if (after.over !== null) return { tank: { ...after.tank, woken: null }, over: after.over };
  const drain = woken && drainInSilence(woken, reading, thresholds);
  if (drain === null) return after;
  if (drain === "none") return { tank: { ...after.tank, woken: null }, over: null };
  const level = drain.level;
  const past = [{ at: reading.at, level, due: level }];
  return {
    tank: { ...after.tank, past, change: null, woken: null },
    over: { change: drain, amount: drain.from - level },
  };
}

/** Nothing is reported before there are five readings. */
function followMedians(
  tank: Tank,
  { recent, woken }: AwakeState,
  reading: TankReading,
  use: number,
  thresholds: FuelThresholds,
): TankAfter {
  const { sensor, unit } = tank;
  // Every reading of every tank makes one: a literal is faster than a copy. The order of keys is that of every state.
  const tankWith = (readings: readonly TankReading[], past: readonly PastLevel[], change: LevelChange | null): Tank => {
    return { sensor, unit, readings, past, change, metres: 0, recent, woken };
  };
  const readings = [...tank.readings.slice(1 - readingsPerMedian), reading];
  const past = use === 0 ? tank.past : tank.past.map((level) => ({ ...level, due: level.due - use }));
  if (readings.length < readingsPerMedian) return { tank: tankWith(readings, past, tank.change), over: null };
  const median = lowerMedian(readings.map(({ level }) => level));
  const now: PastLevel = { at: reading.at, level: median, due: median };
  let { change } = tank;
  if (change === null) {
    const found = findChange(readings, median, past, thresholds);
    if (found === "none") return { tank: tankWith(readings, pastWith(past, now, reading), null), over: null };
    if (found === "apparent") return { tank: tankWith(readings, [now], null), over: null };
    change = found;
  } else if (change.alertType === "fuel_drain") {
    // Fuel used while driving does not prolong the drain.
    change = { ...change, from: change.from - use, level: change.level - use };
  }
  const after = followChange(change, median, reading, thresholds);
  if (!("over" in after)) return { tank: tankWith(readings, past, after), over: null };
  if (after.over === 0) return { tank: tankWith(readings, [now], null), over: null };
  // Reported once: earlier levels do not count again. The next change may have begun already, so later readings stay.
  const { at } = change;
  const since = readings.filter((one) => one.at >= at);
  return { tank: tankWith(since, [now], null), over: { change, amount: after.over } };
}

/** While it drives only the last level counts, since waves would add up; while it stands, those of half an hour. */
function pastWith(past: readonly PastLevel[], now: PastLevel, { isStill }: TankReading): readonly PastLevel[] {
  const last = past[past.length - 1];
  if (last === undefined || !isStill) return [now];
  const recent = past.filter((level) => level === last || now.at - level.at <= withinMs);
  if (now.at - last.at >= apartMs) return [...recent, now].filter((level) => now.at - level.at <= withinMs);
  return recent.length === past.length ? past : recent;
}

function expectedUse(last: TankReading | undefined, { at, metres, isIgnitionOn }: TankReading): number {
  const idleHours = last?.isIgnitionOn && isIgnitionOn ? (at - last.at) / 3_600_000 : 0;
  return (metres / 1000) * usePerKm + idleHours * usePerHourIdle;
}
