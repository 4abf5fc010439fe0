import type { TrackerIdentity } from "./family.ts";
import { degreesOfMinutes, utcTime } from "./values.ts";

/** Values as text protocols write them. Each gives null where nothing, or no such value, was sent. */

const dayMs = 86_400_000;

export function decimalOf(text: string | undefined): number | null {
  return text !== undefined && /^[-+]?\d+(\.\d*)?$/.test(text.trim()) ? Number(text) : null;
}

/** Fifteen digits are an IMEI; these protocols have shorter numbers, too. */
export function identityOf(id: string): TrackerIdentity {
  return { kind: /^\d{15}$/.test(id) ? "imei" : "tracker_id", value: id };
}

/** Degrees and minutes, such as `5233.5412`; `38.6508` is 0° 38.6508′, as trackers near a meridian write it. */
export function placeOfMinutes(
  [latitude, northSouth]: readonly [string, string],
  [longitude, eastWest]: readonly [string, string],
): { readonly latitude: number; readonly longitude: number } | null {
  const north = degreesOfMinutes(withDegrees(latitude), northSouth);
  const east = degreesOfMinutes(withDegrees(longitude), eastWest);
  return north === null || east === null ? null : { latitude: north, longitude: east };
}

function withDegrees(text: string): string {
  const trimmed = text.trim();
  return /^\d\d\./.test(trimmed) ? `0${trimmed}` : trimmed;
}

/** A date that the tracker left empty or filled with zeros: it sends no time. */
export function isUnset(date: string): boolean {
  return /^0*$/.test(date);
}

/** Six digits of a date and six of a time, in UTC. */
export function timeOfDigits(date: string, time: string, order: "dmy" | "ymd"): number | null {
  const [day, clock] = [pairs(date), pairs(time)];
  if (day === null || clock === null) return null;
  return utcTime([...(order === "dmy" ? day.toReversed() : day), ...clock]);
}

/** A time without its date: of the day on which it is nearest to when it came. */
export function nearestTimeOfDay(time: string, receivedAt: number): number | null {
  const atStart = timeOfDigits("700101", time, "ymd");
  if (atStart === null) return null;
  const ofDay = atStart % dayMs;
  return ofDay + Math.round((receivedAt - ofDay) / dayMs) * dayMs;
}

function pairs(digits: string): readonly number[] | null {
  return /^\d{6}$/.test(digits)
    ? [Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4))]
    : null;
}

/** The names of columns that we do not read, without those that are empty, zero or dashes. */
export function namesOfFilled(columns: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(columns).flatMap(([name, text = ""]) => (/[^0\s.,;:+-]/.test(text) ? [name] : []));
}

/** A name from the wire, short and without anything that could do harm where it is shown: the tracker may have sent anything. */
export function shownText(name: string): string {
  return name.replace(/[^\w .:+%-]/g, "?").slice(0, 20);
}
