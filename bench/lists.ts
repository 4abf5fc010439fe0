/**
 * Processor time of a page of 100 in lists of what happened: of the server, and of PostgreSQL. For an owner, a sub-account that
 * sees half of the devices, and one that sees a hundred.
 *
 *     node_modules/.bin/bun bench/lists.ts [--devices 20000] [--rows 1000000] [--requests 30] [--rounds 3] [--postgres]
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
import { type FactKeys, firstFactAt, seedFacts } from "./support/many-facts.ts";
import { processSeconds, siblingSeconds } from "./support/processor-time.ts";
import { ownRoot } from "./support/program.ts";
import { type RunningServer, startOdograph } from "./support/servers.ts";

const { values: options } = parseArgs({
  options: {
    devices: { type: "string", default: "20000" },
    rows: { type: "string", default: "1000000" },
    requests: { type: "string", default: "30" },
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
  ...["/trips", "/stops", "/alerts", "/geofence-events"],
  ...["/trips?tag=north", "/trips?tag=rare", "/stops?tag=north", "/alerts?tag=north", "/alerts?tag=rare"],
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
  const keys = await seedFacts(database, Number(options.devices), Number(options.rows));
  await database.close();
  const backend = admin && Number((await admin.unsafe("select pg_backend_pid() as pid"))[0].pid);
  const versions = options.before === undefined ? [ownRoot] : [ownRoot, options.before];
  const found: Map<string, number[]>[] = versions.map(() => new Map());
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [version, root] of versions.entries()) {
      const server = await startOdograph(target, root);
      for (const [name, requested] of allRequests(keys)) {
        const measured = found[version]?.get(name) ?? [];
        measured.push(await pageMs(server, backend, requested));
        found[version]?.set(name, measured);
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
}

/** The page at the beginning of a window, and one far into it. */
function* allRequests(keys: FactKeys): Generator<[name: string, Requested]> {
  for (const list of lists) {
    const filtered = list.replace("FENCE", keys.fence).replace("EMPTY", keys.emptyFence);
    for (const viewer of ["owner", "half", "few"] as const) {
      const [from, to] = [firstFactAt + 2 * dayMs, firstFactAt + 30 * dayMs].map((at) => new Date(at).toISOString());
      const path = `${filtered}${filtered.includes("?") ? "&" : "?"}from=${from}&to=${to}&limit=100`;
      yield [`${list} ${viewer}`, { path, key: keys[viewer] }];
    }
  }
}

async function pageMs(server: RunningServer, backend: number | null, { path, key }: Requested): Promise<number> {
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, { headers: { "X-API-Key": key } });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 404) throw new Error(`${path}: ${response.status} ${text}`);
  };
  const seconds = async () =>
    ((await processSeconds(server.pid)) ?? Number.NaN) +
    (backend === null ? 0 : ((await siblingSeconds(backend)) ?? Number.NaN));
  // The compiler needs some hundred pages. Until then it takes longer than the page.
  const until = performance.now() + warmUpMs;
  let asked = 0;
  for (; asked < 5 || (asked < warmUps && performance.now() < until); asked++) await ask();
  // Dear pages need not be repeated as often.
  const count = asked < requests ? 5 : requests;
  const before = await seconds();
  for (let index = 0; index < count; index++) await ask();
  return (((await seconds()) - before) * 1000) / count;
}
