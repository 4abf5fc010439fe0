/**
 * Processor time of a page of 100 in lists of what happened: of the server, and of PostgreSQL. For an owner, a sub-account that
 * sees half of the devices, and one that sees a hundred.
 *
 *     node_modules/.bin/bun bench/lists.ts [--devices 20000] [--rows 1000000] [--requests 100] [--rounds 3] [--postgres]
 *         [--only stops] [--before ../other-checkout]
 *
 * `--before` measures another version with the same schema on the same store, in turns.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { median } from "./support/figures.ts";
import { type FactKeys, factSpan, seedFacts } from "./support/many-facts.ts";
import { seedReadings } from "./support/many-readings.ts";
import { processSeconds, siblingSeconds } from "./support/process-use.ts";
import { ownRoot } from "./support/program.ts";
import { type RunningServer, startOdograph } from "./support/servers.ts";

const { values: options } = parseArgs({
  options: {
    devices: { type: "string", default: "20000" },
    rows: { type: "string", default: "1000000" },
    requests: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    postgres: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    before: { type: "string" },
  },
});
const requests = Number(options.requests);
const warmUps = 300;
const warmUpMs = 3_000;
const dayMs = 86_400_000;

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
  ...["/alerts?severity=info", "/alerts?alert_type=speeding", "/alerts?min_value=900", "/alerts?min_value=5000"],
  ...["/alerts?acknowledged=true", "/alerts?acknowledged=false", "/alerts?alert_type=speeding&severity=info"],
].filter((list) => list.includes(options.only));

const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
const postgres = options.postgres ? await startPostgres() : null;
const admin = postgres && new Bun.SQL(postgres.url, { max: 1 });
try {
  const target: StoreTarget = postgres ? { engine: "postgres", url: postgres.url } : { engine: "sqlite", directory };
  const database = await openDatabase(target, { create: true });
  const [devices, rows] = [Number(options.devices), Number(options.rows)];
  const keys = await seedFacts(database, devices, rows);
  await seedReadings(database, devices, rows, factSpan);
  await database.close();
  const backend = admin && Number((await admin.unsafe("select pg_backend_pid() as pid"))[0].pid);
  const versions = options.before === undefined ? [ownRoot] : [ownRoot, options.before];
  const found: Map<string, number[]>[] = versions.map(() => new Map());
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [version, root] of versions.entries()) {
      const server = await startOdograph(target, root);
      for (const [name, requested] of allRequests(keys)) {
        const measured = found[version]?.get(name) ?? [];
        const ms = await pageMs(server, backend, requested);
        if (ms !== null) found[version]?.set(name, [...measured, ms]);
      }
      await server.stop();
    }
  }
  console.log(
    `${postgres ? "PostgreSQL" : "SQLite"}, ${options.devices} devices, ${options.rows} rows a list, ms a page of 100`,
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

interface Requested {
  readonly path: string;
  readonly key: string;
  readonly isNext: boolean;
}

/** The first page of a window, and the next one. */
function* allRequests(keys: FactKeys): Generator<[name: string, Requested]> {
  for (const list of lists) {
    const filtered = list.replace("FENCE", keys.fence).replace("EMPTY", keys.emptyFence);
    for (const viewer of ["owner", "half", "few"] as const) {
      const [from, to] = [factSpan.fromMs + 2 * dayMs, factSpan.fromMs + 30 * dayMs].map((at) =>
        new Date(at).toISOString(),
      );
      const path = `${filtered}${filtered.includes("?") ? "&" : "?"}from=${from}&to=${to}&limit=100`;
      yield [`${list} ${viewer}`, { path, key: keys[viewer], isNext: false }];
      yield [`${list} ${viewer}, next page`, { path, key: keys[viewer], isNext: true }];
    }
  }
}

/** Null: there is no such page. */
async function pageMs(server: RunningServer, backend: number | null, requested: Requested): Promise<number | null> {
  const { path, key, isNext } = requested;
  const ask = async (asked: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1${asked}`, { headers: { "X-API-Key": key } });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 404) throw new Error(`${asked}: ${response.status} ${text}`);
    return text;
  };
  let page = path;
  if (isNext) {
    const { next_cursor: cursor } = JSON.parse(await ask(path)) as { next_cursor?: string | null };
    if (!cursor) return null;
    page = `${path.slice(0, path.indexOf("?"))}?cursor=${encodeURIComponent(cursor)}`;
  }
  const seconds = async () =>
    ((await processSeconds(server.pid)) ?? Number.NaN) +
    (backend === null ? 0 : ((await siblingSeconds(backend)) ?? Number.NaN));
  // The compiler needs some hundred pages. Until then it takes longer than the page.
  const until = performance.now() + warmUpMs;
  let asked = 0;
  for (; asked < 5 || (asked < warmUps && performance.now() < until); asked++) await ask(page);
  // Processor time is counted in hundredths of a second. Dear pages need not be repeated as often.
  const count = asked < requests ? 5 : requests;
  const before = await seconds();
  for (let index = 0; index < count; index++) await ask(page);
  return (((await seconds()) - before) * 1000) / count;
}
