import { expect } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import type { AboutAccounts, Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { citusStandIns } from "../support/citus-stand-ins.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { until } from "../support/patience.ts";
import { isOnCluster } from "../support/postgres-databases.ts";

/** One server is coordinator and worker. Each account is in a shard of its own, which says 100 where the table itself says 1. */
function standIns(host: string, port: string): readonly string[] {
  return [
    "insert into pg_dist_partition values ('devices', 'h', 's', 'account_id', null)",
    "create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text)",
    "insert into pg_dist_shard values ('devices', 7, '0'), ('fleet_revisions', 8, '0'), ('accounts', 9, null)",
    "insert into pg_dist_shard values ('devices', 17, '1'), ('fleet_revisions', 18, '1')",
    "create table pg_dist_placement as select shard::bigint as shardid, 0 as groupid from unnest(array[7, 17]) shard",
    `create table pg_dist_node as select 0 as groupid, '${host}'::text as nodename, ${port}::int as nodeport, 'primary' as noderole`,
    `create function get_shard_id_for_distribution_column(spread regclass, account bigint) returns bigint
      language sql as 'select case account when 1 then 7 else 17 end::bigint'`,
    "create table starts as select extract(epoch from pg_postmaster_start_time())::text as started",
    `create function master_run_on_worker(text[], int[], text[], boolean) returns table (result text)
      language sql as 'select started from starts'`,
    `insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
      select n, gen_random_uuid(), n, 'active', 1, 1, 1, 1 from generate_series(1, 2) n`,
    "insert into fleet_revisions (account_id, revision) values (1, 1)",
    "insert into fleet_revisions (account_id, revision) values (2, 2)",
    "create table fleet_revisions_8 as select 1::bigint as account_id, 100 as revision",
    "create table fleet_revisions_18 as select 2::bigint as account_id, 200 as revision",
  ];
}

const read = sql`select revision from fleet_revisions where account_id = ${1}`;

async function run({ database }: FreshDatabase, ...statements: readonly Sql[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });
}

async function spreadStore(store: FreshDatabase, ...changes: readonly string[]) {
  const url = store.env.DATABASE_URL ?? "";
  const { hostname, port } = new URL(url);
  await run(store, ...citusStandIns, ...[...standIns(hostname, port), ...changes].map(plainSql));
  const seen: Observation[] = [];
  const options = { create: false, observe: (observation: Observation) => void seen.push(observation) };
  const spread = await openDatabase({ engine: "postgres", url, poolSize: 4 }, options);
  const unusable = () =>
    seen.filter((observation) => observation.kind === "maintenance_failed" && /reading from/.test(observation.task));
  return { spread, unusable };
}

async function revision(database: Database): Promise<number | undefined> {
  return (await database.get<{ revision: number }>(read))?.revision;
}

onEachEngine("reads from workers", (engine) => {
  if (engine.name === "sqlite" || isOnCluster) return;

  engine.testTogether("are asked of the account's shard, and of the coordinator once it has moved", async (store) => {
    const { spread, unusable } = await spreadStore(store);
    try {
      await until(async () => (await revision(spread)) === 100);
      // In a transaction everything is asked of the coordinator.
      expect(await spread.transaction((tx) => tx.get<{ revision: number }>(read))).toEqual({ revision: 1 });
      await run(store, plainSql("update pg_dist_placement set groupid = 1"));
      expect(await revision(spread)).toBe(1);
      await run(store, plainSql("update pg_dist_placement set groupid = 0"));
      expect(await revision(spread)).toBe(100);
      await run(store, plainSql("drop table fleet_revisions_8"));
      expect(await revision(spread)).toBe(1);
      expect(unusable()).toEqual([]);
    } finally {
      await spread.close();
    }
  });

  engine.testTogether("are asked of the coordinator while it is undecided whether the shard moves", async (store) => {
    const { spread } = await spreadStore(store);
    try {
      await until(async () => (await revision(spread)) === 100);
      const moving = store.database.transaction(async (tx) => {
        await tx.run(plainSql("update pg_dist_placement set groupid = 1 where shardid = 7"));
        expect(await revision(spread)).toBe(1);
        throw new Error("it stays");
      });
      await expect(moving).rejects.toThrow("it stays");
      expect(await revision(spread)).toBe(100);
    } finally {
      await spread.close();
    }
  });

  engine.testTogether("of several accounts of a worker are one statement, for those that are there", async (store) => {
    const { spread } = await spreadStore(store);
    const about: AboutAccounts = {
      text: "select account_id, revision from fleet_revisions where account_id = any ($1::bigint[])",
      columns: "account_id, revision",
      valuesOf: (accounts) => [`{${accounts.join()}}`],
    };
    const together = async (accounts: readonly number[]) => {
      const rows = await spread.allOnWorker?.<{ account_id: number; revision: number }>(accounts, about);
      return rows && Object.fromEntries(rows.map(({ account_id, revision }) => [account_id, revision]));
    };
    try {
      await until(async () => (await together([1, 2])) !== null);
      expect(await together([2, 1])).toEqual({ 1: 100, 2: 200 });
      expect(await together([2])).toEqual({ 2: 200 });
      expect(await together([1, 3])).toBeNull();
      await run(store, plainSql("update pg_dist_placement set groupid = 1 where shardid = 17"));
      expect(await together([1])).toEqual({ 1: 100 });
      expect(await together([1, 2])).toBeNull();
    } finally {
      await spread.close();
    }
  });

  engine.testTogether(
    "are asked of the coordinator if another server answers at the worker's address",
    async (store) => {
      const { spread, unusable } = await spreadStore(store, "update starts set started = '1'");
      try {
        await until(async () => unusable().length > 0);
        expect(await revision(spread)).toBe(1);
      } finally {
        await spread.close();
      }
    },
  );

  engine.testTogether("are asked of the coordinator if nobody answers there; it is reported once", async (store) => {
    const { spread, unusable } = await spreadStore(store, "update pg_dist_node set nodeport = 1");
    try {
      await until(async () => unusable().length > 0);
      expect([await revision(spread), await revision(spread)]).toEqual([1, 1]);
      expect(unusable()).toHaveLength(1);
    } finally {
      await spread.close();
    }
  });
});
