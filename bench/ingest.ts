/**
 * How fast frames are stored and derived, durably, and what is written for each.
 *
 *   node_modules/.bin/bun bench/ingest.ts [options]
 *
 *   --only LIST    of bodies,single (both)
 *                  bodies: bodies of 500 devices x 1 frame, 10 x 50 and 1 x 500, some at a time
 *                  single: OsmAnd requests of one frame each, over many connections
 *   --frames N     frames of each measurement (60000)
 *   --at-once LIST bodies under way (1,2,4,16)
 *   --connections N for single frames (256)
 *   --seconds S    of single frames in each round (6)
 *   --rounds R     (3)
 *   --devices M    (1000)
 *   --postgres     on a PostgreSQL of its own, without fsync, instead of SQLite
 *   --before DIR   the same with another checkout of the program, in turns
 *
 * Written: what the server wrote to files, without sockets; with PostgreSQL, its log. Pages: the same in pages of SQLite's log. Rows
 * that are inserted, updated and deleted for a frame are counted at the end, with triggers, on SQLite alone.
 */

import { startPostgres } from "../test/support/postgres-server.mjs";
import { median } from "./support/figures.ts";
import { type IngestVersion, startIngestVersion, type Use } from "./support/ingest-version.ts";
import { readOptions } from "./support/options.ts";
import { countRows } from "./support/rows-written.ts";
import { sendFrames } from "./support/send.ts";
import { SendingFleet } from "./support/sending-fleet.ts";
import { runClient } from "./support/servers.ts";
import { versionsOf } from "./support/version.ts";

const options = readOptions(import.meta.url, {
  only: "bodies,single",
  frames: 60_000,
  "at-once": "1,2,4,16",
  connections: 256,
  seconds: 6,
  rounds: 3,
  devices: 1000,
  postgres: false,
  before: null,
});
const { devices, frames, rounds, seconds } = options;
const shapes = [
  { name: "500 x 1", vehicles: 500, frames: 1 },
  { name: "10 x 50", vehicles: 10, frames: 50 },
  { name: "1 x 500", vehicles: 1, frames: 500 },
] as const;
const framesPerBody = 500;
const dayMs = 86_400_000;
/** A page and its head. */
const pageOfLog = 4096 + 24;
/** More than any server takes: none is sent twice. */
const maxSinglesPerSecond = 15_000;

/** A version with the vehicles that send to it. */
interface Side extends IngestVersion {
  readonly fleet: SendingFleet;
}

interface Figures {
  readonly framesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perTransaction: number;
  readonly cpuMicros: number;
  readonly bytes: number;
}

await measureAll(options.only.split(","));

async function measureAll(wanted: readonly string[]): Promise<void> {
  const sides: Side[] = [];
  const postgresServers: { stop(): Promise<void> }[] = [];
  try {
    for (const version of versionsOf(options.before)) {
      const postgres = options.postgres ? await startPostgres() : null;
      if (postgres) postgresServers.push(postgres);
      const started = await startIngestVersion(version, devices, postgres?.url ?? null);
      sides.push({ ...started, fleet: new SendingFleet(devices, Date.now() - 60 * dayMs) });
    }
    const columns = ["frames/s", "p50 ms", "p99 ms", "per commit", "cpu µs each", "written B each", "pages each"];
    console.log(
      (options.postgres ? "PostgreSQL" : "SQLite").padEnd(30) + columns.map((name) => name.padStart(15)).join(""),
    );
    // The first frames of each device are not measured, nor what compiling the code takes: seconds of a process.
    for (const side of sides) await sendBodies(side, shapes[0], 16, 100 * devices);
    if (wanted.includes("bodies")) {
      for (const shape of shapes) {
        for (const atOnce of options["at-once"].split(",").map(Number)) {
          await inTurns(`${shape.name}, ${atOnce} at once`, sides, (side) => sendBodies(side, shape, atOnce, frames));
        }
      }
    }
    if (wanted.includes("single")) {
      await inTurns(`OsmAnd, ${options.connections} connections`, sides, sendSingles);
    }
    for (const side of sides) await printRows(side);
    for (const side of sides) {
      const { frames: stored } = await side.use();
      // A server that ends empties SQLite's log.
      await side.server.stop();
      const each = (await side.diskBytes()) / stored;
      console.log(`${side.server.version.name}: ${stored} frames stored, ${each.toFixed(0)} B each on disk`);
    }
  } finally {
    for (const side of sides) await side.remove();
    for (const server of postgresServers) await server.stop();
  }
}

