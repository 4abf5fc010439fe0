import type { Database, Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { purgedTables } from "./purged-tables.ts";

/** PostgreSQL gives out no number twice by itself. */
export async function neverGiveOutAgain(tx: Transaction, name: "accounts" | "devices", number: number): Promise<void> {
  if (tx.engine === "postgres") return;
  await tx.run(sql`update erasure_notes set number = ${number} where name = ${name} and number < ${number}`);
}

/** Rows were erased, and the store's files may still have them. */
export async function noteUnpurged(tx: Transaction): Promise<void> {
  await tx.run(sql`update erasure_notes set number = number + 1 where name = 'unpurged'`);
}

/** How many erasures may still be in the store's files. */
export async function unpurgedErasures(reader: Reader): Promise<number> {
  const row = await reader.get<{ number: number }>(sql`select number from erasure_notes where name = 'unpurged'`);
  return row?.number ?? 0;
}

/** Removes what was erased from the store's files, too. False: somebody still reads an earlier state; try again later. */
export async function purgeErased(database: Database): Promise<boolean> {
  const erasures = await unpurgedErasures(database);
  if (erasures === 0) return true;
  if (!(await database.purge(purgedTables))) return false;
  // Not if something was erased meanwhile.
  await database.transaction((tx) =>
    tx.run(sql`update erasure_notes set number = 0 where name = 'unpurged' and number = ${erasures}`),
  );
  return true;
}
