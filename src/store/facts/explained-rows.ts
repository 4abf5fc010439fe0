import type { Reader, Row } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { accountNumbers } from "../fleet/accounts.ts";
import { sql } from "../sql.ts";
import { listed } from "../table.ts";
import type { FactRow } from "./facts.ts";
import { geofenceEventTable } from "./geofence-events.ts";
import { mileageTable } from "./mileage.ts";
import { tripTable } from "./trips.ts";

/** The stored rows that can be explained, each with all columns that were derived. */

const tripColumns = listed(tripTable.columns);
const eventColumns = listed(geofenceEventTable.columns);
const dayColumns = listed(mileageTable.columns);

/** The trip or crossing of any account with this id. No index holds ids, so it looks at all trips and crossings. */
export async function tripOrCrossing(reader: Reader, id: string): Promise<FactRow | null> {
  for (const { account_id: accountId } of await accountNumbers(reader)) {
    const isThis = sql`account_id = ${accountId} and id = ${id}`;
    const trip = await reader.get<Row>(sql`select ${tripColumns} from trips where ${isThis}`);
    if (trip !== null) return { kind: "trip", row: trip };
    const event = await reader.get<Row>(sql`select ${eventColumns} from geofence_events where ${isThis}`);
    if (event !== null) return { kind: "crossing", row: event };
  }
  return null;
}

export async function mileageDay(
  reader: Reader,
  { accountId, device }: DeviceKey,
  day: number,
): Promise<FactRow | null> {
  const row = await reader.get<Row>(sql`
    select ${dayColumns} from mileage_days where account_id = ${accountId} and device = ${device} and day = ${day}`);
  return row && { kind: "day", row };
}
