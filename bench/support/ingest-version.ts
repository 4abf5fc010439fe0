import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreTarget } from "../../src/store/open.ts";
import { fileName } from "../../src/store/sqlite/open.ts";
import { imeiOf } from "./fleet.ts";
import { processSeconds } from "./process-use.ts";
import { metricOf, odograph, type ServedVersion, serve, type Version } from "./version.ts";

const accountId = "00000000-0000-4000-8000-000000000000";

/** A version's server on a new store, ready to take frames. Everything goes through the program's commands. */
export interface IngestVersion {
  readonly server: ServedVersion;
  readonly token: string;
  use(): Promise<Use>;
  /** Of SQLite; null: PostgreSQL. */
  readonly storeFile: string | null;
  /** What the store takes on disk. */
  diskBytes(): Promise<number>;
  remove(): Promise<void>;
}

/** What the server has used since it started. */
export interface Use {
  readonly frames: number;
  readonly transactions: number;
  /** Of all threads; without that of PostgreSQL. */
  readonly cpuSeconds: number;
  /** SQLite: what the server wrote to files. PostgreSQL: the size of the log. */
  readonly bytesWritten: number;
}

/** `databaseUrl`: an empty PostgreSQL database; null for SQLite. */
export async function startIngestVersion(
  version: Version,
  devices: number,
  databaseUrl: string | null,
): Promise<IngestVersion> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
  const target: StoreTarget =
    databaseUrl === null
      ? { engine: "sqlite", directory: join(directory, "store") }
      : { engine: "postgres", url: databaseUrl };
  const file = join(directory, "fleet.ndjson");
  await writeFile(file, fleetFile(devices));
  await odograph(version, target, ["load", file]);
  const words = ["ingest-tokens", "create", "--account", accountId, "--name", "bench", "--json"];
  const { token } = JSON.parse(await odograph(version, target, words)) as { token: string };
  const server = await serve(version, target);
  const remove = async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  const use = async () => ({
    frames: await metricOf(server, 'odograph_frames_total{result="accepted"}'),
    transactions: await metricOf(server, 'odograph_observations_total{kind="frames_stored"}'),
    cpuSeconds: (await processSeconds(server.pid)) ?? Number.NaN,
    bytesWritten: databaseUrl === null ? await fileBytes(server.pid) : await logBytes(databaseUrl),
  });
  const diskBytes = () => (databaseUrl === null ? filesBytes(join(directory, "store")) : tablesBytes(databaseUrl));
  const storeFile = databaseUrl === null ? join(directory, "store", fileName) : null;
  return { server, token, storeFile, use, diskBytes, remove };
}

function fleetFile(devices: number): string {
  const account = { type: "account", id: accountId, name: "Bench" };
  const vehicles = Array.from({ length: devices }, (_, index) => ({
    type: "device",
    id: `00000000-0000-4000-9000-${String(index + 1).padStart(12, "0")}`,
    account_id: accountId,
    imei: imeiOf(index + 1),
    name: `Truck ${index + 1}`,
  }));
  return [account, ...vehicles].map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function fileBytes(pid: number): Promise<number> {
  const io = await Bun.file(`/proc/${pid}/io`)
    .text()
    .catch(() => "");
  return Number(/^wchar: (\d+)$/m.exec(io)?.[1]);
}

function logBytes(url: string): Promise<number> {
  return askNumber(url, "select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as number");
}

function tablesBytes(url: string): Promise<number> {
  return askNumber(url, "select pg_database_size(current_database())::float8 as number");
}

async function askNumber(url: string, statement: string): Promise<number> {
  const server = new Bun.SQL(url, { max: 1 });
  const [row] = await server.unsafe(statement);
  await server.close();
  return Number(row.number);
}

async function filesBytes(directory: string): Promise<number> {
  const sizes = (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
