import { bigint, boolean, uuid } from "../../src/store/columns.ts";
import type { BulkTable } from "../../src/store/database.ts";
import { alertTable } from "../../src/store/facts/alerts.ts";
import { geofenceEventTable } from "../../src/store/facts/geofence-events.ts";
import { mileageTable } from "../../src/store/facts/mileage.ts";
import { stopTable } from "../../src/store/facts/stops.ts";
import { tripTable } from "../../src/store/facts/trips.ts";
import { accountTable } from "../../src/store/fleet/accounts.ts";
import { alertSettingsTable } from "../../src/store/fleet/alert-settings.ts";
import { assignmentTable } from "../../src/store/fleet/assignments.ts";
import { deviceTable, directoryTable } from "../../src/store/fleet/devices.ts";
import { geofenceMemberTable, geofenceTable, geofenceVersionTable } from "../../src/store/fleet/geofences.ts";
import { trackerNameTable } from "../../src/store/fleet/tracker-name-writes.ts";
import { userTable } from "../../src/store/fleet/users.ts";
import { latestTable } from "../../src/store/frames/latest.ts";
import { table, upsert } from "../../src/store/table.ts";

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
  trackerNames: trackerNameTable,
  devices: deviceTable,
  assignments: assignmentTable,
  geofences: geofenceTable,
  geofenceVersions: geofenceVersionTable,
  geofenceAssignments: geofenceMemberTable,
  alertSettings: alertSettingsTable,
  latestPositions: upsert(latestTable),
  trips: seededFacts(tripTable),
  stops: seededFacts(stopTable),
  alerts: seededFacts({ ...alertTable, own: { ...alertTable.own, acknowledged: boolean } }),
  acknowledgements: table("alert_acknowledgements", ["account_id", "alert_id"], {
    account_id: bigint,
    alert_id: uuid,
    acknowledged_at: bigint,
    acknowledged_by: uuid,
  }),
  geofenceEvents: seededFacts(geofenceEventTable),
  mileage: seededFacts(mileageTable),
} as const satisfies Record<string, BulkTable>;
