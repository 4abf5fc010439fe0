import type { Place } from "../../../../domain/geometry/distance.ts";
import type { Detail, Show } from "../../reading/show.ts";

/**
 * What a spreadsheet holds where the screen shows a text: the same value, as a number that can be added up, with the format in
 * which it looks the same. No DOM and no React: a server can make the same table. Pure.
 */
export type FileCell = string | FileFigure | FilePlace;

export interface FileFigure {
  readonly value: number;
  /** As spreadsheets write it. They show points and commas as their own language has them. */
  readonly format: string;
}

/** Its name may have to be asked for. */
export interface FilePlace {
  readonly place: Place;
}

export function figureCell(value: number, decimals = 0): FileFigure {
  return { value, format: decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}` };
}

/** With as many decimals as `Show` writes. */
export function measureCell(value: number): FileFigure {
  return figureCell(value, Math.abs(value) < 100 ? 1 : 0);
}

/** Whole minutes, as on the screen; a spreadsheet counts in days. */
export function durationCell(seconds: number): FileFigure {
  return { value: Math.round(seconds / 60) / minutesPerDay, format: durationFormat };
}

/** The clock of a time zone, as the screen shows it. */
export function timeCell(at: number, detail: Detail, { zone, units }: Pick<Show, "zone" | "units">): FileFigure {
  const clock = units.clock === "12" ? "h:mm AM/PM" : "hh:mm";
  const formats: Readonly<Partial<Record<Detail, string>>> = { time: clock, date: dateFormat, day: `ddd d mmm` };
  return { value: daysOnClock(at, zone), format: formats[detail] ?? `${dateFormat} ${clock}` };
}

export function dayCell(day: string): FileFigure {
  return { value: Date.parse(`${day}T00:00:00Z`) / dayMs + firstDay, format: "ddd d mmm yyyy" };
}

/** How durations are written, as part of a head. */
export const durationUnit = "h:mm";

const durationFormat = "[h]:mm";
const dateFormat = "d mmm yyyy";
const minutesPerDay = 1_440;
const dayMs = 86_400_000;
/** 1970-01-01, in days of a spreadsheet. */
const firstDay = 25_569;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clock on the wall shows, in days of a spreadsheet, which knows no zones. */
function daysOnClock(at: number, zone: string): number {
  let clock = clocks.get(zone);
  if (!clock) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    clock = new Intl.DateTimeFormat("en-US", { ...parts, second: "2-digit", hourCycle: "h23", timeZone: zone });
    clocks.set(zone, clock);
  }
  const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) / dayMs + firstDay;
}
