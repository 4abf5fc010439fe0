import { nothingReported, type SensorReport } from "../../domain/frame.ts";
import { ownProblem } from "../../domain/quality/own-verdict.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { bigint, integer } from "../columns.ts";
import type { Reader } from "../database.ts";
import { type DeviceOfRow, scaled } from "../fact-table.ts";
import type { TimePage } from "../pages.ts";
import { sql } from "../sql.ts";
import { table } from "../table.ts";
import {
  type DeviceMoment,
  endOfRows,
  rowsAmong,
  rowsSeenInAccount,
  type TimedPage,
  type TimedTable,
} from "../timed-rows.ts";
import type { FoundFrame } from "./found-frames.ts";
import { kindBits } from "./frame-blocks.ts";
import { framesAtMoments, type ReadingDevice } from "./frames-at.ts";

/** Which device has readings of a kind when. What they say is in the frames. */
export const readingTable = table("readings", ["account_id", "kind", "recorded_at", "device"], {
  account_id: integer,
  /** As in `kindBits`. */
  kind: integer,
  recorded_at: bigint,
  device: integer,
});

const list: TimedTable = {
  name: sql`readings`,
  time: sql`r.recorded_at`,
  key: sql`r.recorded_at, r.device`,
  columns: sql`r.device, r.recorded_at as at`,
};

/** Moments of all devices, in order. */
export interface ReadingMomentsPage extends Pick<TimePage<never>, "toMs" | "count" | "among"> {
  readonly kind: SensorKind;
  /** The first moment that may be on the page. */
  readonly start: DeviceMoment;
}

/** The next moments with readings of devices that the viewer sees. It walks over those of the whole account. */
export function readingMoments(
  reader: Reader,
  visibility: Visibility,
  page: ReadingMomentsPage,
): Promise<DeviceMoment[]> {
  const { among } = page;
  return reader.all(
    among === undefined
      ? rowsSeenInAccount(list, visibility, pageOf(page))
      : rowsAmong(list, visibility, pageOf(page), among),
  );
}

/** The time of the last of the account's next `count` moments, in sight or not; null if there are fewer. */
export function endOfMoments(reader: Reader, visibility: Visibility, page: ReadingMomentsPage): Promise<number | null> {
  return endOfRows(reader, list, visibility, pageOf(page));
}

function pageOf({ kind, toMs, start, count, among }: ReadingMomentsPage): TimedPage {
  return {
    among,
    fromMs: start.at,
    toMs,
    count,
    after: start,
    afterKey: start.device === 0 ? null : sql`${start.at}, ${start.device - 1}`,
    conditions: sql`and r.kind = ${kindBits[kind]}`,
  };
}

/** The readings at exactly these moments, in any order. */
export async function readingsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  kind: SensorKind | null = null,
): Promise<ReadingRow[]> {
  const frames = await framesAtMoments(reader, visibility, moments, { withDropped: true });
  return frames.flatMap((found) => readingsOf(found, found.frame, kind));
}

export type SensorKind = SensorReport["kind"];

const unmeasured = {
  level_milli_percent: null as number | null,
  volume_ml: null as number | null,
  temperature_mc: null as number | null,
  humidity_milli_percent: null as number | null,
  axle: null as number | null,
  wheel: null as number | null,
  pressure_pa: null as number | null,
};

type Measured = Readonly<typeof unmeasured>;

export interface ReadingRow extends DeviceOfRow, Measured {
  readonly device: number;
  readonly kind: SensorKind;
  readonly sensor: string;
  readonly recorded_at: number;
  readonly received_at: number;
  readonly digest: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  /** Of the device, where that says something: only fuel readings have it. */
  readonly tank_capacity_l?: number | null;
}

/** Readings have no id: those of the same moment are ordered by device, frame and sensor. */
export interface ReadingKey {
  readonly at: number;
  readonly device: number;
  readonly digest: number;
  readonly sensor: string;
}

/** The digest is made when it is asked for: readings of different moments or devices are in order without it. */
export function readingKey(row: ReadingRow): ReadingKey {
  const { recorded_at: at, device, sensor } = row;
  return {
    at,
    device,
    get digest() {
      return row.digest;
    },
    sensor,
  };
}

/** Sensors are in the order of their bytes, whatever language their names are in. */
function compareReadings(one: ReadingKey, other: ReadingKey): number {
  return (
    one.at - other.at ||
    one.device - other.device ||
    one.digest - other.digest ||
    Buffer.compare(Buffer.from(one.sensor), Buffer.from(other.sensor))
  );
}

/** The readings of a frame, of one kind or of all. The place is the frame's, if it is possible. */
export function readingsOf(
  { device, device_id, imei, tank_capacity_l }: ReadingDevice,
  found: FoundFrame,
  kind: SensorKind | null,
): ReadingRow[] {
  const reports = found.sensors.filter((report) => kind === null || report.kind === kind);
  if (reports.length === 0) return [];
  const { place } = found;
  const { latitude, longitude } = ownProblem(place) === null ? place : nothingReported;
  let digest: number | null = null;
  const digestOf = () => {
    digest ??= found.digest;
    return digest;
  };
  return reports.map((report) => ({
    device_id,
    imei,
    device,
    kind: report.kind,
    sensor: report.sensor,
    recorded_at: found.recordedAt,
    received_at: found.receivedAt,
    get digest() {
      return digestOf();
    },
    latitude_e7: scaled(latitude, 1e7),
    longitude_e7: scaled(longitude, 1e7),
    ...unmeasured,
    ...measured(report),
    ...(report.kind === "fuel" && { tank_capacity_l }),
  }));
}

export function isLater(row: ReadingRow, after: ReadingKey): boolean {
  return compareReadings(readingKey(row), after) > 0;
}

/** In the order of their list. */
export function inOrder(rows: readonly ReadingRow[]): ReadingRow[] {
  return rows.toSorted(
    (one, other) =>
      one.recorded_at - other.recorded_at ||
      one.device - other.device ||
      compareReadings(readingKey(one), readingKey(other)),
  );
}

function measured(report: SensorReport): Partial<Measured> {
  switch (report.kind) {
    case "fuel":
      return {
        level_milli_percent: scaled(report.level_percent, 1000),
        volume_ml: scaled(report.volume_l, 1000),
      };
    case "temperature":
      return {
        temperature_mc: scaled(report.temperature_c, 1000),
        humidity_milli_percent: scaled(report.humidity_percent, 1000),
      };
    case "tyre":
      return {
        axle: report.axle,
        wheel: report.wheel,
        pressure_pa: scaled(report.pressure_kpa, 1000),
        temperature_mc: scaled(report.temperature_c, 1000),
      };
  }
}
