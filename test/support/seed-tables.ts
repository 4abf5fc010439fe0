import { accountTable } from "../../src/store/accounts.ts";
import { alertSettingsTable } from "../../src/store/alert-settings-writes.ts";
import { alertTable } from "../../src/store/alerts.ts";
import { assignmentTable } from "../../src/store/assignments.ts";
import { bigint, uuid } from "../../src/store/columns.ts";
import type { BulkTable } from "../../src/store/database.ts";
import { deviceTable, directoryTable } from "../../src/store/devices.ts";
import { geofenceEventTable } from "../../src/store/geofence-events.ts";
import { geofenceMemberTable, geofenceTable, geofenceVersionTable } from "../../src/store/geofences.ts";
import { latestTable } from "../../src/store/latest.ts";
import { mileageTable } from "../../src/store/mileage.ts";
import { readingTable } from "../../src/store/readings.ts";
import { table, upsert } from "../../src/store/table.ts";
import { tripTable } from "../../src/store/trips.ts";
import { userTable } from "../../src/store/users.ts";

/** A seeded fact is not derived from frames, so the database sets its `final_at`. */
function seededFacts({
  name,
  own,
}: Pick<typeof tripTable, "name"> & { readonly own: BulkTable["columns"] }): BulkTable {
  return { name, columns: { account_id: bigint, device: bigint, ...own } };
}

/** In an order in which every row finds those that it refers to. */
export const seedTables = {
  accounts: accountTable,
  users: userTable,
  directory: directoryTable,
  devices: deviceTable,
  assignments: assignmentTable,
  geofences: geofenceTable,
  geofenceVersions: geofenceVersionTable,
  geofenceAssignments: geofenceMemberTable,
  alertSettings: alertSettingsTable,
  latestPositions: upsert(latestTable),
  trips: seededFacts(tripTable),
  alerts: seededFacts(alertTable),
  acknowledgements: table("alert_acknowledgements", ["account_id", "alert_id"], {
    account_id: bigint,
    alert_id: uuid,
    acknowledged_at: bigint,
    acknowledged_by: uuid,
  }),
  readings: readingTable,
  geofenceEvents: seededFacts(geofenceEventTable),
  mileage: seededFacts(mileageTable),
} as const satisfies Record<string, BulkTable>;
