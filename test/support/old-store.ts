import type { Verdict } from "../../src/domain/verdict.ts";
import type { Database } from "../../src/store/database.ts";
import { postgresMigrations as ofPostgres, sqliteMigrations as ofSqlite } from "../../src/store/migrations.ts";
import { plainSql } from "../../src/store/sql.ts";
import { makeEarlierStore, type RawStore } from "./earlier-store.ts";
import type { EmptyStore } from "./engines.ts";
import { formatOldFrame } from "./old-frame-text.ts";
import type { KeyedFrame } from "./stored-frames.ts";

/** The last schema in which each frame was a row, before 1.2. */
const lastOfRows = 15;

const rowsPerInsert = 500;

/** A store from before 1.2, with these frames. On PostgreSQL they are in months, and some in the default partition. */
export async function makeStoreOfRows(store: EmptyStore, frames: readonly KeyedFrame[]): Promise<RawStore> {
  const raw = await makeEarlierStore(store, lastOfRows);
  if (store.target.engine === "postgres") {
    for (const [name, from, until] of [
      ["2026_01", Date.UTC(2026, 0), Date.UTC(2026, 1)],
      ["2026_02", Date.UTC(2026, 1), Date.UTC(2026, 2)],
    ] as const) {
      await raw.run(`create table frames_${name} partition of frames for values from (${from}) to (${until})`);
    }
  }
  await addOldFrames(raw, store, frames);
  return raw;
}

async function addOldFrames(raw: RawStore, { target }: EmptyStore, frames: readonly KeyedFrame[]): Promise<void> {
  const flag = (value: boolean) => (target.engine === "sqlite" ? String(Number(value)) : String(value));
  for (let start = 0; start < frames.length; start += rowsPerInsert) {
    const rows = frames.slice(start, start + rowsPerInsert).map((stored) => `(${oldValues(stored, flag).join(", ")})`);
    await raw.run(`
      insert into frames (account_id, device, recorded_at, digest, received_at, packed, fix, source, sensors_json, valid,
        reject_reason, discontinuity, timely_at) values ${rows.join(", ")}`);
  }
  const devices = Map.groupBy(frames, ({ accountId, device }) => `${accountId}, ${device}`);
  for (const key of devices.keys()) {
    await raw.run(`insert into device_folds (account_id, device, revision) values (${key}, 1)`);
  }
}

function oldValues(stored: KeyedFrame, flag: (value: boolean) => string): string[] {
  const { accountId, device, frame, verdict, timelyAt = null } = stored;
  const { recordedAt, digest, receivedAt, fix, source, sensors } = frame;
  const quoted = (text: string | null) => (text === null ? "null" : `'${text.replaceAll("'", "''")}'`);
  return [
    ...[accountId, device, recordedAt, digest, receivedAt].map(String),
    quoted(formatOldFrame(frame, verdict as Verdict)),
    fix === null ? "null" : flag(fix),
    quoted(source),
    quoted(sensors.length === 0 ? null : JSON.stringify(sensors)),
    flag(verdict.valid),
    quoted(verdict.rejectReason),
    flag(verdict.discontinuity),
    String(timelyAt),
  ];
}

/** Opens such a store with its frames still in their rows, so that a test carries them over itself, step by step. */
export async function openBeforeCarryOver(store: EmptyStore, raw: RawStore): Promise<Database> {
  const migrations = store.target.engine === "sqlite" ? ofSqlite : ofPostgres;
  for (const [index, { name, text }] of migrations.slice(lastOfRows).entries()) {
    const version = lastOfRows + index + 1;
    await raw.run(text);
    await raw.run(`insert into schema_migrations (version, name, applied_at) values (${version}, '${name}', 1)`);
  }
  // Whoever opens the store would carry over what is under this name.
  await raw.run("alter table old_frames rename to hidden_frames");
  const database = await store.open();
  await database.transaction((tx) => tx.run(plainSql("alter table hidden_frames rename to old_frames")));
  return database;
}
