/**
 * The speed of the read API as a share of the bare runtime's with the same bytes, measured alternately in one run, and the
 * cost of a page in a large fleet relative to a small one. Ratios only: machines differ and are shared.
 *
 *     node_modules/.bin/bun bench/read-api.ts [--seconds 2] [--rounds 5] [--devices 1000,100000] [--frames 1000000,20000000] [--postgres]
 *         [--only history] [--keys 1000] [--before ../other-checkout]
 *
 * `--before` measures another version as well, on the same store, in turn: both must have the same schema, and only
 * PostgreSQL lets two servers use one store. With `--keys` the requests of a poll come from as many keys.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../src/access/keys.ts";
import { allScopes } from "../src/domain/scopes.ts";
import type { Database } from "../src/store/database.ts";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { median } from "./support/figures.ts";
import { type BenchFleet, lastFrameAt, seedBenchFleet } from "./support/fleet.ts";
import { readOptions } from "./support/options.ts";
import { load, type Measured, type RunningServer, startBare, startOdograph } from "./support/servers.ts";

const options = readOptions(import.meta.url, {
  seconds: 2,
  rounds: 5,
  devices: "1000,100000",
  frames: "1000000,20000000",
  postgres: false,
  only: null,
  keys: 1,
  before: null,
});
const { seconds, rounds } = options;

const hourMs = 3_600_000;
/** Windows of history: so many that no page is read twice in a second. */
const windows = 2_000;
/** The runtime's last compiler takes up most functions when they have been called some 7,000 times, and the last at 15,000. */
const requestsToWarmUp = 20_000;

interface Scenario {
  readonly name: string;
  readonly paths: (opened: Opened) => readonly string[] | Promise<readonly string[]>;
  readonly conditional?: boolean;
}

const everyScenario: readonly Scenario[] = [
  { name: "304 poll", paths: () => ["/v1/positions/latest"], conditional: true },
  { name: "100 latest positions", paths: () => ["/v1/positions/latest?limit=100"] },
  { name: "100 history frames", paths: historyPages },
  { name: "100 devices", paths: () => ["/v1/devices?limit=100"] },
  { name: "100 devices, uncached", paths: devicePages },
];
const scenarios = everyScenario.filter(({ name }) => name.includes(options.only ?? ""));

/** Pages of all devices with frames, spread over their whole time. */
function historyPages({ fleet }: Opened): string[] {
  return Array.from({ length: windows }, (_, index) => {
    const deviceId = fleet.deviceIds[index % fleet.deviceIds.length];
    const start = lastFrameAt - fleet.spanMs + ((index * 7919) % windows) * ((fleet.spanMs - hourMs) / windows);
    const [from, to] = [new Date(start), new Date(Math.min(lastFrameAt, start + 24 * hourMs))];
    return `/v1/positions/history?device_id=${deviceId}&from=${from.toISOString()}&to=${to.toISOString()}&limit=100`;
  });
}

