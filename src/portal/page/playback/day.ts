import type { Position, Trip } from "../api/records.ts";

/** A day of one vehicle, as the list and the map show it. Pure. */

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The day as the viewer's calendar has it: 23 or 25 hours when the clocks change. */
export function dayWindow(day: string, isUtc: boolean): Window {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  if (isUtc) return { from: Date.UTC(year, month - 1, date), to: Date.UTC(year, month - 1, date + 1) };
  return { from: +new Date(year, month - 1, date), to: +new Date(year, month - 1, date + 1) };
}

export function dayOf(at: number, isUtc: boolean): string {
  const moment = new Date(at);
  const [year, month, date] = isUtc
    ? [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
    : [moment.getFullYear(), moment.getMonth(), moment.getDate()];
  return `${year}-${String(month + 1).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}

/** Whether it is a day of the calendar, written as this page writes it: an address can hold anything. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(dayWindow(text, true).from, true) === text;
}

/** The calendar day before or after. */
export function shiftDay(day: string, by: number): string {
  const { from } = dayWindow(day, true);
  return dayOf(from + by * 86_400_000, true);
}

export interface Stop {
  readonly from: number;
  readonly to: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Where the vehicle stood between two trips of the day. */
export function stopsBetween(trips: readonly Trip[]): Stop[] {
  return trips.flatMap((trip, index) => {
    const next = trips[index + 1];
    if (!next || trip.ended_at === null || trip.end === null) return [];
    const [from, to] = [Date.parse(trip.ended_at), Date.parse(next.started_at)];
    return to > from ? [{ from, to, ...trip.end }] : [];
  });
}

/** Playing starts shortly before the first trip: until then there is nothing to see. */
const leadMs = 60_000;

export function playFrom(trips: readonly Trip[], begin: number): number {
  const [first] = trips;
  return first ? Math.max(begin, Date.parse(first.started_at) - leadMs) : begin;
}

export interface DaySummary {
  readonly distanceKm: number;
  readonly drivingS: number;
  readonly idleS: number;
  readonly maxSpeedKmh: number | null;
  readonly rejected: number;
}

/** A trip past midnight counts as a whole: the list shows trips, not the calendar. */
export function summarise(trips: readonly Trip[], frames: readonly Position[]): DaySummary {
  const speeds = frames.flatMap(({ valid, speed_kmh }) => (valid && speed_kmh !== null ? [speed_kmh] : []));
  return {
    distanceKm: sum(trips.map(({ distance_km }) => distance_km)),
    drivingS: sum(trips.map(({ duration_s }) => duration_s)),
    idleS: sum(trips.map(({ idle_s }) => idle_s)),
    maxSpeedKmh: speeds.length === 0 ? null : speeds.reduce((most, speed) => Math.max(most, speed)),
    rejected: frames.filter(({ valid }) => !valid).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The newest frame at that moment, or the first frame if the moment is before it. */
export function frameAt(frames: readonly Position[], at: number): Position | null {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(frames[middle]?.recorded_at ?? "") <= at) low = middle + 1;
    else high = middle;
  }
  return frames[Math.max(0, low - 1)] ?? null;
}
