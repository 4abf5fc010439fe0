import { metresToKm } from "../../formats/units.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { decimalOf, namesOfFilled } from "../kit/text-values.ts";

/** What a report says, before it becomes frames. */
export interface SuntechReport {
  readonly what: string;
  readonly at: number | null;
  readonly fields: ReadFields;
  readonly events: readonly TrackerEvent[];
  readonly unread: readonly string[];
}

interface Position {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  readonly course: number | null;
  readonly satellites: number | null;
}

/** Of the columns with these names. */
export function positionOf(columns: { readonly [Name in keyof Position]?: string | undefined }): Position {
  return {
    latitude: decimalOf(columns.latitude),
    longitude: decimalOf(columns.longitude),
    speed: decimalOf(columns.speed),
    course: decimalOf(columns.course),
    satellites: decimalOf(columns.satellites),
  };
}

/** Without a fix the tracker repeats the last place that it had. */
export function locatedFields(
  hasFix: boolean,
  { latitude, longitude, speed, course, satellites }: Position,
): ReadFields {
  if (!hasFix) return { fix: false, satellites };
  return { fix: true, latitude, longitude, satellites, speed_kmh: speed, heading_deg: course };
}

/** What reports have that we do not read: the columns around date, time and place that were not taken. */
export function unreadAround(columns: readonly string[], timeAt: number, placeAt: number): readonly string[] {
  if (timeAt < 0 && placeAt < 0) return namesOfFilled({ columns: columns.join("") });
  const [first, second] = timeAt < 0 || placeAt < timeAt ? [placeAt, placeAt] : [timeAt, timeAt + 2];
  return namesOfFilled({
    "model, version and state": columns.slice(0, Math.max(0, first)).join(""),
    "cell tower": columns.slice(second, Math.max(second, placeAt)).join(""),
  });
}

/** Where it was when it last had a fix. */
export function oldPlace(hasFix: boolean, { latitude, longitude }: Position): readonly string[] {
  return hasFix || ((latitude ?? 0) === 0 && (longitude ?? 0) === 0) ? [] : ["old place"];
}

/** Of metres. A tracker that does not count writes 0. */
export function odometerOf(metres: number | null): number | null {
  return metres === null || metres === 0 ? null : metresToKm(metres);
}

/** Keys are 14 or 16 hex digits. All zeros: none was there. */
export function driverTagOf(text = ""): string | null {
  return /^(?:[\da-fA-F]{14}|[\da-fA-F]{16})$/.test(text) && !/^0+$/.test(text) ? text : null;
}

/** A reader at the serial port: `GTSL|6|1|0|9255143|2|`. */
export function driverOfSerial(data: string): string | null {
  return /^GTSL\|[^|]*\|[^|]*\|[^|]*\|(\w{1,20})\|/.exec(data)?.[1] ?? null;
}

export type Sensors = NonNullable<ReadFields["sensors"]>;

/** `28F2B7600600005D:+5.2`: the number of a sensor, and what it measures. */
export function temperatureOf(text: string): Sensors {
  const [, sensor, celsius] = /^([\da-fA-F]{16}):([-+]?\d{1,3}\.\d+)$/.exec(text) ?? [];
  const value = decimalOf(celsius);
  return sensor === undefined || value === null ? [] : [temperatureReport(sensor, value)];
}
