import { SQL } from "bun";
import { Failure } from "../../domain/errors.ts";
import { spreadingLock, walkIndexes } from "./citus.ts";
import { explainPostgresError, serverPlace } from "./errors.ts";
import { type PlacedTable, type SpreadOptions, spreadTables } from "./spread-tables.ts";

export interface Distributed extends ClusterFound {
  readonly shards: number;
  readonly tables: readonly PlacedTable[];
}

/**
 * Spreads the store over the machines of a Citus cluster. All of it is one transaction: interrupted, nothing has changed.
 * Repeated, it takes in the tables that are not spread yet, as a later version may bring some.
 */
export async function distributeStore(url: string, options: SpreadOptions): Promise<Distributed> {
  const cluster = await requireCluster(url);
  return alone(url, async (client) => {
    await client.unsafe("set statement_timeout = 0; set lock_timeout = '10s'");
    // Until this connection ends. Who is connected by now is seen next; who comes later waits.
    await client.unsafe(`select pg_advisory_lock(${spreadingLock})`);
    await requireNobody(client);
    await setForRole(client);
    const tables = await client.begin((tx) =>
      spreadTables((text, values = []) => tx.unsafe(text, [...values]), options),
    );
    await forgetLocalRows(client);
    return { ...cluster, shards: await shardCount(client), tables };
  });
}

/** One connection: settings and the transaction are its own. */
async function alone<T>(url: string, work: (client: SQL) => Promise<T>): Promise<T> {
  const client = new SQL(url, { adapter: "postgres", max: 1, connection: { application_name: "distribute" } });
  try {
    return await work(client);
  } catch (error) {
    throw explainPostgresError(error, serverPlace(client));
  } finally {
    await client.close({ timeout: 0 });
  }
}

export interface ClusterFound {
  readonly citus: string;
  readonly workers: number;
}

/** Refuses a server that is no coordinator of a cluster, with what to do about it. Changes nothing. */
export function requireCluster(url: string): Promise<ClusterFound> {
  return alone(url, findCluster);
}

async function findCluster(client: SQL): Promise<ClusterFound> {
  const [extension]: { extversion: string }[] =
    await client`select extversion from pg_extension where extname = 'citus'`;
  if (!extension) {
    throw refused(
      "the database has no Citus: install it on every machine, and run `create extension citus` in the database",
    );
  }
  const [here]: { groupid: number }[] = await client`select groupid from pg_dist_local_group`;
  if (here?.groupid !== 0) throw refused("DATABASE_URL leads to a worker: it must lead to the coordinator");
  const [nodes]: { coordinator: number; workers: number }[] = await client`
    select count(*) filter (where groupid = 0)::int as coordinator,
      count(*) filter (where shouldhaveshards)::int as workers
    from pg_dist_node where isactive and noderole = 'primary'`;
  if (!nodes?.coordinator) {
    throw refused(
      "the coordinator does not know its own address: run `select citus_set_coordinator_host('its host', its port)`",
    );
  }
  if (!nodes.workers)
    throw refused("there is no machine to put accounts on: add each with `select citus_add_node('host', port)`");
  return { citus: extension.extversion, workers: nodes.workers };
}

/** A program that runs meanwhile would not know what has become of its tables. */
async function requireNobody(client: SQL): Promise<void> {
  const [others]: { count: number }[] = await client`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'odograph%'`;
  if (others?.count) {
    throw new Failure(
      "STORE_LOCKED",
      `odograph uses the database (${others.count} connections): stop it on all nodes first`,
    );
  }
}

/** What a node sets for its connections does not reach the workers. What is set for its role there, Citus passes on. */
async function setForRole(client: SQL): Promise<void> {
  const [database]: { name: string }[] = await client`select quote_ident(current_database()) as name`;
  for (const [name, value] of Object.entries(walkIndexes)) {
    await client.unsafe(`alter role current_user in database ${database?.name} set ${name} = ${value}`);
  }
}

/** The coordinator keeps the rows that it has given away, out of sight, until they are removed. */
async function forgetLocalRows(client: SQL): Promise<void> {
  const filled: { name: string }[] = await client`
    select logicalrelid::text as name from pg_dist_partition
    where (partmethod = 'h' or repmodel = 't') and pg_relation_size(logicalrelid) > 0`;
  for (const { name } of filled) await client`select truncate_local_data_after_distributing_table(${name})`;
}

async function shardCount(client: SQL): Promise<number> {
  const [row]: { count: number }[] = await client`
    select count(*)::int as count from pg_dist_shard where logicalrelid = 'devices'::regclass`;
  return row?.count ?? 0;
}

function refused(message: string): Failure {
  return new Failure("REFUSED", message);
}
