import { sensorReadings } from "../../src/api/lists/sensor-readings.ts";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { Reader } from "../../src/store/database.ts";
import { alerts } from "../../src/store/facts/alerts.ts";
import { geofenceEvents } from "../../src/store/facts/geofence-events.ts";
import { stops } from "../../src/store/facts/stops.ts";
import { trips } from "../../src/store/facts/trips.ts";
import type { DeviceIdentity } from "../../src/store/fleet/devices.ts";
import type { TimePage } from "../../src/store/pages.ts";
import { sql } from "../../src/store/sql.ts";
import { historyRows } from "./frame-rows.ts";
import type { Seed, SeededDevice, SeededGeofence } from "./seed.ts";

/** A row of any list. */
export type Plain = Readonly<Record<string, unknown>>;

/** What a list's row is ordered by, in that order. */
type Key = readonly (string | number)[];

/** A row that the seed stored, with the device it is about. */
export interface Seeded {
  readonly device: SeededDevice;
  readonly row: Plain;
}

/** A list in time order, in a form in which one test fits all of them. */
export interface TimeList {
  readonly name: string;
  /** Reads a page that begins after the given row. */
  read(reader: Reader, visibility: Visibility, page: TimePage<Plain>): Promise<object[]>;
  key(row: Plain): Key;
  isIn(row: Plain, fromMs: number, toMs: number): boolean;
  add(seed: Seed, device: SeededDevice, at: number, fence: SeededGeofence): Plain;
  readonly needsDevice?: true;
}

export const timeLists: readonly TimeList[] = [
  {
    name: "trips",
    read: (reader, visibility, page) =>
      trips(reader, visibility, { ...page, after: timeKey(page.after, "started_at") }),
    key: (row) => [row.started_at as number, row.id as string],
    isIn: overlaps,
    add: (seed, device, at) => ({ ...seed.trip(device, { started_at: at, ended_at: at + 1 }) }),
  },
  {
    name: "stops",
    read: (reader, visibility, page) => {
      const unfiltered = { geofenceId: null, minDurationMs: null };
      return stops(reader, visibility, { ...page, ...unfiltered, after: timeKey(page.after, "started_at") });
    },
    key: (row) => [row.started_at as number, row.id as string],
    isIn: overlaps,
    add: (seed, device, at) => ({ ...seed.stop(device, { started_at: at, ended_at: at + 1 }) }),
  },
  {
    name: "alerts",
    read: (reader, visibility, page) =>
      alerts(reader, visibility, {
        ...page,
        after: timeKey(page.after, "occurred_at"),
        acknowledged: null,
        severity: null,
        alertType: null,
      }),
    key: (row) => [row.occurred_at as number, row.id as string],
    isIn: within("occurred_at"),
    add: (seed, device, at) => ({ ...seed.alert(device, { occurred_at: at }) }),
  },
  {
    name: "geofence events",
    read: (reader, visibility, page) =>
      geofenceEvents(reader, visibility, { ...page, after: timeKey(page.after, "occurred_at") }),
    key: (row) => [row.occurred_at as number, row.id as string],
    isIn: within("occurred_at"),
    add: (seed, device, at, fence) => ({ ...seed.crossing(device, fence, { occurred_at: at }) }),
  },
  {
    name: "readings",
    read: (reader, visibility, page) =>
      sensorReadings(reader, visibility, {
        ...page,
        kind: "temperature",
        after: page.after && {
          at: page.after.recorded_at as number,
          device: page.after.device as number,
          digest: page.after.digest as number,
          sensor: page.after.sensor as string,
        },
      }),
    key: (row) => [row.recorded_at as number, row.device as number, row.digest as number, row.sensor as string],
    isIn: within("recorded_at"),
    add: (seed, device, at) => ({ ...seed.reading(device, { recorded_at: at }) }),
  },
  {
    name: "history",
    needsDevice: true,
    read: async (reader, visibility, page) => {
      const after = page.after && { at: page.after.recorded_at as number, digest: page.after.digest as number };
      const device = await reader.get<DeviceIdentity>(sql`
        select device, id, imei from device_directory where device = ${page.device ?? -1}`);
      if (!device) return [];
      return historyRows(reader, visibility, { ...page, device, after, validOnly: false });
    },
    key: (row) => [row.recorded_at as number, row.digest as number],
    isIn: within("recorded_at"),
    add: (seed, device, at) => ({ ...seed.frame(device, { recorded_at: at }) }),
  },
];

function timeKey(row: Plain | null, time: string) {
  return row && { at: row[time] as number, id: row.id as string };
}

function overlaps(row: Plain, fromMs: number, toMs: number): boolean {
  const startedAt = row.started_at as number;
  const endedAt = row.ended_at as number | null;
  return startedAt < toMs && (startedAt >= fromMs || endedAt === null || endedAt > fromMs);
}

function within(time: string): TimeList["isIn"] {
  return (row, fromMs, toMs) => (row[time] as number) >= fromMs && (row[time] as number) < toMs;
}

/** The order of the list, worked out without a database. */
export function compareKeys(one: Key, other: Key): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? "";
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}

const booleans = ["ignition", "discontinuity", "valid", "has_gap", "interpolated", "inside"];

/** Rows with booleans as such: SQLite gives 0 and 1. */
export function plain(rows: readonly object[]): Plain[] {
  return rows.map((row) => {
    const copy: Record<string, unknown> = { ...row };
    // Of all rows that were read together.
    delete copy.driver_names;
    for (const name of booleans) if (typeof copy[name] === "number") copy[name] = copy[name] === 1;
    return copy;
  });
}

/** All pages of a list, one after the other. */
export async function everyPage(
  list: TimeList,
  reader: Reader,
  visibility: Visibility,
  page: Omit<TimePage<Plain>, "after">,
): Promise<Plain[]> {
  const rows: Plain[] = [];
  for (let after: Plain | null = null; ; ) {
    const found: Plain[] = plain(await list.read(reader, visibility, { ...page, after }));
    rows.push(...found);
    after = found.at(-1) ?? null;
    if (after === null || found.length < page.count) return rows;
  }
}
