import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";
import { type DrillDatabase, startDatabase } from "./database.ts";
import { odograph } from "./nodes.ts";

/** The role and the database of the store, on every machine. */
const name = "fleet";

const settings = ["shared_preload_libraries='citus'", "wal_level=logical", "max_prepared_transactions=200"];

/** Newer servers decode changes, which moves of shards need, by libraries that are named only. */
function settingsFor(programs: string): string[] {
  const known = Bun.spawnSync([join(programs, "bin/postgres"), "--describe-config"]).stdout.toString();
  const decoders = known.includes("output_plugin_libraries") ? ["output_plugin_libraries='pgoutput, citus'"] : [];
  return [...settings, ...decoders];
}

/** The directory of the PostgreSQL that has Citus, as its `pg_config` says (`PG_CONFIG`, or the first in the path); null: none. */
export function citusPrograms(): string | null {
  const command = process.env.PG_CONFIG ?? Bun.which("pg_config");
  if (!command) return null;
  const ask = (what: string) => Bun.spawnSync([command, what]).stdout.toString().trim();
  const isThere = existsSync(join(ask("--sharedir"), "extension", "citus.control"));
  return isThere ? join(ask("--bindir"), "..") : null;
}

/** Where Citus is installed. Says aloud that the drill does not run, and ends, where it is not. */
export function needCitus(): string {
  const programs = citusPrograms();
  if (programs) return programs;
  console.log("not run: Citus is not installed in the PostgreSQL of pg_config (set PG_CONFIG to that of another)");
  process.exit(0);
}

export interface Worker {
  readonly database: DrillDatabase;
  /** The way to it, for the coordinator, the other workers and the nodes; null: they reach it without. */
  readonly network: TcpProxy | null;
  /** As the cluster calls it. */
  readonly place: string;
}

export interface ClusterOptions {
  readonly programs: string;
  readonly shards?: number;
  /** With a way to each worker that can be frozen and made slow. It costs processor time. */
  readonly hasNetwork?: boolean;
}

/** A coordinator and two workers on this machine, made by the steps of docs/scaling.md. Gone with this process. */
export class CitusCluster {
  private constructor(
    readonly coordinator: DrillDatabase,
    readonly workers: readonly Worker[],
    /** For nodes: the coordinator, as the role of the store. */
    readonly url: string,
  ) {}

  static async start({ programs, shards = 8, hasNetwork = false }: ClusterOptions): Promise<CitusCluster> {
    const machines: DrillDatabase[] = [];
    const networks: TcpProxy[] = [];
    try {
      // Citus copies the roles of the coordinator to the workers, with their passwords.
      const password = randomBytes(16).toString("hex");
      const options = { programs, settings: settingsFor(programs), password };
      for (let machine = 0; machine < 3; machine++) machines.push(await startDatabase(options));
      const [coordinator, ...databases] = machines as [DrillDatabase, ...DrillDatabase[]];
      const workers: Worker[] = [];
      for (const database of databases) {
        const network = hasNetwork ? await startTcpProxy(`tcp://127.0.0.1:${database.port}`) : null;
        if (network) networks.push(network);
        workers.push({ database, network, place: `127.0.0.1:${network?.port ?? database.port}` });
      }
      const url = await prepare(coordinator, workers);
      await odograph(["distribute", "--shards", String(shards)], url);
      return new CitusCluster(coordinator, workers, url);
    } catch (error) {
      await Promise.all([...networks.map((each) => each.close()), ...machines.map((each) => each.remove())]);
      throw error;
    }
  }

  /** As a superuser on the coordinator, in the store's database. */
  asSuperuser<Row>(text: string): Promise<Row[]> {
    return asSuperuser(this.coordinator, text);
  }

  async remove(): Promise<void> {
    for (const { network } of this.workers) await network?.close();
    await Promise.all([this.coordinator, ...this.workers.map(({ database }) => database)].map((each) => each.remove()));
  }
}

/** Steps 1 to 3 of docs/scaling.md. Returns the address for `DATABASE_URL`. */
async function prepare(coordinator: DrillDatabase, workers: readonly Worker[]): Promise<string> {
  const password = randomBytes(16).toString("hex");
  const machines = [coordinator, ...workers.map(({ database }) => database)];
  const passwords = [`*:*:*:odograph:${new URL(coordinator.url()).password}`, `*:*:*:${name}:${password}`];
  for (const machine of machines) {
    machine.knowPasswords(passwords);
    await asSuperuser(machine, `create role ${name} login password '${password}'`, "postgres");
    await asSuperuser(machine, `create database ${name} owner ${name}`, "postgres");
    await asSuperuser(machine, "create extension citus");
  }
  await asSuperuser(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { place } of workers) {
    const [host, port] = place.split(":");
    await asSuperuser(coordinator, `select citus_add_node('${host}', ${port})`);
  }
  const url = new URL(coordinator.url());
  Object.assign(url, { username: name, password, pathname: `/${name}` });
  return url.href;
}

async function asSuperuser<Row>(machine: DrillDatabase, text: string, database = name): Promise<Row[]> {
  const client = new Bun.SQL({ url: Object.assign(new URL(machine.url()), { pathname: `/${database}` }).href, max: 1 });
  try {
    return await client.unsafe(text);
  } finally {
    await client.close();
  }
}
