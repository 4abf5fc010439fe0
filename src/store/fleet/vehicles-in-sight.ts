import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { devicesInSight } from "../visible.ts";

export interface SharedVehicleRow {
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
}

/** Those of these devices that the viewer sees; without numbers, all that a link shows. */
export function vehiclesInSight(
  reader: Reader,
  visibility: Visibility,
  devices: Iterable<number> | null,
): Promise<SharedVehicleRow[]> {
  const { tables, condition } = devicesInSight(visibility, null);
  const only: Sql = devices === null ? nothing : sql`and d.device in ${listOf(devices)}`;
  return reader.all(sql`select d.device, d.id, d.imei, d.name, d.plate from ${tables} where ${condition} ${only}`);
}
