/**
 * A million vehicles on paper: how accounts of very different sizes fall onto shards and machines, and how long frames wait
 * at nodes if trackers report in step. Nothing is measured here; `docs/a-million-vehicles.md` quotes the tables.
 *
 *     node_modules/.bin/bun bench/a-million-vehicles.ts [--seed 1] [--vehicles 1000000] [--accounts 3000] [--trials 400]
 */
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    vehicles: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "3000" },
    trials: { type: "string", default: "400" },
  },
});
const seed = Number(options.seed);
const vehicles = Number(options.vehicles);
const accountCount = Number(options.accounts);
const trials = Number(options.trials);

const shardCounts = [32, 64, 128, 256];
const workerCounts = [4, 8, 16, 32];
/** The size of the nth largest account falls with n to this power. */
const zipfExponents = [0.7, 1];

const stepMs = 10;
const periodMs = 10_000;
/** Reports of trackers in step arrive within this time: clocks and networks differ. */
const spreadMs = 1_000;

console.log(`seed ${seed}, ${vehicles} vehicles, ${accountCount} accounts, ${trials} trials`);
for (const exponent of zipfExponents) printMachines(exponent);
printWaits();

/** Puts each shard somewhere. Returns the load of each machine. */
type Placement = (shards: readonly number[], workers: number) => number[];

function printMachines(exponent: number): void {
  const sizes = accountSizes(exponent);
  const largest = (100 * (sizes[0] ?? 0)) / vehicles;
  console.log(
    `\nsizes fall with the power ${exponent}: the largest account has ${largest.toFixed(1)} % of all vehicles`,
  );
  console.log(
    "load of the fullest machine against the mean: median of all trials, and the one in twenty that is worse",
  );
  const placements: readonly [string, Placement][] = [
    ["shards in turn, as Citus begins", inTurn],
    ["shards moved by their load", byLoad],
  ];
  for (const [name, place] of placements) {
    console.log(name.padEnd(34) + workerCounts.map((workers) => `${workers} workers`.padStart(14)).join(""));
    for (const shards of shardCounts) {
      const cells = workerCounts.map((workers) => fullest(sizes, shards, workers, place));
      console.log(`  ${shards} shards`.padEnd(34) + cells.map((cell) => cell.padStart(14)).join(""));
    }
  }
}

function accountSizes(exponent: number): number[] {
  const weights = Array.from({ length: accountCount }, (_, rank) => 1 / (rank + 1) ** exponent);
  const sum = total(weights);
  return weights.map((weight) => (vehicles * weight) / sum);
}

function fullest(sizes: readonly number[], shardCount: number, workers: number, place: Placement): string {
  const ratios: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const random = randomNumbers(seed * 1_000_003 + trial);
    const shards = Array.from({ length: shardCount }, () => 0);
    // A hash scatters accounts evenly, whatever their numbers are.
    for (const size of sizes) {
      const shard = Math.floor(random() * shardCount);
      shards[shard] = (shards[shard] ?? 0) + size;
    }
    ratios.push(Math.max(...place(shards, workers)) / (vehicles / workers));
  }
  ratios.sort((one, other) => one - other);
  return `${at(ratios, 0.5).toFixed(2)} (${at(ratios, 0.95).toFixed(2)})`;
}

function inTurn(shards: readonly number[], workers: number): number[] {
  const machines = Array.from({ length: workers }, () => 0);
  for (const [index, load] of shards.entries()) machines[index % workers] = (machines[index % workers] ?? 0) + load;
  return machines;
}

/** The largest first, each to the machine that has least: about what moving shards by hand or by Citus can reach. */
function byLoad(shards: readonly number[], workers: number): number[] {
  const machines = Array.from({ length: workers }, () => 0);
  for (const load of shards.toSorted((one, other) => other - one)) {
    const emptiest = machines.indexOf(Math.min(...machines));
    machines[emptiest] = (machines[emptiest] ?? 0) + load;
  }
  return machines;
}

/**
 * Frames wait in turn at nodes that take so many a second. Some trackers send at any moment, the others when the clock shows a
 * full ten seconds. Nodes are alike, so one queue stands for all.
 */
function printWaits(): void {
  const utilisations = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95];
  console.log(
    "\nframes that wait longer than a second at a node, and the longest wait, by how busy nodes are on average",
  );
  console.log("trackers in step".padEnd(34) + utilisations.map((part) => `${100 * part} % busy`.padStart(16)).join(""));
  for (const inStep of [0, 0.1, 0.2, 0.5, 1]) {
    const cells = utilisations.map((utilisation) => waitsOf(inStep, utilisation));
    console.log(`  ${100 * inStep} %`.padEnd(34) + cells.map((cell) => cell.padStart(16)).join(""));
  }
}

function waitsOf(inStep: number, utilisation: number): string {
  const random = randomNumbers(seed);
  const steps = 60 * (periodMs / stepMs);
  /** What a node takes in one step is the unit of work. */
  const framesPerStep = 50;
  let backlog = 0;
  let frames = 0;
  let late = 0;
  let longestMs = 0;
  for (let step = 0; step < steps; step++) {
    const isBurst = (step * stepMs) % periodMs < spreadMs;
    const rate = utilisation * (1 - inStep + (isBurst ? (inStep * periodMs) / spreadMs : 0));
    const arrived = arrivals(random, rate * framesPerStep) / framesPerStep;
    const waitMs = backlog * stepMs;
    frames += arrived;
    if (waitMs > 1_000) late += arrived;
    longestMs = Math.max(longestMs, waitMs);
    backlog = Math.max(0, backlog + arrived - 1);
  }
  return `${((100 * late) / frames).toFixed(0)} %, ${(longestMs / 1000).toFixed(1)} s`;
}

/** Poisson: how many come where so many are expected. */
function arrivals(random: () => number, expected: number): number {
  const limit = Math.exp(-Math.min(expected, 700));
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

/** Between 0 and 1, the same in every run with the same seed. */
function randomNumbers(start: number): () => number {
  let state = Math.imul(start + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
