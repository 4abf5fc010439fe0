/**
 * What frames and reads cost nodes and database servers on several stores, measured in turns.
 *
 *   node_modules/.bin/bun bench/many-machines.ts --citus [options]
 *   node_modules/.bin/bun bench/many-machines.ts --store plain=URL --store citus=URL [options]
 *
 *   --citus            makes both: plain PostgreSQL, and a coordinator with two workers, where Citus is installed in the PostgreSQL
 *                      of pg_config (PG_CONFIG). All of it is gone afterwards
 *   --before DIR       with --citus: another version's directory, whose program serves a third store, on a cluster of its own
 *   --store NAME=URL   an empty PostgreSQL database, several times. The first is what others are compared with. For one on
 *                      Citus run `odograph distribute` on it first. The fleet stays in it: drop it afterwards
 *   --accounts LIST    how many accounts send and read (1,50)
 *   --devices N        of each account (300). A node holds the states of 20,000 devices: stay below with all accounts
 *   --nodes LIST       on each store (1), or on the first, the second ...: two databases and 1,2 compare one node with two
 *   --background       nodes do their work in the background meanwhile
 *   --root NAME=DIR    another version's directory, whose program serves that store
 *   --only LIST        of what is measured: frames, poll, latest, history, devices, trips (all)
 *   --frames N         sent in each round (40000), one of each device of an account in a body, 16 under way
 *   --seconds S        of each kind of read in each round (4), over 32 connections, with keys of all accounts
 *   --rounds R         (3)
 *   --server NAME:PART=PID   the process of a server, where the database's user may not ask for it.
 *                      PART: server, or coordinator, worker1, worker2 ...
 *
 * Servers must run on this machine, and it must be Linux. Processor time is that of all their processes, with checkpoints
 * and vacuum; without background work of nodes, unless it is asked for. The machine's load is that of the last minute. Network: both directions over the connections of each server, as far as they are still open (needs ss).
 */

import { loadavg } from "node:os";
import { needCitus } from "./drills/support/citus.ts";
import { Fleet } from "./many-machines/fleet.ts";
import { Traffic } from "./many-machines/frames.ts";
import { OwnServers } from "./many-machines/own-servers.ts";
import { reads, requestsOf } from "./many-machines/reads.ts";
import { type Cost, Side } from "./many-machines/side.ts";
import { median } from "./support/figures.ts";
import { readOptions } from "./support/options.ts";

const options = readOptions(import.meta.url, {
  store: [],
  citus: false,
  before: null,
  background: false,
  server: [],
  accounts: "1,50",
  devices: 300,
  nodes: "1",
  root: [],
  only: "frames,poll,latest,history,devices,trips",
  frames: 40_000,
  seconds: 4,
  rounds: 3,
});
const accountCounts = options.accounts.split(",").map(Number);
const fleet = new Fleet(Math.max(...accountCounts), options.devices);
const nodeCounts = options.nodes.split(",").map(Number);
const roots = new Map(options.root.map(named));
const only = options.only.split(",");
const seconds = options.seconds;
const dayMs = 86_400_000;
/** Not so long ago that old checkpoints would be thinned meanwhile. */
const firstAt = (Math.floor(Date.now() / dayMs) - 5) * dayMs;

if (options.store.length === 0 && !options.citus) throw new Error("--citus or --store is needed: see --help");
if (options.citus) await compareOwn();
else await compare();

async function compareOwn(): Promise<void> {
  const servers = await OwnServers.start(needCitus(), options.before !== undefined);
  try {
    for (const { name, url, pids } of servers.stores) {
      options.store.push(`${name}=${url}`);
      for (const [part, pid] of pids) options.server.push(`${name}:${part}=${pid}`);
    }
    if (options.before !== undefined) roots.set("before", options.before);
    await compare();
  } finally {
    await servers.remove();
  }
}

