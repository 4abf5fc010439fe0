import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { type TrackerProtocol, trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import { openDatabase, type StoreTarget } from "../../src/store/open.ts";
import { load, smallFleet } from "../../test/support/fleet.ts";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import { trackerDevice } from "../../test/support/trackers/reporting.ts";
import { ownRoot, programOf } from "./program.ts";
import { freePort } from "./servers.ts";

/** The real program, with a port for each family. */
export interface TrackerServer {
  readonly ports: Readonly<Record<TrackerProtocol, number>>;
  readonly url: string;
  readonly ingestUrl: string;
  readonly pid: number;
  kill(): Promise<void>;
}

interface TrackerServerOptions {
  readonly devices: number;
  readonly onPostgres: boolean;
  /** How many files a server may open; as many as this process, if it is left out. */
  readonly openFiles?: number;
}

/** A store with so many trackers of mixed families, servers on it as they are wanted, and nothing left of them afterwards. */
export async function withTrackerServer(
  { devices, onPostgres, openFiles }: TrackerServerOptions,
  work: (start: () => Promise<TrackerServer>, token: string, target: StoreTarget) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-trackers-"));
  const postgres = onPostgres ? await startPostgres() : null;
  const target: StoreTarget = postgres ? { engine: "postgres", url: postgres.url } : { engine: "sqlite", directory };
  const running: TrackerServer[] = [];
  try {
    const database = await openDatabase(target, { create: true });
    const { acme, olga } = smallFleet;
    await load(database, [
      acme,
      olga,
      ...Array.from({ length: devices }, (_, number) => trackerDevice(number, acme.id)),
    ]);
    const { secret } = await createIngestToken(database, { accountId: acme.id, name: "bench" }, Date.now());
    await database.close();
    const start = async () => {
      const server = await startServer(target, directory, openFiles);
      running.push(server);
      return server;
    };
    await work(start, secret, target);
  } finally {
    for (const server of running) await server.kill();
    await postgres?.stop();
    await rm(directory, { recursive: true });
  }
}

async function startServer(target: StoreTarget, directory: string, openFiles?: number): Promise<TrackerServer> {
  const entries = await Promise.all(trackerProtocols.map(async (name) => [name, await freePort()] as const));
  const [port, ingestPort] = [await freePort(), await freePort()];
  const words = [
    "serve",
    "--port",
    String(port),
    "--ingest-port",
    String(ingestPort),
    "--data",
    directory,
    "--log-level",
    "warn",
  ];
  const trackers = entries.map(([name, port]) => `${name}=${port}`).join(",");
  const env = { ...process.env, ...(target.engine === "postgres" ? { DATABASE_URL: target.url } : {}) };
  const limited = openFiles === undefined ? [] : ["prlimit", `--nofile=${openFiles}:${openFiles}`];
  const child = Bun.spawn([...limited, ...programOf(ownRoot), ...words, "--trackers", trackers], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("listening ")) break;
  }
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  const ports = Object.fromEntries(entries) as TrackerServer["ports"];
  const url = `http://127.0.0.1:${port}`;
  return { ports, url, ingestUrl: `http://127.0.0.1:${ingestPort}`, pid: child.pid, kill };
}
