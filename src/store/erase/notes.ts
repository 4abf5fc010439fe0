import type { Database, Reader, Transaction } from "../database.ts";
import { distributedTables, referenceTables } from "../distribution.ts";
import { sql } from "../sql.ts";

/** PostgreSQL gives out no number twice by itself. */
export async function neverGiveOutAgain(tx: Transaction, name: "accounts" | "devices", number: number): Promise<void> {
  if (tx.engine === "postgres") return;
  await tx.writeAny(sql`update erasure_notes set number = ${number} where name = ${name} and number < ${number}`);
}

/** Rows were erased, and the store's files may still have them. */
export async function noteUnpurged(tx: Transaction): Promise<void> {
  await tx.write(sql`update erasure_notes set number = number + 1 where name = 'unpurged'`);
}

/** The same, and what it was, so that an interrupted command can go on by its id. */
export async function noteErased(tx: Transaction, type: ErasedType, id: string): Promise<void> {
  await noteUnpurged(tx);
  await setNote(tx, `erased ${type} ${id}`, 1);
}

export type ErasedType = "device" | "user" | "driver" | "account";

/** Whether it was erased and may still be in the store's files. */
export async function wasErased(reader: Reader, type: ErasedType, id: string): Promise<boolean> {
  const row = await reader.get(sql`select 1 as there from erasure_notes where name = ${`erased ${type} ${id}`}`);
  return row !== null;
}

export async function setNote(tx: Transaction, name: string, number: number): Promise<void> {
  await tx.write(sql`
    insert into erasure_notes (name, number) values (${name}, ${number})
    on conflict (name) do update set number = excluded.number`);
}

/** How many erasures may still be in the store's files. */
export async function unpurgedErasures(reader: Reader): Promise<number> {
  const row = await reader.get<{ number: number }>(sql`select number from erasure_notes where name = 'unpurged'`);
  return row?.number ?? 0;
}

/** Removes what was erased from the store's files, too. False: an open reader still holds the old data; try again later. */
export async function purgeErased(database: Database): Promise<boolean> {
  const erasures = await unpurgedErasures(database);
  if (erasures === 0) return true;
  if (!(await database.purge(purgedTables))) return false;
  // Not if something was erased meanwhile.
  await database.transaction(async (tx) => {
    const isAll = await tx.writeAny(sql`
      update erasure_notes set number = 0 where name = 'unpurged' and number = ${erasures}`);
    if (isAll > 0) await tx.run(sql`delete from erasure_notes where name like 'erased %'`);
  });
  return true;
}

/** The tables from which rows are erased. */
export const purgedTables: readonly string[] = [
  ...distributedTables,
  ...referenceTables,
  "account_counters",
  "account_marks",
  "key_counters",
  "key_usage",
  "sessions",
  "one_time_links",
  "email_confirmations",
  "share_links",
  "ingest_tokens",
  "tracker_watches",
  "tracker_messages",
  "expected_trackers",
  "notification_followers",
  "planned_reports",
  "planned_report_people",
  "report_mails",
  "unsubscriptions",
  "demo_accounts",
  "kept_mails",
];