async function printRows(side: Side): Promise<void> {
  if (side.storeFile === null) return;
  const counted = countRows(side.storeFile);
  for (const shape of shapes) {
    const [before, rows] = [await side.use(), counted.rows()];
    // As many as it takes until frames have gone all the way into blocks.
    await sendBodies(side, shape, 4, 100 * framesPerBody);
    const each = (counted.rows() - rows) / ((await side.use()).frames - before.frames);
    console.log(`${side.server.version.name}, ${shape.name}: ${each.toFixed(2)} rows each`);
  }
  counted.stop();
}

async function inTurns(name: string, sides: readonly Side[], measure: (side: Side) => Promise<Figures>): Promise<void> {
  const figures = sides.map((): Figures[] => []);
  // What is new to it is compiled in a turn that does not count.
  for (const side of sides) await measure(side);
  for (let round = 0; round < rounds; round++) {
    // Who goes first takes turns as well.
    const order = [...sides.keys()];
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      figures[index]?.push(await measure(sides[index] as Side));
    }
  }
  for (const [index, side] of sides.entries()) {
    const middle = (key: keyof Figures) => median(figures[index]?.map((each) => each[key]) ?? []);
    const cells = [
      Math.round(middle("framesPerSecond")),
      middle("p50Ms").toFixed(1),
      middle("p99Ms").toFixed(1),
      middle("perTransaction").toFixed(0),
      middle("cpuMicros").toFixed(1),
      middle("bytes").toFixed(0),
      (middle("bytes") / pageOfLog).toFixed(2),
    ];
    const label = `${name}${sides.length > 1 ? `, ${side.server.version.name}` : ""}`;
    console.log(label.padEnd(30) + cells.map((cell) => String(cell).padStart(15)).join(""));
  }
  if (sides.length < 2) return;
  const ratios = (figures[0] ?? []).map(
    (then, round) => (figures[1]?.[round]?.framesPerSecond ?? 0) / then.framesPerSecond,
  );
  const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(" to ");
  console.log(`${"".padEnd(30)}${`now / before: ${median(ratios).toFixed(2)} (${spread})`.padStart(15)}`);
}

async function sendBodies(side: Side, shape: (typeof shapes)[number], atOnce: number, count: number): Promise<Figures> {
  const bodies = side.fleet.bodies(Math.ceil(count / framesPerBody), shape);
  const before = await side.use();
  const sent = await sendFrames(side.server.ingestUrl, side.token, bodies, { atOnce });
  return figuresOf(sent, before, await side.use());
}

async function sendSingles(side: Side): Promise<Figures> {
  const requests = side.fleet.osmandRequests(seconds * maxSinglesPerSecond, side.token);
  const port = Number(new URL(side.server.ingestUrl).port);
  const before = await side.use();
  const { perSecond, p50Ms, p99Ms } = await runClient(port, requests, seconds, options.connections);
  return figuresOf({ framesPerSecond: perSecond, p50Ms, p99Ms }, before, await side.use());
}

function figuresOf(sent: Pick<Figures, "framesPerSecond" | "p50Ms" | "p99Ms">, before: Use, after: Use): Figures {
  const stored = after.frames - before.frames;
  return {
    framesPerSecond: sent.framesPerSecond,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    perTransaction: stored / (after.transactions - before.transactions),
    cpuMicros: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / stored,
    bytes: (after.bytesWritten - before.bytesWritten) / stored,
  };
}
