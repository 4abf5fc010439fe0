import { dayMs } from "../time/time.ts";
import { clockOf, offsetAt } from "../time/zone-days.ts";
import type { NotificationChoice, Pacing, QuietHours } from "./choice.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An alert that occurred longer ago is late: it wakes nobody, and comes with what is gathered. */
const lateMs = 2 * hourMs;

/** What became known longer after it was received is a correction of the past, not news. */
export const newsMs = 31 * dayMs;

/** What is gathered for a day comes in the morning. */
const morningMinute = 7 * 60;

/** Why a mail did not come sooner, as the mail says it. */
export type HoldReason = "late" | "quiet" | "limit" | "unconfirmed";

export interface Due {
  readonly at: number;
  readonly held: HoldReason | null;
}

type Timing = Pick<NotificationChoice, "pacing" | "quiet" | "timeZone">;

/** When a mail about an alert is due that becomes known now. */
export function dueAt(choice: Timing, occurredAt: number, now: number): Due {
  const isLate = choice.pacing === "at_once" && now - occurredAt > lateMs;
  const at = isLate ? nextOf("hour", choice.timeZone, now) : nextOf(choice.pacing, choice.timeZone, now);
  const end = quietUntil(choice, at);
  return end === null ? { at, held: isLate ? "late" : null } : { at: end, held: "quiet" };
}

/** The end of the quiet hours that this moment is in; null: it is in none. */
export function quietUntil({ quiet, timeZone }: Omit<Timing, "pacing">, at: number): number | null {
  if (quiet === null || quiet.from === quiet.until) return null;
  const clock = zoneClock(timeZone);
  const local = at + offsetAt(clock, at);
  const midnight = Math.floor(local / dayMs) * dayMs;
  const minute = (local - midnight) / minuteMs;
  if (!isWithin(quiet, minute)) return null;
  const isTomorrow = quiet.until <= minute;
  const end = momentOf(clock, midnight + (isTomorrow ? dayMs : 0) + quiet.until * minuteMs);
  // Where clocks are set at that hour, the end is never before the moment itself.
  return Math.max(end, at + minuteMs);
}

function isWithin({ from, until }: QuietHours, minute: number): boolean {
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

function nextOf(pacing: Pacing, timeZone: string, now: number): number {
  switch (pacing) {
    case "at_once":
      return now;
    case "quarter_hour":
      return nextMultiple(now, 15 * minuteMs);
    case "hour":
      return nextMultiple(now, hourMs);
    case "day":
      return nextMorning(timeZone, now);
  }
}

function nextMultiple(now: number, stepMs: number): number {
  return (Math.floor(now / stepMs) + 1) * stepMs;
}

function nextMorning(timeZone: string, now: number): number {
  const clock = zoneClock(timeZone);
  const midnight = Math.floor((now + offsetAt(clock, now)) / dayMs) * dayMs;
  const mornings = [0, 1, 2].map((day) => momentOf(clock, midnight + day * dayMs + morningMinute * minuteMs));
  return mornings.find((morning) => morning > now) ?? now + dayMs;
}

/** The moment at which a clock shows this time. One that is left out is the same time by the clock of before. */
function momentOf(clock: Intl.DateTimeFormat, local: number): number {
  const guess = local - offsetAt(clock, local);
  return local - offsetAt(clock, guess);
}

/** Clocks are costly to make. There are some 400 zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function zoneClock(timeZone: string): Intl.DateTimeFormat {
  return clocks.getOrInsertComputed(timeZone, clockOf);
}
