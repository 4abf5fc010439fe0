/**
 * What following costs: a poll without changes against a 304 of the live positions, a page at the end of a long log against
 * one at its beginning, and both for a sub-account of few vehicles in a large fleet. Ratios within one run, measured
 * alternately: machines differ and are shared.
 *
 *     node_modules/.bin/bun bench/changes.ts [--changes 10000000] [--devices 10000] [--few 50] [--seconds 2] [--rounds 5]
 *         [--postgres] [--only poll|page]
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { type FollowedFleet, fillLog, seedFollowedFleet } from "./support/change-log.ts";
import { median } from "./support/figures.ts";
import { readOptions } from "./support/options.ts";
import { load, type RunningServer, startOdograph } from "./support/servers.ts";

const options = readOptions(import.meta.url, {
  changes: 10_000_000,
  devices: 10_000,
  few: 50,
  seconds: 2,
  rounds: 5,
  postgres: false,
  only: null,
});
const { changes, devices, few, seconds, rounds } = options;
const isWanted = (part: string) => options.only === undefined || options.only === part;

/** Pages that are asked for in turn, each once before any of them comes again. */
const pages = 20;
const rowsPerPage = 100;

const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
const postgres = options.postgres ? await startPostgres() : null;
try {
  console.log(`${postgres ? "PostgreSQL" : "SQLite"}, ${rounds} rounds`);
  await followed();
} finally {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}

async function followed(): Promise<void> {
  const target: StoreTarget = postgres
    ? { engine: "postgres", url: postgres.url }
    : { engine: "sqlite", directory: join(directory, "followed") };
  const database = await openDatabase(target, { create: true });
  const fleet = await seedFollowedFleet(database, devices, few);
  console.log(`${devices} devices, ${changes} changes`);
  const server = await startOdograph(target);
  const keys = [fleet.key, fleet.fewDevicesKey];
  // Enough for the sub-account's pages: it sees one change in so many.
  const tail = Math.min(changes / 4, Math.ceil(pages * rowsPerPage * (devices / few) * 1.1));
  const atFirst = await Promise.all(keys.map((key) => tokenOf(server, key)));
  await fillLog(database, devices, 0, changes - tail);
  const atLast = await Promise.all(keys.map((key) => tokenOf(server, key)));
  await fillLog(database, devices, changes - tail, changes);
  await database.close();
  if (isWanted("page")) {
    for (const [index, name] of ["the owner", `a sub-account of ${few} devices`].entries()) {
      const key = keys[index] as string;
      const first = await pagesAfter(server, key, atFirst[index] as string);
      const last = await pagesAfter(server, key, atLast[index] as string);
      await compare(`${name}: a page after ${changes - tail} changes, against the first`, server, last, first);
    }
    const ofFew = await pagesAfter(server, fleet.fewDevicesKey, atLast[1] as string);
    const ofAll = await pagesAfter(server, fleet.key, atLast[0] as string);
    await compare(`a page of the sub-account, against one of the owner`, server, ofFew, ofAll);
  }
  if (isWanted("poll")) await comparePolls(server, fleet);
  await server.stop();
}

async function comparePolls(server: RunningServer, fleet: FollowedFleet): Promise<void> {
  for (const [name, key] of [
    ["the owner", fleet.key],
    [`a sub-account of ${few} devices`, fleet.fewDevicesKey],
  ] as const) {
    const after = encodeURIComponent(await tokenOf(server, key));
    const ours = await conditional(server, key, `/v1/changes?after=${after}`);
    const live = await conditional(server, key, "/v1/positions/latest");
    await compare(`${name}: a poll without changes, against a 304 of the live positions`, server, [ours], [live]);
  }
}

/** Says what one kind of request costs of what another does, by time and by the processor time of the answering thread. */
async function compare(
  name: string,
  server: RunningServer,
  ours: readonly string[],
  others: readonly string[],
): Promise<void> {
  // The compiler needs some seconds to warm up.
  for (const requests of [ours, others]) await load(server, requests, 2);
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  const micros: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await load(server, ours, seconds);
    const other = await load(server, others, seconds);
    ratios.push(other.perSecond / one.perSecond);
    cpuRatios.push(one.cpuMicros / other.cpuMicros);
    micros.push(one.cpuMicros);
  }
  console.log(
    `${name}: ${spread(ratios)} of the time, ${spread(cpuRatios)} of the processor time (${Math.round(median(micros))} µs)`,
  );
}

async function tokenOf(server: RunningServer, key: string): Promise<string> {
  return (await answerOf(server, key, "/v1/changes")).resume_after;
}

/** Requests for pages that follow each other, after the token. All must be full. */
async function pagesAfter(server: RunningServer, key: string, after: string): Promise<string[]> {
  const requests: string[] = [];
  let path = `/v1/changes?limit=${rowsPerPage}&after=${encodeURIComponent(after)}`;
  for (let page = 0; page < pages; page++) {
    const { data, next_cursor } = await answerOf(server, key, path);
    if (data.length !== rowsPerPage || next_cursor === null) {
      throw new Error(`page ${page} has ${data.length} changes: the log is too short for ${pages} pages`);
    }
    requests.push(requestOf(key, path));
    path = `/v1/changes?limit=${rowsPerPage}&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return requests;
}

async function conditional(server: RunningServer, key: string, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { "X-API-Key": key, "Accept-Encoding": "identity" },
  });
  return requestOf(key, path, `If-None-Match: ${response.headers.get("ETag")}\r\n`);
}

function requestOf(key: string, path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n${headers}\r\n`;
}

interface ChangesBody {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
  readonly resume_after: string;
}

async function answerOf(server: RunningServer, key: string, path: string): Promise<ChangesBody> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { "X-API-Key": key } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as ChangesBody;
}

/** The median, with the lowest and the highest. */
function spread(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
}
