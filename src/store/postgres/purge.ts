import type { SQL } from "bun";
import { distributedTables, referenceTables } from "../distribution.ts";

/** Requests are answered in less. Only a long export, a dump or a forgotten console keeps an earlier state for longer. */
const waitMs = 10_000;
const pauseMs = 100;
/** Of a table without rows, for a moment. If it is in use for longer, try again later. */
const lockMs = 2_000;

/**
 * Vacuums tables, and makes their statistics anew, which hold the most frequent values and some others. Returns false without
 * doing so if an open transaction may still read an earlier state: PostgreSQL keeps deleted rows for them.
 */
export async function purgeTables(client: SQL, tables: readonly string[], isDistributed: boolean): Promise<boolean> {
  const spread: ReadonlySet<string> = new Set(isDistributed ? [...distributedTables, ...referenceTables] : []);
  await client.unsafe(`set statement_timeout = 0; set lock_timeout = ${lockMs}`);
  if (!(await isEarlierStateGone(client))) return false;
  for (const name of tables) {
    // Vacuuming waits for another vacuum of the table, which may take long.
    await client.unsafe("set lock_timeout = 0");
    await client.unsafe(`vacuum (analyze) ${name}`);
    await client.unsafe(`set lock_timeout = ${lockMs}`);
    const isForgotten = await (spread.has(name)
      ? forgetOnMachines(client, name)
      : forgetStatisticsOfEmpty(client, name));
    if (!isForgotten) return false;
  }
  return true;
}

/** Waits until all transactions and snapshots have begun after now, for a while. */
async function isEarlierStateGone(client: SQL): Promise<boolean> {
  const [row]: { now: string }[] = await client.unsafe("select pg_current_xact_id()::xid::text as now");
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [found]: { earlier: boolean }[] = await client.unsafe(isAnythingEarlier, [row?.now ?? ""]);
    if (found?.earlier === false) return true;
    if (performance.now() > deadline) return false;
    await Bun.sleep(pauseMs);
  }
}

/** As PostgreSQL reckons what a vacuum of this database may remove. A vacuum of another table keeps nothing. */
const isAnythingEarlier = `
  select exists (
    select 1 from pg_stat_activity a
    where a.pid <> pg_backend_pid() and (a.datname = current_database() or a.datname is null)
      and a.pid not in (select v.pid from pg_stat_progress_vacuum v)
      and greatest(age(a.backend_xmin), age(a.backend_xid)) > age($1::xid)
  ) or exists (
    select 1 from pg_prepared_xacts p
    where p.database = current_database() and age(p.transaction) > age($1::xid)
  ) or exists (
    select 1 from pg_replication_slots s where age(s.xmin) > age($1::xid)
  ) as earlier`;

/** PostgreSQL keeps the statistics of a table that has become empty. Returns false if others did not let go of the table. */
async function forgetStatisticsOfEmpty(client: SQL, name: string): Promise<boolean> {
  const [row]: { empty: boolean; version: number }[] = await client.unsafe(`
    select not exists (select 1 from ${name}) as empty, current_setting('server_version_num')::int as version`);
  if (!row?.empty) return true;
  const columns: StatedColumn[] = await client.unsafe(statedColumns, [name]);
  if (columns.length === 0) return true;
  if (row.version < firstThatClears) return forgetByTypes(client, name, columns);
  for (const { schema, relation, column } of columns) {
    await client.unsafe("select pg_clear_attribute_stats($1, $2, $3, false)", [schema, relation, column]);
  }
  return true;
}

/** Has a function for it. */
const firstThatClears = 180_000;

export interface StatedColumn {
  readonly schema: string;
  readonly relation: string;
  readonly column: string;
  /** What makes the column what it is already. */
  readonly same: string;
}

/** The columns of a table that PostgreSQL has statistics of. */
export const statedColumns = `
  select n.nspname as schema, t.relname as relation, a.attname as column,
    format('alter column %1$I type %2$s', a.attname, format_type(a.atttypid, a.atttypmod))
      || coalesce(' collate ' || quote_ident(cn.nspname) || '.' || quote_ident(c.collname), '')
      || case when a.attstorage = y.typstorage then ''
        else format(', alter column %I set storage %s', a.attname,
          case a.attstorage when 'e' then 'external' when 'm' then 'main' when 'p' then 'plain' else 'extended' end)
        end as same
  from pg_class t join pg_namespace n on n.oid = t.relnamespace
  join pg_attribute a on a.attrelid = t.oid and not a.attisdropped
  join pg_type y on y.oid = a.atttypid
  join pg_stats s on s.schemaname = n.nspname and s.tablename = t.relname and s.attname = a.attname
  left join pg_collation c on c.oid = a.attcollation and a.attcollation <> y.typcollation
  left join pg_namespace cn on cn.oid = c.collnamespace
  where t.oid = to_regclass($1)`;

/** Before version 18 only a change of a column's type, even to the same type, removes its statistics. */
export async function forgetByTypes(client: SQL, name: string, columns: readonly StatedColumn[]): Promise<boolean> {
  try {
    await client.unsafe(`alter table ${name} ${columns.map(({ same }) => same).join(", ")}`);
    return true;
  } catch (error) {
    if ((error as { errno?: unknown }).errno === "55P03") return false;
    throw error;
  }
}

/** The same for the parts of a table on the machines of a Citus cluster, each by itself. */
async function forgetOnMachines(client: SQL, name: string): Promise<boolean> {
  const [row]: { failed: number }[] = await client.unsafe(
    "select count(*)::int as failed from run_command_on_placements($1, $2) where not success",
    [name, forgetInPart],
  );
  return row?.failed === 0;
}

/** Citus puts the part's name for `%1$s`, as `format` does. */
const forgetInPart = `
  do $forget$ declare stated record; begin
    perform set_config('lock_timeout', '${lockMs}', true);
    if exists (select 1 from %1$s) then return; end if;
    for stated in ${statedColumns.replaceAll("%", "%%").replaceAll("$1", "'%1$s'")} loop
      execute 'alter table %1$s ' || stated.same;
    end loop;
  end $forget$`;
