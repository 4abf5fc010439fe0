import { isDeepStrictEqual } from "node:util";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { forgetFrames, take } from "./ingest-node.ts";
import { storedFrames } from "./stored-frames.ts";

/** Everything that is derived from frames, in an order that does not depend on how it came to be. */
const tables = {
  readings: "account_id, kind, recorded_at, device",
  trips: "account_id, device, started_at, id",
  stops: "account_id, device, started_at, id",
  geofence_events: "account_id, device, occurred_at, id",
  alerts: "account_id, device, occurred_at, id",
  mileage_days: "account_id, device, day",
  latest_positions: "account_id, device",
} as const;

type Row = Readonly<Record<string, unknown>>;

/** The frames, too, wherever they are stored. */
export type DerivedTables = Record<keyof typeof tables | "frames", Row[]>;

export async function derivedTables(reader: Reader): Promise<DerivedTables> {
  const frames = (await storedFrames(reader)).map((row): Row => ({ ...row }));
  const dump: Partial<DerivedTables> = { frames };
  for (const [table, order] of Object.entries(tables)) {
    const rows = await reader.all<Record<string, unknown>>(plainSql(`select * from ${table} order by ${order}`));
    // How often a row was written says nothing about what it tells, and that an alert is acknowledged is not derived.
    dump[table as keyof typeof tables] = rows.map(({ revision: _, acknowledged: __, ...row }) => row);
  }
  return dump as DerivedTables;
}

/** Enough to see what is wrong. */
const maxTold = 4;

/** Where two dumps differ, a line for each row that only one of them has. */
export function differencesOf(one: DerivedTables, other: DerivedTables): string[] {
  return Object.keys(one).flatMap((name) => {
    const table = name as keyof DerivedTables;
    if (isDeepStrictEqual(one[table], other[table])) return [];
    const [left, right] = [one[table], other[table]].map((rows) => new Set(rows.map((row) => JSON.stringify(row))));
    const missing = [...(left ?? [])].filter((row) => !right?.has(row)).map((row) => `- ${table} ${row}`);
    const added = [...(right ?? [])].filter((row) => !left?.has(row)).map((row) => `+ ${table} ${row}`);
    return [...missing.slice(0, maxTold), ...added.slice(0, maxTold), `${table} differs`];
  });
}

/** What these batches lead to in a store without any other frames. */
export async function derivedFrom(
  database: Database,
  batches: readonly (readonly IncomingFrame[])[],
): Promise<DerivedTables> {
  await forgetFrames(database);
  await take(database, batches);
  return derivedTables(database);
}

/** The devices whose facts are to be derived again, by name, and from when. */
export async function dirtyDevices(reader: Reader): Promise<Record<string, number>> {
  const rows = await reader.all<{ name: string; dirty_from: number }>(sql`
    select d.name, f.dirty_from from device_folds f join devices d on d.account_id = f.account_id and d.device = f.device
    where f.dirty_from is not null order by d.name`);
  return Object.fromEntries(rows.map(({ name, dirty_from }) => [name, dirty_from]));
}

/** Everything but the frames themselves. */
export function withoutFrames({ frames: _, ...tables }: DerivedTables): DerivedTables {
  return { ...tables, frames: [] };
}
