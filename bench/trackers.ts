/**
 * What trackers that call by themselves cost, and whether anything is lost.
 *
 *   node_modules/.bin/bun bench/trackers.ts [options]
 *
 *   --only LIST       of fuzz,worst,cost,connections,kill (cost,kill)
 *                     fuzz: mutated messages of each family; nothing may throw, hang or hold more than a message
 *                     worst: the bytes that cost most, found by search: processor time of 64 KiB, and without giving way
 *                     cost: processor time of a frame by tracker and by POST /frames with single frames, in turns
 *                     connections: many connected trackers of mixed families that report now and then
 *                     kill: kill -9 while they send; nothing that was answered may be lost
 *   --messages N      of each family for fuzz (1000000)
 *   --seed N          for fuzz and worst (1)
 *   --search S        seconds of processor time for each search of worst: three for a family (10)
 *   --trackers N      connected (700 for kill, 10000 for connections)
 *   --every S         how often each reports (10), --seconds S for how long (60)
 *   --rounds R        of cost (5)
 *   --postgres        on a PostgreSQL of its own, without fsync, instead of SQLite
 */

import { type TrackerProtocol, trackerProtocols } from "../src/domain/tracker-protocols.ts";
import { families } from "../src/intake/trackers/families.ts";
import { openDatabase } from "../src/store/open.ts";
import { randomNumbers } from "../test/support/random-drive.ts";
import { callers } from "../test/support/trackers/callers.ts";
import { fieldBytes } from "../test/support/trackers/field/all.ts";
import { protocolOf, ReportingTracker, someReports, trackerDevice } from "../test/support/trackers/reporting.ts";
import { fuzzOnce } from "../test/support/trackers/stream-rules.ts";
import { WireTracker } from "../test/support/trackers/wire-tracker.ts";
import { median } from "./support/figures.ts";
import { growByFamily } from "./support/grown-messages.ts";
import { microsOfFraming, searchWorst, shownUnit, throughConnection } from "./support/hostile-bytes.ts";
import { readOptions } from "./support/options.ts";
import { processSeconds, residentMb } from "./support/process-use.ts";
import { type TrackerServer, withTrackerServer } from "./support/tracker-server.ts";
import { metricOf } from "./support/version.ts";

const options = readOptions(import.meta.url, {
  only: "cost,kill",
  messages: 1_000_000,
  seed: 1,
  search: 10,
  trackers: null,
  every: 10,
  seconds: 60,
  rounds: 5,
  postgres: false,
});

/** When the trackers of `cost` and `connections` began to drive. */
const beganAt = Date.now() - 10 * 86_400_000;

/** What 64 KiB may cost, in µs: in all, and without giving way. */
const allowed = { all: 50_000, longest: 5_000 } as const;

const measurements: Readonly<Record<string, () => Promise<void>>> = {
  fuzz,
  worst,
  cost,
  connections,
  kill,
};

for (const name of options.only.split(",")) await measurements[name]?.();

async function fuzz(): Promise<void> {
  const count = options.messages;
  for (const name of trackerProtocols) {
    const random = randomNumbers(options.seed);
    const samples = sampleMessages(name);
    const began = performance.now();
    for (let round = 0; round < count / 2; round++) fuzzOnce(families[name], samples, random);
    const micros = ((performance.now() - began) * 1_000) / count;
    console.log(`fuzz ${name.padEnd(10)} ${count} messages, none threw or hung, ${micros.toFixed(1)} µs each`);
  }
}

/** Three searches: of what is costly to cut and decode, and of what keeps a connection busy, in all and without giving way. */
async function worst(): Promise<void> {
  const seconds = options.search;
  const micros = (value: number) => `${Math.round(value).toString().padStart(6)} µs`;
  for (const name of trackerProtocols) {
    const family = families[name];
    const [login] = sampleMessages(name);
    const source = { samples: [...sampleMessages(name), ...fieldBytes(name)], grow: growByFamily[name] };
    const search = (microsOf: (bytes: Uint8Array) => number | Promise<number>) =>
      searchWorst(source, randomNumbers(options.seed), seconds, microsOf);
    const connect = (bytes: Uint8Array) => throughConnection(family, login ?? null, bytes);
    const framing = await search((bytes) => microsOfFraming(family, bytes));
    const all = await search(async (bytes) => (await connect(bytes)).allMicros);
    const longest = await search(async (bytes) => (await connect(bytes)).longestMicros);
    const isHeld = Math.max(framing.micros, all.micros) <= allowed.all && longest.micros <= allowed.longest;
    console.log(
      `worst ${name.padEnd(10)} cut and decoded without limits ${micros(framing.micros)} by ${shownUnit(framing.unit)}; by a connection ${micros(all.micros)} in all by ${shownUnit(all.unit)}, ${micros(longest.micros)} without giving way by ${shownUnit(longest.unit)}: ${isHeld ? "held" : "not held"}`,
    );
    if (!isHeld) process.exitCode = 1;
  }
}

