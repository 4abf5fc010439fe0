import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FilledStore, fillStore, type Size } from "./support/filled-store.ts";
import type { Measure } from "./support/measure.ts";
import { measureDisk } from "./support/measure-disk.ts";
import { measureLate } from "./support/measure-late.ts";
import { measureReads } from "./support/measure-reads.ts";
import { measureRederive } from "./support/measure-rederive.ts";
import { measureRetention } from "./support/measure-retention.ts";
import { versionsOf } from "./support/version.ts";

const help = `What a large store costs: fills stores directly and measures on them.

  node_modules/.bin/bun bench/large-store.ts [options]

  --frames N        frames of the store (100000000); several, separated by commas, are compared with one another
  --devices M       devices that share them (a hundredth of a percent of the frames, so that each has 10,000)
  --step-seconds S  time between two frames of a device (10)
  --postgres        on a PostgreSQL of its own, without fsync, instead of SQLite
  --before DIR      fills and measures the same with another checkout of the program, in turns
  --only LIST       of disk,reads,late,rederive,retention (all; retention drops half of the frames, so it comes last)
  --rounds R        rounds of each measurement (5)
  --seconds S       seconds of load in each round (2)
  --fill-only       SQLite: keeps the filled stores and prints where they are, with an API key and an ingest token

A few devices' frames are loaded and derived by the program; everything stored of them is copied to the others in SQL.
Frames are generated: drives and stands with noise in place, speed, heading, altitude, accuracy, voltage and delay.`;

const { values: options } = parseArgs({
  options: {
    frames: { type: "string", default: "100000000" },
    devices: { type: "string" },
    "step-seconds": { type: "string", default: "10" },
    postgres: { type: "boolean", default: false },
    before: { type: "string" },
    only: { type: "string", default: "disk,reads,late,rederive,retention" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    "fill-only": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const measures: Readonly<Record<string, Measure>> = {
  disk: measureDisk,
  reads: measureReads,
  late: measureLate,
  rederive: measureRederive,
  retention: measureRetention,
};

if (options.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const wanted = Object.keys(measures).filter((name) => options.only.split(",").includes(name));
  const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
  const stores: FilledStore[] = [];
  try {
    for (const size of sizes()) {
      for (const version of versionsOf(options.before)) {
        const store = await fillStore(version, size, { directory, isPostgres: options.postgres });
        stores.push(store);
        const rate = Math.round(size.frames / store.fillSeconds);
        const engine = options.postgres ? "PostgreSQL" : "SQLite";
        const what = `${engine}, ${size.frames} frames of ${size.devices} devices`;
        console.log(`${what}, ${version.name}: filled in ${store.fillSeconds.toFixed(0)} s (${rate} frames/s)`);
      }
    }
    if (options["fill-only"]) {
      for (const { target, key, token } of stores) console.log(JSON.stringify({ target, key, token }));
      return;
    }
    const settings = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
    for (const name of wanted) await measures[name]?.(stores, settings);
  } finally {
    if (!options["fill-only"]) {
      for (const store of stores) await store.remove();
      await rm(directory, { recursive: true, force: true });
    }
  }
}

function sizes(): Size[] {
  const stepMs = Number(options["step-seconds"]) * 1000;
  return options.frames.split(",").map((text) => {
    const frames = Number(text);
    const devices = Number(options.devices ?? Math.ceil(frames / 10_000));
    // Loading a month takes as long as all templates.
    return { frames, devices, stepMs, hasMonth: options.only.includes("rederive") };
  });
}
