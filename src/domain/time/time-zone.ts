import { dayMs, dayOf } from "./time.ts";
import { ZoneDays } from "./zone-days.ts";

/** The calendar of a place: which day a moment is of. Days are counted from 1970-01-01, which is day 0 everywhere. */
export interface Zone {
  /** The IANA name. */
  readonly name: string;
  /** Never falls with time: where clocks are set back over midnight, the day that has begun goes on. */
  dayOf(at: number): number;
  /** The first moment of a day, often but not always midnight. A day that was left out starts when the next one does. */
  startOf(day: number): number;
  /** When the clocks of a day first show a time of the day or a later one, in milliseconds after midnight. */
  momentOf(day: number, clockMs: number): number;
}

export const utc: Zone = {
  name: "UTC",
  dayOf,
  startOf: (day) => day * dayMs,
  momentOf: (day, clockMs) => day * dayMs + clockMs,
};

/** At most one of each name that exists. */
const known = new Map<string, Zone>([[utc.name, utc]]);

/** By IANA name, in any case. A fixed offset such as `+02:00` is no zone: its fleet forgot that clocks change. */
export function zoneNamed(name: string): Zone | null {
  return known.get(name) ?? zoneSpelt(ianaSpelling(name));
}

/** A zone whose name was checked before it was stored. */
export function storedZone(name: string): Zone {
  const zone = zoneNamed(name);
  if (zone === null) throw new Error(`the time zone ${name} is stored, but this program does not know it`);
  return zone;
}

function zoneSpelt(name: string | null): Zone | null {
  if (name === null) return null;
  const zone = known.get(name) ?? new ZoneDays(name);
  known.set(name, zone);
  return zone;
}

function ianaSpelling(name: string): string | null {
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
