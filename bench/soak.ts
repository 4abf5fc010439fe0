/**
 * A long run: `odograph simulate` sends, readers read, and the server is killed now and then. Prints what the server used,
 * and at the end whether every acknowledged frame is stored and whether deriving everything again changes anything.
 *
 *     node_modules/.bin/bun bench/soak.ts [--minutes 30] [--vehicles 500] [--rate 1000] [--kill-every 5] [--reads 40] [--polls 0]
 *
 * What a server holds in memory, and that it does not grow. `--generated`: simpler drives, because a simulated world of so many
 * vehicles takes more memory and time than the server.
 *
 *     node_modules/.bin/bun bench/soak.ts --minutes 60 --vehicles 10000 --rate 2000 --reads 0 --polls 500 --kill-every 0 --generated
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../src/store/open.ts";
import { sql } from "../src/store/sql.ts";
import { readOptions } from "./support/options.ts";
import { sendFrames } from "./support/send.ts";
import { SendingFleet } from "./support/sending-fleet.ts";
import { freePort } from "./support/servers.ts";
import { SteadyReaders } from "./support/steady-readers.ts";
import { odograph, thisVersion } from "./support/version.ts";
import { type Sample, WatchedServer } from "./support/watched-server.ts";

const options = readOptions(import.meta.url, {
  minutes: 30,
  vehicles: 500,
  rate: 1000,
  "kill-every": 5,
  reads: 40,
  polls: 0,
  generated: false,
});
const seconds = options.minutes * 60;
/** 0: never. */
const killEveryMs = options["kill-every"] * 60_000 || Number.POSITIVE_INFINITY;
const sampleEveryMs = 10_000;
/** One a minute. */
const samplesPerReport = 6;
/** Of generated drives. */
const vehiclesOfBody = 200;
const bodiesPerTurn = 100;

const directory = await mkdtemp(join(tmpdir(), "odograph-soak-"));
const data = join(directory, "data");
const run = (words: readonly string[], input?: string) =>
  odograph(thisVersion, { engine: "sqlite", directory: data }, words, input);
const logPath = join(directory, "server.log");
const server = new WatchedServer(data, [await freePort(), await freePort()], logPath);
try {
  await soak();
} finally {
  await server.kill();
  await rm(directory, { recursive: true, force: true });
}

async function soak(): Promise<void> {
  // No limit is to be what ends polls.
  const limits = { per_second: 100_000, per_day: 1_000_000_000 };
  const [first = "{}", ...rest] = (await run(["simulate", "--fleet", "--vehicles", `${options.vehicles}`])).split("\n");
  const fleet = [JSON.stringify({ ...JSON.parse(first), limits }), ...rest].join("\n");
  await run(["load", "-"], fleet);
  const records = fleet.split("\n").filter(Boolean);
  const account = JSON.parse(records[0] ?? "{}") as { id: string };
  const devices = records.filter((line) => line.startsWith('{"type":"device"')).map((line) => JSON.parse(line));
  const owner = ["--user", "demo@odograph.example", "--name", "soak", "--scopes", "all", "--json"];
  const { key } = JSON.parse(await run(["keys", "create", ...owner])) as { key: string };
  const token = JSON.parse(
    await run(["ingest-tokens", "create", "--account", account.id, "--name", "soak", "--json"]),
  ) as { token: string };
  print("ready after", `${Math.round(await server.start())} ms`);
  await Bun.sleep(sampleEveryMs);
  report("at rest", [await server.sample()]);

  const imeis: string[] = devices.map(({ imei }) => imei);
  const sender = options.generated ? generate(token.token, imeis) : simulate(token.token);
  const readers = new SteadyReaders(server.url, key, readPaths(imeis));
  const reading = options.reads > 0 ? readers.run(options.reads) : null;
  const pollers = new SteadyReaders(server.url, key, ["/v1/positions/latest?limit=100"]);
  const polling = options.polls > 0 ? pollers.run(options.polls) : null;
  const samples = await watch(sender.ended);
  const seen = readers.stop();
  const polled = pollers.stop();
  await Promise.all([reading, polling]);
  const sent = await sender.summary;

  report(afterMinutes(samples), samples);
  print("the simulator says", sent);
  print("answers by status", [...seen.statuses].map(([status, count]) => `${status}: ${count}`).join(", "));
  print("answers took", `p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms`);
  print("polls by status", [...polled.statuses].map(([status, count]) => `${status}: ${count}`).join(", "));
  await server.stop();
  const log = (await readFile(logPath, "utf8")).split("\n").filter(Boolean);
  print("warnings and errors in the log", log.filter((line) => /"level":"(warn|error)"/.test(line)).length);
  for (const line of new Set(log.map((one) => one.replace(/\d/g, "#").slice(0, 160)))) console.log(`  ${line}`);
  const database = await openDatabase({ engine: "sqlite", directory: data }, { create: false });
  const stored = await database.get<{ count: number }>(sql`
    select (select coalesce(sum(count), 0) from frame_blocks) + (select count(*) from recent_frames)
      + (select count(*) from untimely_frames) as count`);
  await database.close();
  print("frames stored", stored?.count ?? 0);
  print("deriving all again", (await run(["rederive", "--json"])).trim());
}

