import { bigint, type RowOf, text } from "./columns.ts";
import type { Conversion, Database, OpenOptions, Reader, Transaction } from "./database.ts";
import { plainSql, sql } from "./sql.ts";
import { listed, omit, table, upsert } from "./table.ts";

/**
 * A migration that would have to rewrite a large table only renames it to `old_…`. When the store is opened, its rows are converted in
 * steps, each a short transaction, and it is dropped at the end. How far each is, is in `carried_over`. Nothing else uses the store
 * meanwhile. A new conversion is made by `conversionOf` and stands in this list; `test/support/things.ts` shows one.
 */
const present: readonly Conversion[] = [];

/**
 * Converts what earlier versions stored in another form. The store is not used until it is done. Killed at any moment, it goes on
 * with the next start. Several programs that start at once take turns.
 */
export async function convertOldRows(database: Database, options: OpenOptions): Promise<void> {
  const { conversions = present, observe } = options;
  // A new store has empty tables of the old forms, too, and says nothing of them.
  const filled: string[] = [];
  for (const { what, total } of conversions) if (((await total(database)) ?? 0) > 0) filled.push(what);
  if (filled.length > 0) observe?.({ kind: "store_conversion_started", what: filled.join(", ") });
  const begun = performance.now();
  for (const conversion of conversions) await convert(database, conversion, options);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  if (filled.length > 0) observe?.({ kind: "store_conversion_finished", seconds });
}

async function convert(database: Database, conversion: Conversion, { observe, signal }: OpenOptions): Promise<void> {
  const { what } = conversion;
  const total = await conversion.total(database);
  if (total === null) return;
  let done = 0;
  const report = (now: number) => {
    // Another program that finishes it forgets how much was done.
    done = Math.max(done, now);
    if (total > 0) observe?.({ kind: "store_conversion_progress", what, done, total: Math.max(done, total) });
  };
  do {
    signal?.throwIfAborted();
    report(await conversion.done(database));
  } while (await conversion.step(database));
  if (done < total) report(total);
}

interface OldRows {
  /** They are in `old_…`, which is dropped at the end. */
  readonly what: string;
  /** Some tenths of a second. */
  readonly rowsPerStep: number;
  /** Converts about so many of the rows after a place. Gives the place of the last, or null if there were none. */
  readonly convertAfter: (tx: Transaction, place: ConvertedUntil, count: number) => Promise<ConvertedUntil | null>;
}

export function conversionOf({ what, rowsPerStep, convertAfter }: OldRows): Conversion {
  const name = `old_${what}`;
  return {
    what,
    total: (reader) => countRows(reader, name),
    done: async (reader) => (await placeOf(reader, what)).done,
    step: (database) =>
      database.transaction(async (tx) => {
        await tx.lock("carry-over");
        // Another node may have finished while we waited for the lock.
        if (!(await hasTable(tx, name))) return false;
        const place = await convertAfter(tx, await placeOf(tx, what), rowsPerStep);
        if (place !== null) {
          await tx.insertMany(savePlaces, [{ ...place, name: what }]);
          return true;
        }
        await tx.run(plainSql(`drop table ${name}`));
        await tx.run(sql`delete from carried_over where name = ${what}`);
        return false;
      }),
  };
}

const placeTable = table("carried_over", ["name"], {
  name: text,
  account_id: bigint,
  device: bigint,
  recorded_at: bigint,
  digest: bigint,
  done: bigint,
});
const placeColumns = omit(placeTable.columns, "name");
const savePlaces = upsert(placeTable);

/** Up to which row of an old table everything is converted, and how many rows that were, of whichever program. */
export type ConvertedUntil = RowOf<typeof placeColumns>;

const begin: ConvertedUntil = { account_id: -1, device: 0, recorded_at: 0, digest: 0, done: 0 };

async function placeOf(reader: Reader, name: string): Promise<ConvertedUntil> {
  const row = await reader.get<ConvertedUntil>(
    sql`select ${listed(placeColumns)} from carried_over where name = ${name}`,
  );
  return row ?? begin;
}

export async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const table = await reader.get(
    reader.engine === "sqlite"
      ? sql`select 1 as there from sqlite_master where type = 'table' and name = ${name}`
      : // The name alone may be remembered from before another node dropped the table; the row is not.
        sql`select 1 as there from pg_class where oid = to_regclass(${name})`,
  );
  return table !== null;
}

/** How many rows an old table has. Null if it is not there, or another program has just dropped it. */
async function countRows(reader: Reader, name: string): Promise<number | null> {
  if (!(await hasTable(reader, name))) return null;
  try {
    return (await reader.get<{ count: number }>(plainSql(`select count(*) as count from ${name}`)))?.count ?? null;
  } catch (error) {
    if (await hasTable(reader, name)) throw error;
    return null;
  }
}
