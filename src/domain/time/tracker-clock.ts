import { BoundedMap } from "../bounded-map.ts";
import { latestTimely } from "../quality/clock.ts";
import { dayMs } from "./time.ts";
import { utc, zoneNamed } from "./time-zone.ts";
import { clockOf, offsetAt } from "./zone-days.ts";

/** What a tracker's clock shows, for one that does not show UTC. */
export interface TrackerClock {
  /** In one spelling: an IANA zone, `+08:00` or `-360s`. */
  readonly text: string;
  /** How much more than UTC it shows at a moment. */
  offsetMsAt(utcMs: number): number;
  /** The moment that it means. Of the hour that comes twice in autumn, the later one that is not ahead of the receipt. */
  utcOf(shownMs: number, receivedAt: number): number;
}

/** A clock that is off by more has lost its date, and will show another after the next loss of power. */
const maxOffsetS = 366 * 86_400;

/** At most one of each text in use. */
const known = new BoundedMap<string, TrackerClock | null>({ max: 1_000 });

/** A zone, `±HH:MM` or `±Ns`: how much more than UTC the clock shows. Null for UTC itself; undefined: it is none of these. */
export function readTrackerClock(text: string): TrackerClock | null | undefined {
  const offsetS = readOffset(text);
  if (offsetS !== null) return fixedClock(offsetS);
  const zone = zoneNamed(text);
  if (zone === null) return undefined;
  return zone.name === utc.name ? null : zoneClock(zone.name);
}

/** One that was checked before it was stored. */
export function storedTrackerClock(text: string | null): TrackerClock | null {
  return text === null ? null : known.getOrMake(text, () => readTrackerClock(text) ?? null);
}

/** As it is written in the fleet file: whole quarter hours as `+08:00`, others as `-360s`. */
export function offsetText(offsetS: number): string {
  const sign = offsetS < 0 ? "-" : "+";
  const seconds = Math.abs(offsetS);
  if (seconds % 900 !== 0 || seconds > 86_400) return `${sign}${seconds}s`;
  return `${sign}${twoDigits(Math.floor(seconds / 3600))}:${twoDigits((seconds % 3600) / 60)}`;
}

/** What to set if the clock shows `aheadS` more than is set so far: the account's zone if that is the reason, else an offset. */
export function rightClock(present: string | null, aheadS: number, at: number, accountZone: string): string {
  const offsetS = Math.round((storedTrackerClock(present)?.offsetMsAt(at) ?? 0) / 1000) + aheadS;
  const ofAccount = readTrackerClock(accountZone) ?? null;
  if (ofAccount?.offsetMsAt(at) === offsetS * 1000) return ofAccount.text;
  return offsetS === 0 ? utc.name : offsetText(offsetS);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** In seconds; null: it is no offset, or too large. */
function readOffset(text: string): number | null {
  const [, sign, hours, minutes, seconds] = /^([+\-−])(?:(\d{1,2}):(\d{2})|(\d{1,8}) ?s)$/i.exec(text) ?? [];
  if (sign === undefined || Number(minutes ?? 0) > 59 || Number(hours ?? 0) > 24) return null;
  const size = seconds === undefined ? Number(hours) * 3600 + Number(minutes) * 60 : Number(seconds);
  return size > maxOffsetS ? null : sign === "+" ? size : -size;
}

function fixedClock(offsetS: number): TrackerClock | null {
  const offsetMs = offsetS * 1000;
  if (offsetMs === 0) return null;
  return { text: offsetText(offsetS), offsetMsAt: () => offsetMs, utcOf: (shownMs) => shownMs - offsetMs };
}

/** Clocks are changed at whole quarter hours. */
const quarterMs = 900_000;

function zoneClock(name: string): TrackerClock {
  const clock = clockOf(name);
  // Frames of now need a few of them; `Intl` takes microseconds for each.
  const offsets = new BoundedMap<number, number>({ max: 1_000 });
  const offsetMsAt = (at: number) => {
    const quarter = Math.floor(at / quarterMs);
    return offsets.getOrMake(quarter, () => offsetAt(clock, quarter * quarterMs));
  };
  return {
    text: name,
    offsetMsAt,
    utcOf(shownMs, receivedAt) {
      const before = offsetMsAt(shownMs - dayMs);
      const after = offsetMsAt(shownMs + dayMs);
      const [one, other] = [shownMs - before, shownMs - after];
      // An hour that is left out in spring is shown by a clock that has not been changed yet.
      if (before === after || offsetMsAt(other) !== after) return one;
      if (offsetMsAt(one) !== before) return other;
      return other > latestTimely(receivedAt) ? one : other;
    },
  };
}
