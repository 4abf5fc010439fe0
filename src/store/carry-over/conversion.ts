import { bigint, type RowOf, text } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { plainSql, type Sql, sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";

/** Rows of an earlier form, converted in steps before the store is used. */
export interface Conversion {
  readonly what: string;
  /** About how many rows there are in all, with those that are converted already; null: nothing to convert. */
  total(reader: Reader): Promise<number | null>;
  /** Converts about so many rows in one transaction; returns how many, 0 if none is left. Killed at any moment, it goes on. */
  step(database: Database, rows?: number): Promise<number>;
}

interface OldRows {
  /** They are in `old_…`, which is dropped at the end. */
  readonly what: string;
  /** Some tenths of a second. */
  readonly rowsPerStep: number;
  readonly convertSome: (tx: Transaction, count: number) => Promise<number>;
  /** Whether rows are removed as they are converted. Otherwise the table stays as it is until the end. */
  readonly isEmptied?: boolean;
  readonly dropToo?: readonly string[];
}

export function conversionOf({ what, rowsPerStep, convertSome, isEmptied, dropToo = [] }: OldRows): Conversion {
  const name = `old_${what}`;
  return {
    what,
    async total(reader) {
      const left = await countRows(reader, name);
      return left === null || !isEmptied ? left : left + (await placeOf(reader, what)).done;
    },
    step: (database, count = rowsPerStep) =>
      database.transaction(async (tx) => {
        await tx.lock("carry-over");
        // Another node may have finished while we waited for the lock.
        if (!(await hasTable(tx, name))) return 0;
        const converted = await convertSome(tx, count);
        if (converted > 0) return converted;
        for (const table of [name, ...dropToo]) await tx.run(plainSql(`drop table ${table}`));
        await tx.run(sql`delete from carried_over where name = ${what}`);
        return 0;
      }),
  };
}

export function rowsByDevice<Row extends { readonly account_id: number; readonly device: number }>(
  rows: readonly Row[],
): [DeviceKey, Row[]][] {
  const groups = Map.groupBy(rows, ({ account_id, device }) => `${account_id} ${device}`);
  return [...groups.values()].map((own) => {
    const [{ account_id: accountId, device }] = own as [Row];
    return [{ accountId, device }, own];
  });
}

const placeTable = table("carried_over", ["name"], {
  name: text,
  account_id: bigint,
  device: bigint,
  kind: text,
  recorded_at: bigint,
  digest: bigint,
  done: bigint,
});
const placeColumns = omit(placeTable.columns, "name");

/** Up to which row of an old table everything is carried over, and how many rows that were, of whichever program. */
export type Place = RowOf<typeof placeColumns>;

const begin: Place = { account_id: -1, device: 0, kind: "", recorded_at: 0, digest: 0, done: 0 };
const selectPlace = sql`select ${listed(placeColumns)} from carried_over`;
const savePlaces = upsert(placeTable);

export async function placeOf(reader: Reader, name: string): Promise<Place> {
  return (await reader.get<Place>(sql`${selectPlace} where name = ${name}`)) ?? begin;
}

/** A row of an old table may have more columns. */
export async function savePlace(tx: Transaction, name: string, place: Place): Promise<void> {
  await tx.insertMany(savePlaces, [{ ...place, name }]);
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

/** Pages of 8 kB of frames, of which PostgreSQL has no statistics yet. */
const rowsPerPage = 25;

/** About how many rows a table has, for the progress; null: it is not there. Counting would take as long as converting. */
async function countRows(reader: Reader, name: string): Promise<number | null> {
  const row = await fromTable<{ count: number }>(
    reader,
    name,
    reader.engine === "sqlite" ? counted(name) : guessed(name),
  );
  return row?.count ?? null;
}

export async function hasRows(reader: Reader, name: string): Promise<boolean> {
  return (await fromTable(reader, name, plainSql(`select 1 as there from ${name} limit 1`))) !== null;
}

/** Null also if the table is not there, or another program has just dropped it. */
async function fromTable<Row>(reader: Reader, name: string, query: Sql): Promise<Row | null> {
  if (!(await hasTable(reader, name))) return null;
  try {
    return await reader.get<Row>(query);
  } catch (error) {
    if (await hasTable(reader, name)) throw error;
    return null;
  }
}

/** Counting all of a large table would take minutes: beyond this it is guessed from the size of the file. */
const maxCounted = 200_000;
const bytesPerRow = 220;

function counted(name: string): Sql {
  return plainSql(`select case when some < ${maxCounted} then some else max(some, bytes / ${bytesPerRow}) end as count
    from (select count(*) as some from (select 1 from ${name} limit ${maxCounted})),
      (select page_count * page_size as bytes from pragma_page_count, pragma_page_size)`);
}

function guessed(name: string): Sql {
  return sql`
    select coalesce(sum(pg_relation_size(t.oid) / 8192
      * case when t.relpages > 0 then t.reltuples / t.relpages else ${rowsPerPage}::bigint end), 0)::bigint as count
    from pg_class t
    where t.oid = to_regclass(${name})
      or t.oid in (select i.inhrelid from pg_inherits i where i.inhparent = to_regclass(${name}))`;
}
