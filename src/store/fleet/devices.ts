import type { DeviceStatus } from "../../domain/fleet.ts";
import { foldCase, matchesNoText } from "../../domain/text/search-text.ts";
import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { bigint, double, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import { type Engine, isEmbedded, type Reader } from "../database.ts";
import type { IdPage } from "../pages.ts";
import { hasWithin, limitTo, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";
import { type DeviceName, deviceInSight, devicesInSight } from "../visible.ts";

/** The account and device of an IMEI or a public id. The number is assigned at the first entry and never changes. */
export const directoryTable = table("device_directory", ["id"], {
  device: bigint,
  account_id: bigint,
  imei: text,
  id: uuid,
  tracker_protocol: orNull(oneOf<TrackerProtocol>()),
});

/** A device as the fleet file describes it, with its internal number. */
export const deviceTable = table("devices", ["account_id", "device"], {
  account_id: bigint,
  device: bigint,
  id: uuid,
  imei: text,
  name: text,
  plate: orNull(text),
  status: oneOf<DeviceStatus>(),
  vin: orNull(text),
  vehicle_make: orNull(text),
  vehicle_model: orNull(text),
  vehicle_year: orNull(integer),
  vehicle_type: orNull(text),
  tracker_model: orNull(text),
  tracker_clock: orNull(text),
  tracker_id: orNull(text),
  tracker_protocol: orNull(oneOf<TrackerProtocol>()),
  fuel_tank_capacity_l: orNull(double),
  tags_json: text,
  external_ids_json: text,
  /** Name, IMEI and plate, as the search compares them. */
  search_text: text,
  created_at: bigint,
  updated_at: bigint,
});

const shown = omit(deviceTable.columns, "search_text");

export interface DeviceState {
  readonly device: number;
  readonly odometer_m: number | null;
  readonly last_seen_at: number | null;
  readonly last_position_at: number | null;
}

export interface DeviceRow extends RowOf<typeof shown>, DeviceState {}

export interface DeviceFilters {
  readonly status: DeviceStatus | null;
  /** A part of the name, the IMEI or the plate, ignoring case. */
  readonly search: string | null;
  /** The last device to search; undefined: all. */
  readonly until?: string | null;
}

const state = sql`p.odometer_m, p.last_seen_at, p.recorded_at as last_position_at`;
const columns = sql`${listed(shown, "d")}, ${state}`;

function withPosition({ accountId }: Visibility): Sql {
  return sql`left join latest_positions p on p.account_id = ${accountId} and p.device = d.device`;
}

/** Enough of a device to query what belongs to it. */
export type DeviceIdentity = Pick<RowOf<typeof directoryTable.columns>, "device" | "id" | "imei">;

/** A device that the viewer cannot see is not found, in the same steps and so in the same time. */
export function deviceIdentity(
  reader: Reader,
  visibility: Visibility,
  name: DeviceName,
): Promise<DeviceIdentity | null> {
  const { tables, condition } = deviceInSight(visibility, name);
  return reader.get(sql`select d.device, d.id, d.imei from ${tables} where ${condition}`);
}

/** The whole device, found in the same way. */
export function visibleDevice(reader: Reader, visibility: Visibility, name: DeviceName): Promise<DeviceRow | null> {
  const { tables, condition } = deviceInSight(visibility, name);
  return reader.get(sql`select ${columns} from ${tables} ${withPosition(visibility)} where ${condition}`);
}

export async function visibleDevices(
  reader: Reader,
  visibility: Visibility,
  page: IdPage & DeviceFilters,
): Promise<DeviceRow[]> {
  if (page.search !== null && matchesNoText(page.search)) return [];
  return reader.all(pageOf(reader.engine, columns, visibility, page));
}

/** The id of the last of the next `count` devices; null if there are fewer, and for PostgreSQL, which delays nobody. */
export async function visibleDeviceAfter(
  reader: Reader,
  visibility: Visibility,
  { after, count }: IdPage,
): Promise<string | null> {
  if (!isEmbedded(reader)) return null;
  const { tables, condition, id } = devicesInSight(visibility, null);
  const start = after === null ? nothing : sql`and ${id} > ${after}`;
  const row = await reader.get<{ id: string }>(sql`
    select ${id} as id from ${tables} where ${condition} ${start} order by ${id} limit 1 offset ${count - 1}`);
  return row?.id ?? null;
}

/** The same devices, without their own columns: for an owner the index is enough, and no row of `devices` is read. */
export function visibleDeviceStates(
  reader: Reader,
  visibility: Visibility,
  page: IdPage & Pick<DeviceFilters, "status">,
): Promise<DeviceState[]> {
  return reader.all(pageOf(reader.engine, sql`d.device, ${state}`, visibility, { ...page, search: null }));
}

function pageOf(engine: Engine, wanted: Sql, visibility: Visibility, page: IdPage & DeviceFilters): Sql {
  const { tables, condition, id } = devicesInSight(visibility, null);
  const start = page.after === null ? nothing : sql`and ${id} > ${page.after}`;
  const status = page.status === null ? nothing : sql`and d.status = ${page.status}`;
  // Not by `like`: on both engines a needle such as `aaaaaaab` can take a hundred times as long.
  const search = page.search === null ? nothing : sql`and ${hasWithin(engine, searchText, foldCase(page.search))}`;
  const end = page.until == null ? nothing : sql`and ${id} <= ${page.until}`;
  return sql`
    select ${wanted} from ${tables} ${withPosition(visibility)}
    where ${condition} ${start} ${end} ${status} ${search} order by ${id} ${limitTo(page.count)}`;
}

const searchText = sql`d.search_text`;
