import { dateOfDay, dayMs, dayOf, formatInstant, parseInstant } from "../../domain/time/time.ts";
import type { ExportList } from "./lists.ts";

export interface ExportWindow {
  readonly from: string;
  readonly to: string;
}

/** An end of the whole window: a moment, and how it was written, if it was. */
export interface WindowEnd {
  readonly at: number;
  readonly text: string | null;
}

/** The API reads this many days at once. */
const maxMoments = 31 * dayMs;
/** It reads 366, but days of another zone than UTC begin up to 14 hours earlier, or later. */
const maxDays = 365;

/** Windows that the API reads as they are, in ascending time, and that make up the whole one. */
export function windowsBetween(
  { window }: ExportList,
  from: WindowEnd,
  to: WindowEnd,
): readonly (ExportWindow | null)[] {
  if (window === null) return [null];
  return window === "moments" ? momentWindows(from.at, to.at) : dayWindows(from, to);
}

function momentWindows(from: number, to: number): readonly ExportWindow[] {
  const windows: ExportWindow[] = [];
  for (let start = from; start < to; start += maxMoments) {
    windows.push({ from: formatInstant(start), to: formatInstant(Math.min(start + maxMoments, to)) });
  }
  return windows;
}

/** Between windows there is a date, with which a day begins in any zone: no day is in two windows. */
function dayWindows(from: WindowEnd, to: WindowEnd): readonly ExportWindow[] {
  const boundaries: string[] = [];
  for (let day = dayOf(from.at) + maxDays; day < dayOf(to.at); day += maxDays) boundaries.push(dateOfDay(day));
  const starts = [asWritten(from), ...boundaries];
  return starts.map((start, index) => ({ from: start, to: boundaries[index] ?? asWritten(to) }));
}

/** A date alone is a day of the account's zone, which only the API knows. */
function asWritten({ text, at }: WindowEnd): string {
  return text !== null && parseInstant(text) === at ? text : formatInstant(at);
}
