import { type CrossingFact, factKey } from "../../domain/facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Reader } from "../database.ts";
import { type DeviceOfRow, factIdOf, factTable, scaled } from "../fact-table.ts";
import type { TimeKey, TimePage } from "../pages.ts";
import { sql } from "../sql.ts";
import { listed, omit } from "../table.ts";
import {
  type DeviceMoment,
  endOfRows,
  isSkimmed,
  pageById,
  rowsAt,
  skimmed,
  type TimedTable,
  timedRows,
} from "../timed-rows.ts";

export const geofenceEventTable = factTable<CrossingFact>()("geofence_events", ["occurred_at", "id"], {
  id: ["uuid", (crossing, owner) => factIdOf(owner, factKey(crossing))],
  geofence_id: ["uuid", (crossing) => crossing.fenceId],
  event_type: ["text", (crossing) => crossing.eventType],
  occurred_at: ["bigint", (crossing) => crossing.occurredAt],
  latitude_e7: ["integer", (crossing) => scaled(crossing.latitude, 1e7)],
  longitude_e7: ["integer", (crossing) => scaled(crossing.longitude, 1e7)],
  speed_m_per_h: ["integer", (crossing) => scaled(crossing.speedKmh, 1000)],
  interpolated: ["boolean", (crossing) => crossing.interpolated],
  time_uncertainty_ms: ["bigint", (crossing) => crossing.timeUncertaintyMs],
  dwell_ms: ["bigint", (crossing) => crossing.dwellMs],
  /** Null where an early version derived it from frames that are gone, as is the next. */
  received_at: ["bigint", (crossing): number | null => crossing.receivedAt],
  updated_at: ["bigint", (crossing): number | null => crossing.updatedAt],
});

export interface GeofenceEventRow extends DeviceOfRow, RowOf<typeof geofenceEventTable.own> {
  readonly geofence_name: string;
}

const table: TimedTable = {
  name: sql`geofence_events`,
  time: sql`r.occurred_at`,
  key: sql`r.occurred_at, r.id`,
  columns: sql`${listed(geofenceEventTable.own, "r")}, g.name as geofence_name`,
  // A left join only so that SQLite joins in the order written: every event has its fence.
  joins: (accountId) => sql`left join geofences g on g.account_id = ${accountId} and g.id = r.geofence_id`,
};

const found = { inTable: listed(omit(geofenceEventTable.own, "occurred_at", "id"), "f") };

export function geofenceEventsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(GeofenceEventRow & DeviceMoment)[]> {
  return rowsAt(reader, table, visibility, moments);
}

export function geofenceEvents(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey>,
): Promise<GeofenceEventRow[]> {
  const { engine } = reader;
  const columns = isSkimmed(engine, page) ? skimmed(table, found, visibility) : table;
  return reader.all(timedRows(engine, columns, visibility, page.device, pageById(page)));
}

/** The time of the last of the account's next crossings; null if there are fewer. */
export function endOfGeofenceEvents(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<TimeKey>,
): Promise<number | null> {
  return endOfRows(reader, table, visibility, pageById(page));
}