/** More pages than the cache holds, each after another device, so that every one has to be made. */
async function devicePages({ fleet, server }: Opened): Promise<string[]> {
  const paths: string[] = [];
  for (const status of ["", "&status=active"]) {
    let cursor = "";
    for (let count = 0; count < 890; count++) {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/devices?limit=1${status}${cursor}`, {
        headers: { "X-API-Key": fleet.key },
      });
      cursor = `&cursor=${((await response.json()) as { next_cursor: string }).next_cursor}`;
      paths.push(`/v1/devices?limit=100${cursor}`);
    }
  }
  return paths;
}

const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
const postgres = options.postgres ? await startPostgres() : null;
try {
  const [smallDevices = 1000, largeDevices] = options.devices.split(",").map(Number);
  const [smallFrames = 1000, largeFrames] = options.frames.split(",").map(Number);
  const small = await open("small", smallDevices, smallFrames);
  console.log(`${postgres ? "PostgreSQL" : "SQLite"}, ${smallDevices} devices, ${smallFrames} frames`);
  for (const scenario of scenarios) await againstBare(scenario, small);
  if (largeDevices && largeFrames) {
    const large = await open("large", largeDevices, largeFrames);
    console.log(`${largeDevices} devices and ${largeFrames} frames against ${smallDevices} and ${smallFrames}`);
    for (const scenario of scenarios) await againstSmall(scenario, large, small);
    await large.server.stop();
    await large.before?.stop();
  }
  await small.server.stop();
  await small.before?.stop();
} finally {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}

interface Opened {
  readonly fleet: BenchFleet;
  readonly keys: readonly string[];
  readonly server: RunningServer;
  readonly before: RunningServer | null;
}

async function open(name: string, devices: number, frames: number): Promise<Opened> {
  const target = await targetOf(name);
  const database = await openDatabase(target, { create: true });
  const fleet = await seedBenchFleet(database, devices, frames);
  const keys = await moreKeys(database, fleet);
  await database.close();
  const before = options.before === undefined ? null : await startOdograph(target, options.before);
  return { fleet, keys, server: await startOdograph(target), before };
}

async function moreKeys(database: Database, { key }: BenchFleet): Promise<string[]> {
  const keys = [key];
  const request = { email: "owner@bench.test", name: "bench", scopes: allScopes };
  const unlimited = { perSecond: null, perDay: null, expiresAt: null };
  const count = options.keys;
  while (keys.length < count) {
    const { secret } = await createKey(database, { ...request, ...unlimited }, Date.now(), count);
    keys.push(secret);
  }
  return keys;
}

async function targetOf(name: string): Promise<StoreTarget> {
  if (!postgres) return { engine: "sqlite", directory: join(directory, name) };
  const admin = new Bun.SQL(postgres.url);
  await admin.unsafe(`create database bench_${name}`);
  await admin.close();
  const url = new URL(postgres.url);
  url.pathname = `/bench_${name}`;
  return { engine: "postgres", url: url.href };
}

async function againstBare(scenario: Scenario, opened: Opened): Promise<void> {
  const { server } = opened;
  const requests = await requestsOf(scenario, opened);
  const canned = join(directory, "canned.json");
  await writeFile(canned, JSON.stringify(await answerOf(requests[0] ?? "", server)));
  const bare = await startBare(canned);
  const servers = opened.before ? [server, bare, opened.before] : [server, bare];
  const pairs = await alternate(servers, requests);
  await bare.stop();
  const ratio = median(pairs.map(([ours, theirs]) => ours.perSecond / theirs.perSecond));
  const ours = median(pairs.map(([result]) => result.perSecond));
  const theirs = median(pairs.map(([, result]) => result.perSecond));
  // On a shared machine this figure is steadier: it does not include the time of other programs.
  const cpuRatio = median(pairs.map(([ours, theirs]) => theirs.cpuMicros / ours.cpuMicros));
  const cpu = [0, 1].map((side) => median(pairs.map((pair) => pair[side]?.cpuMicros ?? 0))) as [number, number];
  console.log(
    `${scenario.name.padEnd(22)} ${ratio.toFixed(2)} of bare (${Math.round(ours)}/s of ${Math.round(theirs)}/s), ` +
      `${cpuRatio.toFixed(2)} by processor time (${cpu[1].toFixed(1)} µs against ${cpu[0].toFixed(1)} µs)`,
  );
  if (!opened.before) return;
  const gain = median(pairs.map(([ours, , before]) => ours.perSecond / (before?.perSecond ?? Number.NaN)));
  const shareBefore = median(pairs.map(([, theirs, before]) => (before?.perSecond ?? Number.NaN) / theirs.perSecond));
  const gainOfCpu = median(pairs.map(([ours, , before]) => (before?.cpuMicros ?? Number.NaN) / ours.cpuMicros));
  console.log(
    `${"".padEnd(22)} ${gain.toFixed(2)} × as fast as before (${shareBefore.toFixed(2)} of bare), ` +
      `${gainOfCpu.toFixed(2)} × by processor time`,
  );
}

async function againstSmall(scenario: Scenario, large: Opened, small: Opened): Promise<void> {
  const smallRequests = await requestsOf(scenario, small);
  const largeRequests = await requestsOf(scenario, large);
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const onSmall = await load(small.server, smallRequests, seconds);
    const onLarge = await load(large.server, largeRequests, seconds);
    ratios.push(onSmall.perSecond / onLarge.perSecond);
    cpuRatios.push(onLarge.cpuMicros / onSmall.cpuMicros);
  }
  console.log(
    `${scenario.name.padEnd(22)} costs ${median(ratios).toFixed(2)} of what it does in the small fleet, ` +
      `${median(cpuRatios).toFixed(2)} by processor time`,
  );
}

/** Measures each server in turn: ours, bare and, if asked for, the version before. */
async function alternate(servers: readonly RunningServer[], requests: readonly string[]) {
  for (const server of servers) await warmUp(server, requests);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const measured = [];
    for (const server of servers) measured.push(await load(server, requests, seconds));
    results.push(measured as [Measured, Measured, Measured?]);
  }
  return results;
}

async function warmUp(server: RunningServer, requests: readonly string[]): Promise<void> {
  for (let count = 0; count < requestsToWarmUp; ) count += (await load(server, requests, 1)).perSecond;
}

async function requestsOf(scenario: Scenario, opened: Opened): Promise<string[]> {
  const { fleet, keys, server } = opened;
  const requests: string[] = [];
  for (const path of await scenario.paths(opened)) {
    const headOf = (key: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n`;
    const etag = scenario.conditional
      ? (await fetchOnce(`${headOf(fleet.key)}\r\n`, server)).headers.get("etag")
      : null;
    const rest = etag === null ? "\r\n" : `If-None-Match: ${etag}\r\n\r\n`;
    for (const key of scenario.conditional ? keys : [fleet.key]) requests.push(headOf(key) + rest);
  }
  return requests;
}

async function answerOf(request: string, server: RunningServer) {
  const response = await fetchOnce(request, server);
  const own = new Set(["date", "content-length", "connection", "keep-alive"]);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const body = response.status === 304 ? null : await response.text();
  return { status: response.status, headers, body };
}

function fetchOnce(request: string, server: RunningServer): Promise<Response> {
  const [first = "", ...lines] = request.trim().split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const { Host: _, ...rest } = headers;
  const init = { headers: { ...rest, "Accept-Encoding": "identity" } };
  return fetch(`http://127.0.0.1:${server.port}${first.split(" ")[1]}`, init);
}
