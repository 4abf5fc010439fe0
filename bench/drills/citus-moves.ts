/**
 * One row of an account is raised again and again, and read straight from its worker, while Citus moves the account's shard from
 * worker to worker, in both ways. Held if no read is older than what was stored before it began.
 *
 *     node_modules/.bin/bun bench/drills/citus-moves.ts [--moves 6] [--readers 3]
 */

import type { AboutAccounts, Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { readOptions } from "../support/options.ts";
import { CitusCluster, needCitus } from "./support/citus.ts";
import { loadAccounts } from "./support/citus-fleet.ts";
import { conclude, print } from "./support/report.ts";

const options = readOptions(import.meta.url, { moves: 6, readers: 3 });

const rowsOfSome: AboutAccounts = {
  text: "select account_id, revision from fleet_revisions where account_id = any ($1::bigint[])",
  columns: "revision",
  valuesOf: (accounts) => [`{${accounts.join()}}`],
};

const cluster = await CitusCluster.start({ programs: needCitus() });
try {
  const database = await openDatabase({ engine: "postgres", url: cluster.url }, { create: false });
  try {
    await drill(database);
  } finally {
    await database.close();
  }
} finally {
  await cluster.remove();
}

async function drill(database: Database): Promise<void> {
  const [account] = (await loadAccounts(cluster, 1)).map(({ number }) => number);
  if (account === undefined) throw new Error("a drill needs an account");
  while (!database.workerOf?.(account)) {
    await database.get(rowOf(account));
    await Bun.sleep(100);
  }
  const counts = { writes: 0, refused: 0, fromWorker: 0, fromCoordinator: 0, stale: 0 };
  let stored = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const raised = await database.change<{ revision: number }>(raise(account)).catch(() => []);
      if (raised[0]) stored = raised[0].revision;
      counts[raised[0] ? "writes" : "refused"]++;
    }
  };
  const read = async () => {
    while (!isOver) {
      const before = stored;
      const rows = await database.allOnWorker?.<{ revision: number }>([account], rowsOfSome);
      const [row] = rows ?? (await database.all<{ revision: number }>(rowOf(account)));
      counts[rows ? "fromWorker" : "fromCoordinator"]++;
      if ((row?.revision ?? 0) < before) counts.stale++;
    }
  };
  const running = [write(), ...Array.from({ length: options.readers }, read)];
  for (let number = 0; number < options.moves; number++) {
    await Bun.sleep(2_000);
    await move(account, number % 2 === 0 ? "block_writes" : "force_logical");
  }
  await Bun.sleep(2_000);
  isOver = true;
  await Promise.all(running);
  print("writes, and those that failed", `${counts.writes}, ${counts.refused}`);
  print("reads from the worker, and the coordinator", `${counts.fromWorker}, ${counts.fromCoordinator}`);
  print("reads that were older than a write before", counts.stale);
  conclude(counts.stale === 0 && counts.fromWorker > 0);
}

function rowOf(account: number) {
  return sql`select account_id, revision from fleet_revisions where account_id = ${account}`;
}

function raise(account: number) {
  return sql`update fleet_revisions set revision = revision + 1 where account_id = ${account} returning revision`;
}

async function move(account: number, mode: string): Promise<void> {
  const began = performance.now();
  await cluster.asSuperuser(`
    select citus_move_shard_placement(p.shardid, o.nodeid, n.nodeid, '${mode}') from pg_dist_placement p
    join pg_dist_node o using (groupid) join pg_dist_node n on n.groupid <> p.groupid and n.shouldhaveshards
    where p.shardid = get_shard_id_for_distribution_column('devices', ${account})`);
  print(`moved, ${mode}`, `${((performance.now() - began) / 1000).toFixed(1)} s`);
}