function sampleMessages(name: TrackerProtocol): readonly Uint8Array[] {
  const { imei } = trackerDevice(trackerProtocols.indexOf(name), "");
  const { login, report } = callers[name];
  const reports = someReports(1, 5).map((one, index) => report(imei, one, index + 2));
  return login === null ? reports : [login(imei), ...reports];
}

/** In turns on one server, so that both see the same machine. */
async function cost(): Promise<void> {
  const count = 70;
  await withTrackerServer({ devices: count, onPostgres: options.postgres }, async (start, token) => {
    const server = await start();
    const trackers = Array.from(
      { length: count },
      (_, number) => new WireTracker(protocolOf(number), imeiOf(number), server.ports[protocolOf(number)]),
    );
    for (const tracker of trackers) if (!(await tracker.connect())) throw new Error("a tracker was refused");
    const reportsOfEach = 60;
    const own: number[] = [];
    const posted: number[] = [];
    const commits = { own: 0, posted: 0 };
    const transactions = () => metricOf(server, 'odograph_observations_total{kind="frames_stored"}');
    // Both go on where the other ended: a late frame would cost more.
    let sent = 0;
    for (let round = 0; round < options.rounds + 1; round++) {
      const began = await transactions();
      const byTracker = await cpuOf(server, async () => {
        const from = sent;
        sent += reportsOfEach;
        await Promise.all(
          trackers.map(async (tracker, number) => {
            for (const report of reportsFrom(number, from, reportsOfEach)) {
              if (!(await tracker.report(report))) throw new Error("no answer");
            }
          }),
        );
      });
      const between = await transactions();
      const byPost = await cpuOf(server, async () => {
        const from = sent;
        sent += reportsOfEach;
        await Promise.all(
          trackers.map(async ({ imei }, number) => {
            for (const { at, latitude, longitude } of reportsFrom(number, from, reportsOfEach)) {
              const frame = {
                imei,
                recorded_at: new Date(at).toISOString(),
                latitude,
                longitude,
                speed_kmh: 50,
                ignition: true,
              };
              const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
              const answer = await fetch(`${server.ingestUrl}/frames`, {
                method: "POST",
                headers,
                body: JSON.stringify(frame),
              });
              if (answer.status !== 200) throw new Error(await answer.text());
            }
          }),
        );
      });
      // The first round warms up.
      if (round === 0) continue;
      commits.own += between - began;
      commits.posted += (await transactions()) - between;
      own.push(byTracker / (count * reportsOfEach));
      posted.push(byPost / (count * reportsOfEach));
    }
    const [one, other] = [median(own), median(posted)];
    const stored = options.rounds * count * reportsOfEach;
    const together = [commits.own, commits.posted].map((each) => (stored / each).toFixed(1));
    console.log(
      `cost: ${one.toFixed(0)} µs of processor time a frame by tracker, ${other.toFixed(0)} µs by POST /frames: ${(one / other).toFixed(2)} of it; ${together.join(" and ")} frames a commit`,
    );
    for (const tracker of trackers) tracker.close();
  });
}

