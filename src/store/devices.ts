import type { DeviceStatus } from "../domain/fleet.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import { type Sql, sql } from "./sql.ts";
import { visibleRows } from "./visible.ts";

export interface DeviceRow {
  readonly account_id: number;
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: DeviceStatus;
  readonly vin: string | null;
  readonly vehicle_make: string | null;
  readonly vehicle_model: string | null;
  readonly vehicle_year: number | null;
  readonly vehicle_type: string | null;
  readonly tracker_model: string | null;
  readonly fuel_tank_capacity_l: number | null;
  readonly tags_json: string;
  readonly external_ids_json: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly odometer_m: number | null;
  readonly last_seen_at: number | null;
  readonly last_position_at: number | null;
}

const selectDevices = sql`
  select d.account_id, d.device, d.id, d.imei, d.name, d.plate, d.status, d.vin, d.vehicle_make, d.vehicle_model,
    d.vehicle_year, d.vehicle_type, d.tracker_model, d.fuel_tank_capacity_l, d.tags_json, d.external_ids_json,
    d.created_at, d.updated_at, p.odometer_m, p.last_seen_at, p.recorded_at as last_position_at
  from devices d left join latest_positions p on p.account_id = d.account_id and p.device = d.device`;

/** By UUID. What the viewer cannot see is not found, in the same one query and so in the same time. */
export function visibleDevice(reader: Reader, visibility: Visibility, id: string): Promise<DeviceRow | null> {
  return reader.get(sql`${selectDevices} where ${visibleRows(visibility, "d")} and d.id = ${id}`);
}

export function visibleDeviceByImei(reader: Reader, visibility: Visibility, imei: string): Promise<DeviceRow | null> {
  return reader.get(sql`${selectDevices} where ${visibleRows(visibility, "d")} and d.imei = ${imei}`);
}

/** Up to `count` devices in ascending id, after the one named. */
export function visibleDevices(
  reader: Reader,
  visibility: Visibility,
  page: { readonly after: string | null; readonly count: number },
): Promise<DeviceRow[]> {
  const start: Sql = page.after === null ? sql`` : sql`and d.id > ${page.after}`;
  return reader.all(sql`
    ${selectDevices} where ${visibleRows(visibility, "d")} ${start} order by d.id limit ${page.count}`);
}
