import { exampleFrame } from "../../src/api/records/position.ts";
import { foreground } from "../../src/derive/pace.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import { accepted, type Verdict } from "../../src/domain/verdict.ts";
import type { BulkTable, Database, Row } from "../../src/store/database.ts";
import { packState } from "../../src/store/facts/packed-state.ts";
import { blockTable } from "../../src/store/frames/frame-blocks.ts";
import { lineRow, saveLines } from "../../src/store/frames/recent-frames.ts";
import { markAccounts, markAllAccounts } from "../../src/store/upkeep/account-marks.ts";
import { beginFleets } from "./fleet-revisions.ts";
import { seedTables } from "./seed-tables.ts";
import { blockRow } from "./stored-frames.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

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

const fromTheFuture: Verdict = { valid: false, rejectReason: "future_time", discontinuity: false };

/**
 * Rows enough for PostgreSQL to prefer an index: a block, whose first frame has a checkpoint, of each device for each of the
 * last days.
 */
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
  await database.transaction((tx) => beginFleets(tx, [1]));
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
  await markAllAccounts(database, 0, foreground);
  // Other accounts have their turn later.
  await database.transaction((tx) =>
    markAccounts(
      tx,
      Array.from({ length: 2_000 }, (_, index) => ({ work: "offline", accountId: index + 2, dueAt: now + dayMs })),
    ),
  );
  for (let day = days; day > 0; day--) {
    const at = (device: number) => ({ device, recorded_at: now - day * dayMs + device, digest: 1 });
    await save(
      checkpoints,
      numbers.map((device) => ({ ...at(device), state: packState("{}") })),
    );
    const stored = (device: number, later: number, verdict: Verdict) => {
      const recordedAt = at(device).recorded_at + later;
      const frame = { ...exampleFrame, recordedAt, receivedAt: recordedAt, digest: 1 };
      return { accountId: 1, device, frame, verdict };
    };
    await save(
      blockTable,
      numbers.map((device) =>
        blockRow(
          { accountId: 1, device },
          [0, hourMs].map((ms) => stored(device, ms, accepted)),
        ),
      ),
    );
    await database.transaction(async (tx) => {
      if (day === 1)
        await saveLines(
          tx,
          "recent_frames",
          numbers.map((device) => lineRow({ accountId: 1, device }, stored(device, 2 * hourMs, accepted))),
        );
      const untimely = numbers.filter((device) => (device + day) % 100 === 0);
      await saveLines(
        tx,
        "untimely_frames",
        untimely.map((device) => lineRow({ accountId: 1, device }, stored(device, 0, fromTheFuture))),
      );
    });
  }
}
