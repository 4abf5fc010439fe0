/**
 * Processor time of a page of 100 in lists of what happened, and of a report of a hundred days: of the server, and of PostgreSQL.
 * For an owner, a sub-account that sees half of the devices, and one that sees a hundred.
 *
 *     node_modules/.bin/bun bench/lists.ts [--devices 20000] [--rows 1000000] [--requests 100] [--rounds 3] [--postgres]
 *         [--only stops] [--before ../other-checkout] [--store directory-or-url]
 *
 * `--before` measures another version with the same schema on the same store, in turns. `--store` names a store that is filled if
 * it is empty, and stays: the next run begins at once.
 */

import { Database as Sqlite } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { sql } from "../src/store/sql.ts";
import { fileName } from "../src/store/sqlite/open.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { median } from "./support/figures.ts";
import { type FactKeys, factKeys, factSpan, seedFacts } from "./support/many-facts.ts";
import { seedReadings } from "./support/many-readings.ts";
import { readOptions } from "./support/options.ts";
import { processSeconds, siblingSeconds } from "./support/process-use.ts";
import { ownRoot } from "./support/program.ts";
import { type RunningServer, startOdograph } from "./support/servers.ts";

const options = readOptions(import.meta.url, {
  devices: 20_000,
  rows: 1_000_000,
  requests: 100,
  rounds: 3,
  postgres: false,
  only: "",
  before: null,
  store: null,
});
const requests = options.requests;
const warmUps = 300;
const warmUpMs = 3_000;
const dayMs = 86_400_000;
/** How many windows are asked for in turn: no page is answered again from what the page before left in a cache. */
const windows = 50;

/** It has no pages: a hundred rows are five days of the twenty vehicles with a rare tag. */
const mileage = "/reports/mileage";
const mileageDays = 5;

/** A list with its filters. `FENCE` and `EMPTY` stand for the ids of two fences. */
const lists = [
  ...["/trips", "/stops", "/alerts", "/geofence-events", "/sensors/fuel", "/sensors/temperature", "/sensors/tyre"],
  ...["/trips", "/stops", "/alerts", "/geofence-events", "/sensors/fuel"].flatMap((list) => [
    `${list}?tag=north`,
    `${list}?tag=rare`,
  ]),
  ...[
    "/stops?min_duration_s=60",
    "/stops?min_duration_s=9000000",
    "/stops?geofence_id=FENCE",
    "/stops?geofence_id=EMPTY",
  ],
  `${mileage}?tag=rare`,
  ...["/alerts?severity=info", "/alerts?alert_type=speeding", "/alerts?min_value=900", "/alerts?min_value=5000"],
  ...["/alerts?acknowledged=true", "/alerts?acknowledged=false", "/alerts?alert_type=speeding&severity=info"],
].filter((list) => list.includes(options.only));

const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
const postgres = options.postgres && options.store === undefined ? await startPostgres() : null;
const url = postgres?.url ?? (options.store?.includes("://") ? options.store : null);
const admin = url === null ? null : new Bun.SQL(url, { max: 1 });
try {
  const target: StoreTarget =
    url === null ? { engine: "sqlite", directory: options.store ?? directory } : { engine: "postgres", url };
  const database = await openDatabase(target, { create: true });
  const [devices, rows] = [options.devices, options.rows];
  if ((await database.get(sql`select 1 as there from accounts`)) === null) {
    const own = target.engine === "sqlite" ? hastyConnection(target.directory) : null;
    const run = async (statement: string) => (admin ? admin.unsafe(statement) : own?.run(statement));
    await seedFacts(database, run, devices, rows);
    await seedReadings(database, run, devices, rows, factSpan);
    await admin?.unsafe("vacuum analyze");
    own?.close();
  }
  const keys = await factKeys(database);
  await database.close();
  const backend = admin && Number((await admin.unsafe("select pg_backend_pid() as pid"))[0].pid);
  const versions = options.before === undefined ? [ownRoot] : [ownRoot, options.before];
  const found: Map<string, number[]>[] = versions.map(() => new Map());
  for (let round = 0; round < options.rounds; round++) {
    for (const [version, root] of versions.entries()) {
      const server = await startOdograph(target, root);
      try {
        for (const [name, requested] of allRequests(keys)) {
          const measured = found[version]?.get(name) ?? [];
          const ms = await pageMs(server, backend, requested);
          if (ms !== null) found[version]?.set(name, [...measured, ms]);
        }
      } finally {
        await server.stop();
      }
    }
  }
  console.log(
    `${url === null ? "SQLite" : "PostgreSQL"}, ${options.devices} devices, ${options.rows} rows a list, ms a page of 100`,
  );
  for (const name of found[0]?.keys() ?? []) {
    console.log(
      name.padEnd(60),
      ...found.map((of) =>
        median(of.get(name) ?? [])
          .toFixed(2)
          .padStart(9),
      ),
    );
  }
} finally {
  await admin?.close();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}

