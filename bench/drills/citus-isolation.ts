/**
 * Gives an account a shard of its own on Citus while its frames, and those of others, come in, as docs/scaling.md says. Held if
 * that ends within a minute, and every acknowledged frame is stored exactly once.
 *
 *     node_modules/.bin/bun bench/drills/citus-isolation.ts [--accounts 4] [--frames 300] [--rounds 2] [--way split|isolate]
 *
 *   --accounts N  that send, each from 12 vehicles
 *   --frames N    of all of them together, in a second
 *   --rounds N    how many accounts are isolated, one after the other
 *   --way         split: to the other worker, the way of the document. isolate: `isolate_tenant_to_new_shard` with
 *                 `force_logical`, which Citus 13.2 does not end under load
 */
import { readOptions } from "../support/options.ts";
import { CitusCluster, needCitus } from "./support/citus.ts";
import { loadAccounts, type SpreadAccount, startLoads, stopLoads } from "./support/citus-fleet.ts";
import { killAll, startNodes } from "./support/nodes.ts";
import { conclude, print, summary } from "./support/report.ts";
import { verifyFrames } from "./support/verify.ts";

const options = readOptions(import.meta.url, { accounts: 4, frames: 300, rounds: 2, way: "split" });

const limitMs = 60_000;
const settleMs = 3_000;
const framesPerMessage = 6;
const writers = 2;
const count = options.accounts;
/** So long that all writers together send as many frames as were asked for, if each is answered at once. */
const pauseMs = (1000 * framesPerMessage * writers * count) / options.frames;

const cluster = await CitusCluster.start({ programs: needCitus() });
try {
  await drill();
} finally {
  await cluster.remove();
}

async function drill(): Promise<void> {
  const accounts = await loadAccounts(cluster, count);
  const nodes = await startNodes(1, { databaseUrl: cluster.url });
  try {
    const [node] = nodes;
    if (node === undefined) throw new Error("a drill needs a node");
    const loads = startLoads(accounts, node, { readers: 1, writers, framesPerMessage, pauseMs });
    const began = performance.now();
    let isInTime = true;
    for (const account of accounts.slice(0, options.rounds)) {
      await Bun.sleep(settleMs);
      const tookMs = await isolate(account);
      isInTime &&= tookMs !== null && tookMs < limitMs;
      const words = tookMs === null ? `not within ${limitMs / 1000} s, cancelled` : `${(tookMs / 1000).toFixed(1)} s`;
      print(`account ${account.number} isolated`, words);
    }
    await Bun.sleep(settleMs);
    const seconds = (performance.now() - began) / 1000;
    const result = await stopLoads(loads);
    print("frames acknowledged in a second", Math.round(result.acknowledged.size / seconds));
    print("errors that clients saw", summary(result.errors));
    await Promise.all(nodes.map((each) => each.stop()));
    const { acknowledged, lost, twice, invented, held } = await verifyFrames(cluster.url, result);
    print("acknowledged; lost, twice, invented", `${acknowledged}; ${lost.length}, ${twice}, ${invented}`);
    conclude(held && isInTime, held ? "it took too long" : "frames were lost or doubled");
  } finally {
    await killAll(nodes);
  }
}

/** How long it took; null: it did not end, and was cancelled. */
async function isolate({ number }: SpreadAccount): Promise<number | null> {
  const text = options.way === "isolate" ? isolation(number) : await split(number);
  const began = performance.now();
  try {
    await cluster.asSuperuser(`set statement_timeout = ${limitMs}; ${text}`);
    return performance.now() - began;
  } catch (error) {
    if ((error as { errno?: string }).errno !== "57014") throw error;
    for (const { database, place } of cluster.workers) print(`the log of ${place}`, summary(errorsIn(database.log)));
    return null;
  }
}

function errorsIn(log: string): { kind: string; error: string }[] {
  const found = log.matchAll(/ERROR: {2}(.*)/g);
  return Array.from(found, ([, error = ""]) => ({ kind: "ERROR", error: error.replaceAll(/\d+/g, "N") }));
}

function isolation(account: number): string {
  return `select isolate_tenant_to_new_shard('devices', ${account}, 'CASCADE', shard_transfer_mode := 'force_logical')`;
}

/** Three shards instead of one, all of them on the other worker: what is below the account, the account, and what is above. */
async function split(account: number): Promise<string> {
  const [row] = await cluster.asSuperuser<{ shard: string; hash: number; other: number }>(`
    select s.shardid as shard, worker_hash(${account}::bigint) as hash, o.nodeid as other
    from pg_dist_shard s join pg_dist_placement p using (shardid)
    join pg_dist_node o on o.groupid <> p.groupid and o.shouldhaveshards
    where s.shardid = get_shard_id_for_distribution_column('devices', ${account})`);
  if (!row) throw new Error(`account ${account} has no shard`);
  const { shard, hash, other } = row;
  return `select citus_split_shard_by_split_points(${shard}, array['${hash - 1}', '${hash}'],
    array[${other}, ${other}, ${other}], 'force_logical')`;
}
