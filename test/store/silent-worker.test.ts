import { expect } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { citusStandIns } from "../support/citus-stand-ins.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { until } from "../support/patience.ts";
import { isOnCluster } from "../support/postgres-databases.ts";

const poolSize = 4;
/** Accounts with odd numbers are on the first worker, the others on the second. As on a real cluster there are many of both. */
const accounts = 600;
const placements = 900;
const silentWorker = "worker-2.example:5432";
const refused = {
  code: "STORE_UNREACHABLE",
  message: `the worker ${silentWorker} of the Citus cluster does not answer: start it, or check the coordinator's way to it`,
};

/**
 * Two workers, which are one server: a read of `fleet_revisions` of an account in `stuck` waits, and a question to a worker in
 * `silent`, or writes `accounts`, of which all workers have a copy. That is what a coordinator does whose worker is stopped, or whose network to it is lost. `lookups` counts the accounts
 * whose shard was reckoned, `asked` how often a worker was asked.
 */
const standIns: readonly string[] = [
  "insert into pg_dist_partition values ('devices', 'h', 's', 'account_id', null)",
  `create table pg_dist_placement as select n as shardid, 1 + (n + 1) % 2 as groupid from generate_series(1, ${placements}) n`,
  `create table pg_dist_node as
    select n as groupid, 'worker-' || n || '.example' as nodename, 5432 as nodeport, 'primary' as noderole
    from generate_series(1, 2) n`,
  "create sequence lookups",
  `create function get_shard_id_for_distribution_column(spread regclass, account bigint) returns bigint language sql as
    $$ select 2 - account % 2 from nextval('lookups') $$`,
  `insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
    select n, gen_random_uuid(), n, 'active', 1, 1, 1, 1 from generate_series(1, ${accounts}) n`,
  "create table stuck (account bigint)",
  "create table silent (node text, times bigint)",
  "create sequence asked",
  `create function citus_check_connection_to_node(host text, port int) returns boolean language plpgsql as $$
  declare time bigint := nextval('asked');
  begin
    while exists (select 1 from silent where node = host || ':' || port and times >= time) loop
      perform pg_sleep(0.02);
    end loop;
    return true;
  end $$`,
  `create function write_everywhere() returns trigger language plpgsql as $$
  begin
    while exists (select 1 from silent) loop
      perform pg_sleep(0.02);
    end loop;
    return null;
  end $$`,
  "create trigger copies before update on accounts for each statement execute function write_everywhere()",
  "alter table fleet_revisions rename to fleet_rows",
  `create function answers(wanted bigint) returns boolean language plpgsql as $$
  begin
    while exists (select 1 from stuck where account = wanted) loop
      perform pg_sleep(0.02);
    end loop;
    return true;
  end $$`,
  "create view fleet_revisions as select account_id, revision from fleet_rows where answers(account_id)",
];

const freeze = [plainSql("insert into stuck values (2), (4)"), sql`insert into silent values (${silentWorker}, 1000)`];
const thaw = [plainSql("delete from stuck"), plainSql("delete from silent")];

const revisionOf = (accountId: number): Sql =>
  sql`select revision from fleet_revisions where account_id = ${accountId}`;

async function run({ database }: FreshDatabase, ...statements: readonly Sql[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });
}

/** A store on two workers, as a server opens it, and what it reports. */
async function spreadStore(store: FreshDatabase) {
  const fleets = sql`insert into fleet_revisions (account_id, revision) values (1, 1), (2, 2), (4, 4)`;
  await run(store, fleets, ...citusStandIns, ...standIns.map(plainSql));
  const seen: Observation[] = [];
  const spread = await openDatabase(
    { engine: "postgres", url: store.env.DATABASE_URL ?? "", poolSize },
    { create: false, observe: (observation) => seen.push(observation) },
  );
  const failures = () => seen.filter(({ kind }) => kind === "worker_failed");
  return { store, spread, seen, failures };
}