async function compare(): Promise<void> {
  const sides: Side[] = [];
  try {
    for (const [index, store] of options.store.entries()) {
      sides.push(await start(store, nodeCounts[index] ?? nodeCounts[0] ?? 1));
    }
    const traffic = new Traffic(fleet, firstAt);
    const earlier = [...traffic.earlier()];
    console.log(`storing ${earlier.length} bodies of earlier frames of ${fleet.accounts} accounts`);
    // All at once: this part is not measured.
    await Promise.all(sides.map((side) => side.send(earlier)));
    await Promise.all(sides.map((side) => side.machines.analyse()));
    for (const accounts of accountCounts) await measureAccounts(sides, traffic, accounts);
    for (const side of sides) console.log(`${side.name}: ${side.sentAgain} bodies were refused as busy and sent again`);
  } finally {
    for (const side of sides) await side.stop();
  }
}

function start(store: string, nodeCount: number): Promise<Side> {
  const [name, url] = named(store);
  const given = options.server.filter((each) => each.startsWith(`${name}:`));
  const servers = new Map(
    given.map((each): [string, number] => {
      const [part = "", pid] = each.slice(name.length + 1).split("=");
      return [part, Number(pid)];
    }),
  );
  const hasBackground = options.background;
  return Side.start(name, url, fleet, { nodeCount, root: roots.get(name), servers, hasBackground });
}

function named(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`${text}: expected NAME=VALUE`);
  return [name, value];
}

async function measureAccounts(sides: readonly Side[], traffic: Traffic, accounts: number): Promise<void> {
  console.log(`\n${accounts} ${accounts === 1 ? "account" : "accounts"}. For each 1,000: processor time in ms`);
  const count = Math.ceil(options.frames / traffic.framesPerBody);
  if (only.includes("frames")) {
    const sent = await inTurns(sides, () => {
      const bodies = traffic.bodies(count, accounts);
      return (side) => side.send(bodies);
    });
    print("frames in", sides, sent);
  }
  for (const read of reads.filter(({ word }) => only.includes(word))) {
    // Asked for anew each time: what the clock ends may have changed the tags of polls.
    const measure = async (side: Side) => side.read(await requestsOf(read, side, fleet, accounts, firstAt), seconds);
    const costs = await inTurns(sides, () => measure);
    print(read.name, sides, costs);
  }
}

/** One round that is not measured, then the others. Who goes first takes turns as well. */
async function inTurns(sides: readonly Side[], prepare: () => (side: Side) => Promise<Cost>): Promise<Cost[][]> {
  const costs = sides.map((): Cost[] => []);
  for (let round = 0; round <= options.rounds; round++) {
    const measure = prepare();
    const order = [...sides.keys()];
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      const cost = await measure(sides[index] as Side);
      if (round > 0) costs[index]?.push(cost);
    }
  }
  return costs;
}

function print(name: string, sides: readonly Side[], costs: readonly (readonly Cost[])[]): void {
  const totals = costs.map((each) => each.map(({ cpuMs }) => cpuMs.reduce((sum, value) => sum + value, 0)));
  for (const [index, side] of sides.entries()) {
    const own = costs[index] ?? [];
    const middle = (value: (cost: Cost) => number) => median(own.map(value));
    const cells = side.columns.map((column, part) => `${column} ${middle(({ cpuMs }) => cpuMs[part] ?? 0).toFixed(1)}`);
    const network = side.machines.parts.map((_, part) => Math.round(middle(({ networkKb }) => networkKb[part] ?? 0)));
    const written = ` disk ${middle((cost) => cost.dataBytesEach).toFixed(0)} B and log ${middle((cost) => cost.logBytesEach).toFixed(0)} B each`;
    console.log(
      `${(index === 0 ? name : "").padEnd(22)} ${side.name.padEnd(8)} ${Math.round(middle((cost) => cost.perSecond))}/s | ` +
        `${cells.join(", ")}, all ${median(totals[index] ?? []).toFixed(1)} | network kB ${network.join(", ")}` +
        (name === "frames in" ? ` |${written}` : ""),
    );
    if (index === 0) continue;
    const ratios = (totals[index] ?? []).map((value, round) => value / (totals[0]?.[round] ?? Number.NaN));
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const load = loadavg()[0]?.toFixed(1);
    console.log(
      `${"".padEnd(31)} ${side.name} / ${sides[0]?.name}, all: ${median(ratios).toFixed(2)} (${spread}), at a load of ${load}`,
    );
  }
}