/** Live positions with a tag, lists, and a vehicle's history and trips. */
function readPaths(imeis: readonly string[]): string[] {
  const since = new Date(Date.now() - 86_400_000).toISOString();
  return imeis.flatMap((imei) => [
    "/v1/positions/latest?limit=100",
    `/v1/positions/history?imei=${imei}&from=${since}`,
    "/v1/positions/latest?limit=100",
    `/v1/trips?imei=${imei}&from=${since}`,
    "/v1/devices",
    `/v1/alerts?from=${since}`,
    `/v1/geofence-events?from=${since}`,
    `/v1/reports/mileage?imei=${imei}&from=${since}`,
  ]);
}

interface Sender {
  readonly ended: Promise<unknown>;
  readonly summary: Promise<string>;
}

/** Each vehicle's frames are ten seconds apart, and none is from the future. */
function generate(token: string, imeis: readonly string[]): Sender {
  const bodiesPerSecond = options.rate / vehiclesOfBody;
  const frames = Math.ceil((options.rate * seconds) / imeis.length);
  const fleet = new SendingFleet(imeis.length, Date.now() - (frames + 360) * 10_000, imeis);
  const summary = (async () => {
    const endAt = performance.now() + seconds * 1000;
    let bodies = 0;
    for (; performance.now() < endAt; bodies += bodiesPerTurn) {
      const some = fleet.bodies(bodiesPerTurn, { vehicles: vehiclesOfBody, frames: 1 });
      await sendFrames(server.ingestUrl, token, some, { atOnce: 4, bodiesPerSecond });
    }
    return `${bodies * vehiclesOfBody} frames sent, ${((bodies * vehiclesOfBody) / seconds).toFixed(0)} a second`;
  })();
  return { ended: summary, summary };
}

function simulate(token: string): Sender {
  const words = [
    "simulate",
    "--to",
    server.ingestUrl,
    "--vehicles",
    `${options.vehicles}`,
    "--rate",
    `${options.rate}`,
  ];
  const child = Bun.spawn([new URL("../bin/odograph", import.meta.url).pathname, ...words, "--seconds", `${seconds}`], {
    env: { ...process.env, ODOGRAPH_INGEST_TOKEN: token },
    stdout: "pipe",
    stderr: "ignore",
  });
  return { ended: child.exited, summary: new Response(child.stdout).text().then((text) => text.trim()) };
}

/** Until the simulator has ended: a sample every ten seconds, and a kill every few minutes. */
async function watch(ended: Promise<unknown>): Promise<Sample[]> {
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  const samples: Sample[] = [];
  let killAt = performance.now() + killEveryMs;
  while (!isOver) {
    await Promise.race([ended, Bun.sleep(sampleEveryMs)]);
    samples.push(await server.sample());
    if (samples.length % samplesPerReport === 0) report(afterMinutes(samples), samples);
    if (isOver || performance.now() < killAt) continue;
    await server.kill();
    print("killed; ready again after", `${Math.round(await server.start())} ms`);
    killAt = performance.now() + killEveryMs;
  }
  return samples;
}

function afterMinutes(samples: readonly Sample[]): string {
  return `after ${((samples.length * sampleEveryMs) / 60_000).toFixed(0)} minutes`;
}

/** The last sample, and the maximum of all. */
function report(when: string, samples: readonly Sample[]): void {
  const last = samples.at(-1);
  if (last === undefined) return;
  const most = (name: keyof Sample) => Math.round(Math.max(...samples.map((sample) => sample[name])));
  const line = (["residentMb", "handles", "databaseMb", "logMb"] as const)
    .map((name) => `${name} ${Math.round(last[name])} (most ${most(name)})`)
    .join(", ");
  print(when, line);
}

function print(what: string, value: string | number): void {
  console.log(`${what.padEnd(34)} ${value}`);
}