onEachEngine("a worker that does not answer", (engine) => {
  if (engine.name === "sqlite" || isOnCluster) return;

  engine.testTogether(
    "is refused until it does, named, counted, and leaves connections to accounts of the others",
    async (given) => {
      const { store, spread, failures } = await spreadStore(given);
      try {
        expect(spread.isDistributed).toBe(true);
        // Not for each of the placements.
        expect(await lastOf(store.database, "lookups")).toBeLessThanOrEqual(2 * accounts);
        expect(await spread.get<{ revision: number }>(revisionOf(2))).toEqual({ revision: 2 });
        await run(store, ...freeze);

        // More than there are connections.
        const waiting = Array.from({ length: 3 * poolSize }, () => failureOf(spread.get(revisionOf(2))));
        for (let count = 0; count < 2 * poolSize; count++) {
          expect(await spread.get<{ revision: number }>(revisionOf(1))).toEqual({ revision: 1 });
        }
        expect(await waitingConnections(store.database)).toBeLessThan(poolSize);

        for (const failure of await Promise.all(waiting)) expect(failure).toMatchObject(refused);
        expect(await failureOf(spread.get(revisionOf(2)))).toMatchObject(refused);
        expect(await failureOf(spread.change(revisionOf(2)))).toMatchObject(refused);
        expect(await failureOf(spread.transaction((tx) => tx.get(revisionOf(2))))).toMatchObject(refused);
        expect(await spread.transaction((tx) => tx.get<{ revision: number }>(revisionOf(1)))).toEqual({ revision: 1 });
        await spread.ping();
        expect(failures()).toHaveLength(waiting.length + 3);
        expect(failures()[0]).toEqual({ kind: "worker_failed", worker: silentWorker });

        await run(store, ...thaw);
        await until(async () => (await spread.get(revisionOf(2)).catch(() => null)) !== null);
      } finally {
        await spread.close();
      }
    },
  );

  engine.testTogether(
    "refuses also those who write what every worker has a copy of, whatever account they are of",
    async (given) => {
      const { store, spread, failures } = await spreadStore(given);
      const rename = sql`update accounts set name = 'new' where account_id = ${1}`;
      const renameAll = plainSql("update accounts set name = 'new' where status = 'none'");
      try {
        await run(store, ...freeze);
        const waiting = [
          failureOf(spread.change(renameAll)),
          failureOf(spread.transaction((tx) => tx.run(rename))),
          failureOf(spread.transaction((tx) => tx.run(renameAll))),
        ];
        for (const failure of await Promise.all(waiting)) expect(failure).toMatchObject(refused);
        expect(await failureOf(spread.change(rename))).toMatchObject(refused);
        expect(await failureOf(spread.transaction((tx) => tx.run(renameAll)))).toMatchObject(refused);
        expect(failures()).toHaveLength(waiting.length + 2);
        expect(await spread.get<{ name: string }>(sql`select name from accounts where account_id = ${1}`)).toEqual({
          name: "1",
        });
        expect(await spread.get<{ revision: number }>(revisionOf(1))).toEqual({ revision: 1 });
        await run(store, ...thaw);
        await until(async () => (await spread.change(rename).catch(() => null)) !== null);
      } finally {
        await spread.close();
      }
    },
  );

  engine.testTogether(
    "is not meant when it misses one question, or when one account's rows are locked there",
    async (given) => {
      const { store, spread, failures } = await spreadStore(given);
      try {
        await run(store, plainSql("insert into stuck values (2)"), sql`insert into silent values (${silentWorker}, 1)`);
        const locked = spread.get<{ revision: number }>(revisionOf(2));
        await until(async () => (await lastOf(store.database, "asked")) >= 2);
        expect(await spread.get<{ revision: number }>(revisionOf(4))).toEqual({ revision: 4 });
        await run(store, ...thaw);
        expect(await locked).toEqual({ revision: 2 });
        expect(failures()).toEqual([]);
      } finally {
        await spread.close();
      }
    },
  );

  engine.testTogether("is not known if nobody says where accounts are; that is reported", async (given) => {
    const { store, spread, seen } = await spreadStore(given);
    await spread.close();
    await run(store, plainSql("drop table pg_dist_node"));
    const again = await openDatabase(
      { engine: "postgres", url: store.env.DATABASE_URL ?? "", poolSize },
      { create: false, observe: (observation) => seen.push(observation) },
    );
    await again.close();
    const reported = { kind: "maintenance_failed", task: "finding the accounts' workers" };
    expect(seen).toContainEqual(expect.objectContaining(reported));
  });
});

/** Of the pool: those that wait for the worker. */
async function waitingConnections(database: Database): Promise<number> {
  const row = await database.get<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select revision from fleet%'`);
  return row?.count ?? 0;
}

async function lastOf(database: Database, sequence: string): Promise<number> {
  const row = await database.get<{ last: number | null }>(sql`
    select last_value as last from pg_sequences where sequencename = ${sequence}`);
  return row?.last ?? 0;
}