/** A store that is lost with the machine is made again: nothing waits for the disk. */
function hastyConnection(store: string): Sqlite {
  const connection = new Sqlite(join(store, fileName));
  for (const pragma of ["synchronous = off", "cache_size = -262144", "temp_store = memory", "busy_timeout = 5000"]) {
    connection.run(`pragma ${pragma}`);
  }
  return connection;
}

interface Requested {
  /** Of one list, each with another window. */
  readonly paths: readonly string[];
  readonly key: string;
  readonly isNext: boolean;
}

/** The first page of windows, and the next one. */
function* allRequests(keys: FactKeys): Generator<[name: string, Requested]> {
  const to = new Date(factSpan.fromMs + 30 * dayMs).toISOString();
  const starts = Array.from({ length: windows }, (_, index) =>
    new Date(factSpan.fromMs + Math.round((2 + (20 * index) / windows) * dayMs)).toISOString(),
  );
  for (const list of lists) {
    const filtered = list.replace("FENCE", keys.fence).replace("EMPTY", keys.emptyFence);
    const joined = `${filtered}${filtered.includes("?") ? "&" : "?"}`;
    const paths = starts.map((from) =>
      list.startsWith(mileage) ? `${joined}${daysFrom(from)}` : `${joined}from=${from}&to=${to}&limit=100`,
    );
    for (const viewer of ["owner", "half", "few"] as const) {
      yield [`${list} ${viewer}`, { paths, key: keys[viewer], isNext: false }];
      yield [`${list} ${viewer}, next page`, { paths, key: keys[viewer], isNext: true }];
    }
  }
}

function daysFrom(from: string): string {
  const to = new Date(Date.parse(from) + mileageDays * dayMs).toISOString();
  return `from=${from.slice(0, 10)}&to=${to.slice(0, 10)}`;
}

/** Null: there are no such pages. */
async function pageMs(server: RunningServer, backend: number | null, requested: Requested): Promise<number | null> {
  const { paths, key, isNext } = requested;
  const ask = async (asked: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1${asked}`, { headers: { "X-API-Key": key } });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 404) throw new Error(`${asked}: ${response.status} ${text}`);
    return text;
  };
  let pages = paths;
  if (isNext) {
    const next: string[] = [];
    for (const path of paths) {
      const { next_cursor: cursor } = JSON.parse(await ask(path)) as { next_cursor?: string | null };
      if (cursor) next.push(`${path.slice(0, path.indexOf("?"))}?cursor=${encodeURIComponent(cursor)}`);
    }
    if (next.length === 0) return null;
    pages = next;
  }
  const seconds = async () =>
    ((await processSeconds(server.pid)) ?? Number.NaN) +
    (backend === null ? 0 : ((await siblingSeconds(backend)) ?? Number.NaN));
  let asked = 0;
  const askNext = () => ask(pages[asked++ % pages.length] as string);
  // The compiler needs some hundred pages. Until then it takes longer than the page.
  const until = performance.now() + warmUpMs;
  while (asked < 5 || (asked < warmUps && performance.now() < until)) await askNext();
  // Processor time is counted in hundredths of a second. Dear pages need not be repeated as often.
  const count = asked < requests ? 10 : requests;
  const before = await seconds();
  for (let index = 0; index < count; index++) await askNext();
  return (((await seconds()) - before) * 1000) / count;
}
