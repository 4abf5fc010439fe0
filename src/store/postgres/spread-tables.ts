import { distributedTables, localTables, referenceTables } from "../distribution.ts";
import type { Value } from "../sql.ts";
import { type StatedColumn, statedColumns } from "./purge.ts";

export interface PlacedTable {
  readonly name: string;
  readonly kind: "distributed" | "reference" | "local";
  /** Whether it was so before. */
  readonly wasDone: boolean;
}

export interface SpreadOptions {
  /** Into how many parts the accounts are divided; null: what Citus is set to. */
  readonly shards: number | null;
  readonly onTable: (name: string, done: number, total: number) => void;
}

type Run = (text: string, values?: readonly Value[]) => Promise<unknown[]>;

/**
 * Spreads all tables that are not spread yet, in the transaction of `run`. One with a foreign key can only be spread after those
 * that it leads to: all such keys are dropped first, and added again at the end.
 */
export async function spreadTables(run: Run, { shards, onTable }: SpreadOptions): Promise<PlacedTable[]> {
  await run("set local citus.multi_shard_modify_mode = 'sequential'");
  await run("set local client_min_messages = 'warning'");
  if (shards !== null) await run(`set local citus.shard_count = ${shards}`);
  const done = await placedNames(run);
  const reference = referenceTables.filter((name) => !done.has(name));
  const distributed = distributedTables.filter((name) => !done.has(name));
  const total = reference.length + distributed.length;
  if (total > 0) {
    const keys = await foreignKeysOf(run, [...reference, ...distributed]);
    for (const { table, name } of keys) await run(`alter table ${table} drop constraint ${name}`);
    await widenAccounts(run, distributed);
    for (const name of [...reference, ...distributed]) await forgetStatistics(run, name);
    let count = 0;
    for (const name of reference) {
      onTable(name, count++, total);
      await run("select create_reference_table($1)", [name]);
    }
    for (const name of distributed) {
      onTable(name, count++, total);
      // All beside `devices`, so that the rows of an account are on one machine.
      const beside = name === "devices" ? "default" : "devices";
      await run("select create_distributed_table($1, 'account_id', colocate_with => $2)", [name, beside]);
    }
    for (const { table, name, definition } of keys) {
      await run(`alter table ${table} add constraint ${name} ${definition}`);
    }
    onTable("", total, total);
  }
  const placed = (names: readonly string[], kind: PlacedTable["kind"]) =>
    names.map((name) => ({ name, kind, wasDone: done.has(name) !== (kind === "local") }));
  return [
    ...placed(distributedTables, "distributed"),
    ...placed(referenceTables, "reference"),
    ...placed(localTables, "local"),
  ];
}

async function placedNames(run: Run): Promise<ReadonlySet<string>> {
  const rows = (await run(
    "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'",
  )) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** To or from any of the tables. */
async function foreignKeysOf(run: Run, tables: readonly string[]): Promise<ForeignKey[]> {
  return (await run(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
       and (conrelid::regclass::text = any ($1) or confrelid::regclass::text = any ($1))
     order by conrelid::regclass::text, conname`,
    [`{${tables.join()}}`],
  )) as ForeignKey[];
}

/** Tables lie beside each other only if the type of what they are spread by is the same. */
async function widenAccounts(run: Run, tables: readonly string[]): Promise<void> {
  const narrow = (await run(
    `select attrelid::regclass::text as name from pg_attribute
     where attname = 'account_id' and atttypid = 'integer'::regtype and attrelid = any ($1::text[]::regclass[])`,
    [`{${tables.join()}}`],
  )) as { name: string }[];
  for (const { name } of narrow) await run(`alter table ${name} alter column account_id type bigint`);
}

/** They hold values of rows, and are no longer kept up to date once the rows have left. */
async function forgetStatistics(run: Run, name: string): Promise<void> {
  const columns = (await run(statedColumns, [name])) as StatedColumn[];
  if (columns.length > 0) await run(`alter table ${name} ${columns.map(({ same }) => same).join(", ")}`);
}
