import { rulesVersion } from "../../src/domain/rules.ts";
import type { BulkTable, Database, Row } from "../../src/store/database.ts";
import { packState } from "../../src/store/packed-state.ts";
import { seedTables } from "./seed-tables.ts";

const dayMs = 86_400_000;

const folds: BulkTable = {
  name: "device_folds",
  columns: {
    account_id: "bigint",
    device: "bigint",
    revision: "bigint",
    head_recorded_at: "bigint",
    head_digest: "bigint",
    rules: "bigint",
  },
};
const checkpoints: BulkTable = {
  name: "fold_checkpoints",
  columns: { account_id: "bigint", device: "bigint", recorded_at: "bigint", digest: "bigint", state: "bytea" },
};
const settings: BulkTable = {
  name: "alert_settings_versions",
  columns: { account_id: "bigint", device: "bigint", valid_from: "bigint", rules_json: "text", created_at: "bigint" },
};

/** Rows enough for PostgreSQL to prefer an index: a frame and a checkpoint of each device for each of the last days. */
export async function fillForChores(database: Database, now: number, devices: number, days: number): Promise<void> {
  const numbers = Array.from({ length: devices }, (_, index) => index + 1);
  const ofAccount = (rows: readonly Row[]) => rows.map((row) => ({ account_id: 1, ...row }));
  const save = (table: BulkTable, rows: readonly Row[]) =>
    database.transaction((tx) => tx.insertMany(table, ofAccount(rows)));
  const own = (device: number) => ({
    id: `00000000-0000-4000-8000-${String(device).padStart(12, "0")}`,
    imei: String(860_000_000_000_000 + device),
    device,
  });
  const inUtc = { time_zone: "UTC", earlier_time_zones: "" };
  const account = { name: "Acme", status: "active", limit_per_second: 1, limit_per_day: 1, ...inUtc };
  await save(seedTables.accounts, [{ ...account, id: own(0).id, created_at: now, updated_at: now }]);
  await save(seedTables.directory, numbers.map(own));
  const plain = { name: "Van", status: "active", tags_json: "[]", external_ids_json: "{}", search_text: "VAN" };
  await save(
    seedTables.devices,
    numbers.map((device) => ({ ...own(device), ...plain, created_at: now, updated_at: now })),
  );
  await save(
    seedTables.latestPositions,
    numbers.map((device) => ({ device, revision: 1, last_seen_at: now - device * 3_600_000 })),
  );
  await save(
    folds,
    numbers.map((device) => ({ device, revision: 1, head_recorded_at: now, head_digest: 1, rules: rulesVersion })),
  );
  await save(
    settings,
    numbers.map((device) => ({ device, valid_from: 0, rules_json: "[]", created_at: now })),
  );
  for (let day = days; day > 0; day--) {
    const at = (device: number) => ({ device, recorded_at: now - day * dayMs + device, digest: 1 });
    await save(
      checkpoints,
      numbers.map((device) => ({ ...at(device), state: packState("{}") })),
    );
    await save(
      seedTables.frames,
      numbers.map((device) => ({
        ...at(device),
        received_at: at(device).recorded_at,
        packed: "x".repeat(150),
        valid: true,
        reject_reason: (device + day) % 100 === 0 ? "future_time" : null,
        discontinuity: false,
      })),
    );
  }
}