async function connections(): Promise<void> {
  const count = Number(options.trackers ?? 10_000);
  const [everyMs, seconds] = [options.every * 1_000, options.seconds];
  await withTrackerServer({ devices: count, onPostgres: options.postgres }, async (start) => {
    const server = await start();
    const before = await residentMb(server.pid);
    const trackers = Array.from(
      { length: count },
      (_, number) => new WireTracker(protocolOf(number), imeiOf(number), server.ports[protocolOf(number)]),
    );
    for (let from = 0; from < count; from += 200) {
      await Promise.all(
        trackers.slice(from, from + 200).map(async (tracker) => {
          if (!(await tracker.connect())) throw new Error("a tracker was refused");
        }),
      );
    }
    await Bun.sleep(2_000);
    const connected = await residentMb(server.pid);
    console.log(
      `${count} connected: ${before.toFixed(0)} → ${connected.toFixed(0)} MB, ${(((connected - before) * 1_024) / count).toFixed(2)} KB each, kernel's buffers beside`,
    );
    const latencies: number[] = [];
    let unanswered = 0;
    const began = performance.now();
    const micros = await cpuOf(server, () =>
      Promise.all(
        trackers.map(async (tracker, number) => {
          await Bun.sleep((number / count) * everyMs);
          for (let index = 0; performance.now() - began < seconds * 1_000; index++) {
            const [report] = reportsFrom(number, index, 1);
            const sentAt = performance.now();
            if (report === undefined || !(await tracker.report(report))) unanswered++;
            latencies.push(performance.now() - sentAt);
            await Bun.sleep(Math.max(0, everyMs - (performance.now() - sentAt)));
          }
        }),
      ),
    );
    latencies.sort((one, other) => one - other);
    const at = (share: number) => (latencies[Math.floor(share * (latencies.length - 1))] ?? 0).toFixed(1);
    const elapsed = (performance.now() - began) / 1_000;
    console.log(
      `${latencies.length} reports in ${elapsed.toFixed(0)} s, ${unanswered} unanswered; answered after p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms; ${(micros / latencies.length).toFixed(0)} µs of processor time each; ${(await residentMb(server.pid)).toFixed(0)} MB in the end`,
    );
    for (const tracker of trackers) tracker.close();
  });
}

async function kill(): Promise<void> {
  const count = Number(options.trackers ?? 700);
  const reportsOfEach = 20;
  await withTrackerServer({ devices: count, onPostgres: options.postgres }, async (start, _, target) => {
    const trackers = Array.from(
      { length: count },
      (__, number) => new ReportingTracker(number, someReports(number, reportsOfEach)),
    );
    const answered = () => trackers.reduce((sum, tracker) => sum + tracker.answered.length, 0);
    for (const share of [0.25, 0.5, 0.75]) {
      const server = await start();
      const killed = Promise.withResolvers<void>();
      let isKilled = false;
      const isEnough = () => {
        if (answered() < share * count * reportsOfEach) return false;
        if (!isKilled) server.kill().then(killed.resolve);
        isKilled = true;
        return true;
      };
      await Promise.all(trackers.map((tracker) => tracker.send(server.ports, isEnough)));
      await killed.promise;
    }
    const safe = answered();
    const last = await start();
    await Promise.all(trackers.map((tracker) => tracker.send(last.ports)));
    await last.kill();
    const { storedFrames } = await import("../test/support/stored-frames.ts");
    const { sql } = await import("../src/store/sql.ts");
    const database = await openDatabase(target, { create: false });
    const devices = await database.all<{ imei: string; device: number }>(sql`select device, imei from devices`);
    const imeis = new Map(devices.map(({ device, imei }) => [device, imei]));
    const stored = (await storedFrames(database)).filter(({ latitude }) => latitude !== null);
    await database.close();
    const moments = new Set(stored.map(({ device, recorded_at }) => `${imeis.get(device)} ${recorded_at}`));
    const lost = trackers.flatMap(({ imei, answered: reports }) =>
      reports.filter(({ at }) => !moments.has(`${imei} ${at}`)),
    );
    const isHeld = lost.length === 0 && moments.size === count * reportsOfEach && stored.length === moments.size;
    console.log(
      `kill -9 three times under ${count} trackers: ${safe} answered by the last one, ${lost.length} lost, ${stored.length - moments.size} stored twice, ${moments.size} of ${count * reportsOfEach} stored in the end: ${isHeld ? "held" : "not held"}`,
    );
    if (!isHeld) process.exitCode = 1;
  });
}

function imeiOf(number: number): string {
  return trackerDevice(number, "").imei;
}

function reportsFrom(number: number, from: number, count: number) {
  const begin = beganAt + number * 1_000;
  return Array.from({ length: count }, (_, index) => ({
    at: Math.floor(begin / 1_000) * 1_000 + (from + index) * 10_000,
    latitude: 50 + ((from + index) % 4_000) * 0.0012,
    longitude: 13.4,
  }));
}

/** Processor time of all threads of the server meanwhile, in µs. */
async function cpuOf({ pid }: TrackerServer, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMicros(pid);
  await work();
  return (await cpuMicros(pid)) - before;
}

async function cpuMicros(pid: number): Promise<number> {
  return ((await processSeconds(pid)) ?? Number.NaN) * 1e6;
}
