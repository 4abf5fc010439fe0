import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { TimeKey, TimePage } from "./pages.ts";
import { nothing, sql } from "./sql.ts";
import { type TimedTable, timedRows } from "./timed-rows.ts";

export interface GeofenceEventRow {
  readonly id: string;
  readonly device_id: string;
  readonly imei: string;
  readonly geofence_id: string;
  readonly geofence_name: string;
  readonly event_type: "enter" | "exit";
  readonly occurred_at: number;
  readonly latitude_e7: number;
  readonly longitude_e7: number;
  readonly speed_m_per_h: number | null;
  readonly interpolated: number | boolean;
  readonly time_uncertainty_ms: number;
  readonly dwell_ms: number | null;
}

const table: TimedTable = {
  name: sql`geofence_events`,
  time: sql`r.occurred_at`,
  key: sql`r.occurred_at, r.id`,
  columns: sql`r.id, r.geofence_id, g.name as geofence_name, r.event_type, r.occurred_at, r.latitude_e7,
    r.longitude_e7, r.speed_m_per_h, r.interpolated, r.time_uncertainty_ms, r.dwell_ms`,
  // A left join only so that SQLite keeps to the order written: every event has its fence.
  joins: sql`left join geofences g on g.account_id = r.account_id and g.id = r.geofence_id`,
};

export function geofenceEvents(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey>,
): Promise<GeofenceEventRow[]> {
  const { after } = page;
  return reader.all(
    timedRows(reader.engine, table, visibility, page.device, {
      ...page,
      afterKey: after && sql`${after.at}, ${after.id}`,
      conditions: nothing,
    }),
  );
}
