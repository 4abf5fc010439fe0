import { expect } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { citusStandIns } from "../support/citus-stand-ins.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { scaledMs, until } from "../support/patience.ts";
import { isOnCluster } from "../support/postgres-databases.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const poolSize = 6;
const lateMs = 3_000;
/** Longer than a worker may say nothing. */
const laterMs = 6_000;
/** From the freeze to the refusal. */
const foundMs = 4_000;

/**
 * One server is coordinator and worker, with a network in between. As with Citus, each session of the coordinator keeps its own
 * connection to the worker, over which it reads `fleet_revisions` and asks whether the worker is there.
 */
function standIns(worker: URL): readonly string[] {
  const { hostname, port, username, password, pathname } = worker;
  const address = `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`;
  return [
    "create extension dblink",
    "insert into pg_dist_partition values ('devices', 'h', 's', 'account_id', null)",
    "create table pg_dist_placement as select 1::bigint as shardid, 1 as groupid",
    `create table pg_dist_node as select 1 as groupid, '${hostname}'::text as nodename, ${port}::int as nodeport, 'primary' as noderole`,
    `create function get_shard_id_for_distribution_column(spread regclass, account bigint) returns bigint
      language sql as 'select 1::bigint'`,
    `insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
      values (1, gen_random_uuid(), 'one', 'active', 1, 1, 1, 1)`,
    "insert into fleet_revisions (account_id, revision) values (1, 7)",
    `create function asked_of_worker(question text) returns bigint language plpgsql as $$
    begin
      if not ('worker' = any (coalesce(dblink_get_connections(), '{}'))) then
        perform dblink_connect('worker', '${address}');
      end if;
      return (select answer from dblink('worker', question) as rows (answer bigint));
    end $$`,
    `create function citus_check_connection_to_node(text, int) returns boolean
      language sql as $$ select asked_of_worker('select 1 as answer') = 1 $$`,
    "alter table fleet_revisions rename to fleet_rows",
    `create view fleet_revisions as select account_id, asked_of_worker('select revision from fleet_rows') as revision
      from fleet_rows`,
  ];
}

const read: Sql = sql`select revision from fleet_revisions where account_id = ${1}`;

async function revision(database: Database): Promise<number | undefined> {
  return (await database.get<{ revision: number }>(read))?.revision;
}

/** More than there are open connections to the worker. */
async function readTogether(database: Database): Promise<void> {
  const answers = await Promise.all(Array.from({ length: poolSize }, () => revision(database)));
  expect(answers).toEqual(answers.map(() => 7));
}

async function onSpreadStore(
  { database, env }: FreshDatabase,
  work: (spread: Database, network: TcpProxy, failures: () => number) => Promise<void>,
): Promise<void> {
  const url = env.DATABASE_URL ?? "";
  const network = await startTcpProxy(url);
  const seen: Observation[] = [];
  try {
    await database.transaction(async (tx) => {
      for (const statement of citusStandIns) await tx.run(statement);
      for (const text of standIns(new URL(network.url))) await tx.run(plainSql(text));
    });
    const observe = (observation: Observation) => void seen.push(observation);
    const spread = await openDatabase({ engine: "postgres", url, poolSize }, { create: false, observe });
    try {
      await work(spread, network, () => seen.filter(({ kind }) => kind === "worker_failed").length);
    } finally {
      await network.restore();
      await spread.close();
    }
  } finally {
    await network.close();
  }
}

onEachEngine("a worker that is late to take connections", (engine) => {
  if (engine.name === "sqlite" || isOnCluster) return;

  engine.testTogether("is not refused as long as it answers on open ones; one that is frozen is", async (given) => {
    await onSpreadStore(given, async (spread, network, failures) => {
      // The first opens a connection to the worker. So does what asks whether the worker is there, which nobody waits for.
      expect(await revision(spread)).toBe(7);
      await until(async () => (await keptOpen(given.database)) >= 2);
      network.delayNew(laterMs);
      // Most need a connection that is not open yet, and wait for it.
      await readTogether(spread);
      expect(failures()).toBe(0);

      network.freeze();
      const frozenAt = performance.now();
      expect(await failureOf(spread.get(read))).toMatchObject({ code: "STORE_UNREACHABLE" });
      expect(performance.now() - frozenAt).toBeLessThan(scaledMs(foundMs));
      expect(failures()).toBe(1);

      // It is back, and still slow to take connections.
      await network.restore();
      network.delayNew(lateMs);
      await until(async () => (await revision(spread).catch(() => null)) === 7);
    });
  });

  engine.testTogether("is not refused while it answers statements", async (given) => {
    await onSpreadStore(given, async (spread, network, failures) => {
      expect(await revision(spread)).toBe(7);
      // Nobody can ask whether it is there, as if each question were lost.
      const lose = plainSql(`create or replace function citus_check_connection_to_node(text, int) returns boolean
        language sql as $$ select true from pg_sleep(60) $$`);
      await given.database.transaction((tx) => tx.run(lose));
      await spread.transaction(async (tx) => {
        expect(await tx.get<{ revision: number }>(read)).toEqual({ revision: 7 });
        network.delayNew(laterMs);
        let isOver = false;
        const late = readTogether(spread);
        const end = () => {
          isOver = true;
        };
        late.then(end, end);
        while (!isOver) expect(await tx.get<{ revision: number }>(read)).toEqual({ revision: 7 });
        await late;
      });
      expect(failures()).toBe(0);
    });
  });
});

/** Connections over which something was asked of the worker. */
async function keptOpen(database: Database): Promise<number> {
  const row = await database.get<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'idle' and query in ('select 1 as answer', 'select revision from fleet_rows')`);
  return row?.count ?? 0;
}
