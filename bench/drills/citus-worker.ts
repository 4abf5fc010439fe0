/**
 * A Citus cluster whose workers are late to take new connections, and then one of them is silent: all its processes stand still,
 * and then the network on the way to it. Held if nobody is refused as long as a worker answers on open connections, a silent
 * one is refused within 4 s, accounts of the other worker see no error, and every acknowledged frame is stored exactly once.
 *
 *     node_modules/.bin/bun bench/drills/citus-worker.ts [--late 3] [--seconds 600] [--silent 20] [--rounds 1] [--accounts 6] [--root DIR]
 *
 *   --late S      how late new connections are
 *   --seconds S   how long that lasts
 *   --silent S    how long a worker is silent
 *   --rounds N    of silence, of each kind
 *   --accounts N  that send and read
 *   --root DIR    another version's directory, whose program serves
 */

import { loadavg } from "node:os";
import { readOptions } from "../support/options.ts";
import { CitusCluster, needCitus, type Worker } from "./support/citus.ts";
import { type AccountLoad, loadAccounts, startLoads, stopLoads } from "./support/citus-fleet.ts";
import type { Outcome } from "./support/load.ts";
import { killAll, type Node, startNodes } from "./support/nodes.ts";
import { conclude, print, summary } from "./support/report.ts";
import { verifyFrames } from "./support/verify.ts";

const options = readOptions(import.meta.url, { late: 3, seconds: 600, silent: 20, rounds: 1, accounts: 6, root: null });

const foundMs = 4_000;
const settleMs = 5_000;
const refusal = /the worker [^ ]+ of the Citus cluster does not answer/g;
const silentMs = options.silent * 1000;
const held: boolean[] = [];

const cluster = await CitusCluster.start({ programs: needCitus(), hasNetwork: true });
try {
  await drill();
} finally {
  await cluster.remove();
}

async function drill(): Promise<void> {
  // Citus makes its connections anew all the time, so that there are new ones to be late.
  await cluster.asSuperuser("alter database fleet set citus.max_cached_connection_lifetime = '10s'");
  const accounts = await loadAccounts(cluster, options.accounts);
  const nodes = await startNodes(1, { databaseUrl: cluster.url, root: options.root });
  try {
    const [node] = nodes;
    if (node === undefined) throw new Error("a drill needs a node");
    const loads = startLoads(accounts, node, { readers: 2, writers: 1, pauseMs: 50 });
    await Bun.sleep(settleMs);
    await late(node, loads);
    for (let round = 0; round < options.rounds; round++) {
      const worker = cluster.workers[round % cluster.workers.length] as Worker;
      const { database, network } = worker;
      await silent("all its processes stand still", worker, loads, {
        begin: () => database.freeze(),
        end: async () => database.thaw(),
      });
      await silent("the network swallows everything", worker, loads, {
        begin: () => network?.freeze(),
        end: async () => network?.restore(),
      });
    }
    const result = await stopLoads(loads);
    await Promise.all(nodes.map((each) => each.stop()));
    const verified = await verifyFrames(cluster.url, result);
    print("acknowledged", verified.acknowledged);
    check("lost, twice, invented", `${verified.lost.length}, ${verified.twice}, ${verified.invented}`, verified.held);
    conclude(!held.includes(false));
  } finally {
    await killAll(nodes);
  }
}

async function late(node: Node, loads: readonly AccountLoad[]): Promise<void> {
  console.log(`\nnew connections to both workers are ${options.late} s late, for ${options.seconds} s`);
  const before = node.log.length;
  const began = performance.now();
  for (const { network } of cluster.workers) network?.delayNew(options.late * 1000);
  await Bun.sleep(options.seconds * 1000);
  for (const { network } of cluster.workers) network?.delayNew(0);
  const refused = node.log.slice(before).match(refusal)?.length ?? 0;
  const seen = loads.flatMap(({ outcomes }) => outcomes.filter(({ sentAt }) => sentAt >= began));
  print("answers; the longest", `${seen.length}; ${longest(seen)}`);
  print("the machine's load", (loadavg()[0] ?? 0).toFixed(1));
  check("errors", summary(failed(seen)), failed(seen).length === 0);
  check("workers refused, by the log", String(refused), refused === 0);
}

async function silent(
  name: string,
  worker: Worker,
  loads: readonly AccountLoad[],
  fault: { readonly begin: () => void; readonly end: () => Promise<void> | undefined },
): Promise<void> {
  await Bun.sleep(settleMs);
  console.log(`\n${worker.place}: ${name} for ${silentMs / 1000} s`);
  const began = performance.now();
  fault.begin();
  await Bun.sleep(silentMs);
  await fault.end();
  const returnedAt = performance.now();
  const own = loads.filter(({ account }) => account.place === worker.place);
  const others = loads.filter(({ account }) => account.place !== worker.place);
  const isBack = () =>
    own.every(({ outcomes }) => outcomes.some(({ error, sentAt }) => error === null && sentAt >= returnedAt));
  while (!isBack() && performance.now() - returnedAt < 60_000) await Bun.sleep(50);
  const back = performance.now() - returnedAt;
  const during = ({ outcomes }: AccountLoad) => outcomes.filter(({ endedAt }) => endedAt >= began);
  print("the machine's load", (loadavg()[0] ?? 0).toFixed(1));
  const refusedAt = Math.min(...failed(own.flatMap(during)).map(({ endedAt }) => endedAt));
  check("refused after", `${((refusedAt - began) / 1000).toFixed(1)} s`, refusedAt - began < foundMs);
  print("all of its accounts answered after its return", `${(back / 1000).toFixed(1)} s`);
  print("errors of its accounts", summary(failed(own.flatMap(during))));
  const seen = others.flatMap(during);
  check(
    "errors of other accounts; longest answer",
    `${summary(failed(seen))}; ${longest(seen)}`,
    failed(seen).length === 0,
  );
}

function failed(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(({ error }) => error !== null);
}

function longest(outcomes: readonly Outcome[]): string {
  const ms = outcomes.reduce((most, { sentAt, endedAt }) => Math.max(most, endedAt - sentAt), 0);
  return `${(ms / 1000).toFixed(1)} s`;
}

function check(what: string, value: string, isHeld: boolean): void {
  held.push(isHeld);
  print(`${isHeld ? "" : "NOT HELD: "}${what}`, value);
}
