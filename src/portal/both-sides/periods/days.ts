import { dateOfDay, dayMs } from "../../../domain/time/time.ts";
import { storedZone } from "../../../domain/time/time-zone.ts";

/** Days of the calendar of a time zone, written as `2026-11-15`. Pure. */

export interface DayWindow {
  readonly from: number;
  readonly to: number;
}

export function dayAt(at: number, zone: string): string {
  return dateOfDay(storedZone(zone).dayOf(at));
}

/** From the first moment of a day to that of the next: 23 or 25 hours when the clocks change. */
export function dayWindow(day: string, zone: string): DayWindow {
  return daysWindow(day, day, zone);
}

/** Both days included. */
export function daysWindow(first: string, last: string, zone: string): DayWindow {
  const days = storedZone(zone);
  return { from: days.startOf(numberOf(first)), to: days.startOf(numberOf(last) + 1) };
}

/** The time of a clock in that zone, as `14:05`. */
export function clockAt(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(
    at,
  );
}

/** When clocks show that time on the day; on a day whose clocks change, the nearest to it. */
export function momentOfClock({ from }: DayWindow, clock: string, zone: string): number {
  const wanted = minutesOf(clock);
  const guess = from + wanted * 60_000;
  return guess + (wanted - minutesOf(clockAt(guess, zone))) * 60_000;
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

/** Whether it is a day of the calendar: an address can hold anything. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && dateOfDay(numberOf(text)) === text;
}

export function shiftDay(day: string, by: number): string {
  return dateOfDay(numberOf(day) + by);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** How many days, both included. */
export function daysBetween(first: string, last: string): number {
  return numberOf(last) - numberOf(first) + 1;
}

function numberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}
