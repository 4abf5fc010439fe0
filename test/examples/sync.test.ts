import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { allAccounts } from "../../src/store/each-account.ts";
import { forgetRecords } from "../../src/store/upkeep/forgotten-removals.ts";
import { run } from "../client/packed-client.ts";
import { onEachEngine } from "../support/engines.ts";
import { createPostgresDatabase, dropsDone } from "../support/postgres-databases.ts";
import { rounds } from "../support/rounds.ts";
import { readRepository } from "../support/source-tree.ts";
import { type FleetServer, startFleetServer, workday } from "./fleet-server.ts";
import { type ExampleProject, exampleProject, type RunningExample } from "./running-example.ts";

const hourMs = 3_600_000;
const BACKFILL_DAYS = String(Math.ceil((Date.now() - workday) / (24 * hourMs)) + 1);
const repository = await readRepository();

let project: ExampleProject;
beforeAll(async () => {
  project = await exampleProject();
});
afterAll(() => project?.remove());

/** Where a sync copies to. */
interface Target {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** Everything that it holds, as `type id record`. */
  rows(): Promise<string[]>;
  forget(): Promise<void>;
}

async function postgresTarget(): Promise<Target> {
  const { url, drop } = await createPostgresDatabase("nothing");
  const sql = new SQL(url);
  return {
    file: "sync-postgres.ts",
    env: { DATABASE_URL: url },
    rows: async () => {
      const isThere = await sql`select 1 from pg_tables where tablename = 'fleet'`;
      const rows: { type: string; id: string; record: object }[] =
        isThere.length > 0 ? await sql`select type, id, record from fleet` : [];
      return rows.map(({ type, id, record }) => rowText(type, id, record)).sort();
    },
    forget: async () => {
      await sql.close();
      drop();
      await dropsDone();
    },
  };
}

async function sqliteTarget(): Promise<Target> {
  const path = join(project.directory, `copy-${crypto.randomUUID()}.sqlite`);
  return {
    file: "sync-sqlite.ts",
    env: { FLEET_FILE: path },
    rows: async () => {
      const database = new Database(path);
      database.run("pragma busy_timeout = 10000");
      const rows = database.query<{ type: string; id: string; record: string }, []>("select * from fleet").all();
      database.close();
      return rows.map(({ type, id, record }) => rowText(type, id, JSON.parse(record))).sort();
    },
    forget: () => rm(path, { force: true }),
  };
}

/** What every frame changes in a device is no change of the device. */
const volatile = ["last_seen_at", "last_position_at", "odometer_km"];

function rowText(type: string, id: string, record: object): string {
  const stable = Object.entries(record).filter(([name]) => type !== "device" || !volatile.includes(name));
  return `${type} ${id} ${JSON.stringify(Object.fromEntries(stable.sort(([one], [other]) => (one < other ? -1 : 1))))}`;
}

/** What the lists show, in the same form. */
async function listed(server: FleetServer, key: string): Promise<string[]> {
  // All frames are within, and a window may have 31 days.
  const window = `?from=${new Date(workday - 24 * hourMs).toISOString()}&to=${new Date(workday + 96 * hourMs).toISOString()}`;
  const of = async <Row extends object>(type: string, path: string, idOf: (row: Row) => string) =>
    (await server.list<Row>(path, key)).map((row) => rowText(type, idOf(row), row));
  const all = await Promise.all([
    of<{ device_id: string }>("device", "/devices", (row) => row.device_id),
    of<{ geofence_id: string }>("geofence", "/geofences", (row) => row.geofence_id),
    of<{ trip_id: string }>("trip", `/trips${window}`, (row) => row.trip_id),
    of<{ event_id: string }>("geofence_event", `/geofence-events${window}`, (row) => row.event_id),
    of<{ alert_id: string }>("alert", `/alerts${window}`, (row) => row.alert_id),
    of<{ device_id: string; date: string }>(
      "mileage",
      `/reports/mileage${window}`,
      (row) => `${row.device_id}/${row.date}`,
    ),
  ]);
  return all.flat().sort();
}

/** Resolves when the example has made the copy equal to the lists. */
async function copied(example: RunningExample, server: FleetServer, key: string, target: Target): Promise<string[]> {
  let [wanted, found]: string[][] = [[], []];
  await example
    .makes(async () => {
      // Read anew each time: what ends by the clock may change meanwhile.
      [wanted, found] = await Promise.all([listed(server, key), target.rows()]);
      return Bun.deepEquals(found, wanted);
    })
    .catch((error) => {
      const differences = [
        ...(found ?? []).filter((row) => !wanted?.includes(row)),
        ...(wanted ?? []).filter((row) => !found?.includes(row)),
      ];
      throw new Error(`${error.message}\n${differences.slice(0, 6).join("\n")}`);
    });
  return wanted ?? [];
}

test("the examples compile strictly", async () => {
  const folder = fileURLToPath(new URL("../..", import.meta.url));
  const tsc = [process.execPath, "node_modules/typescript/bin/tsc", "--noEmit", "--project", "examples"];
  expect(await run(tsc, folder)).toEqual({ code: 0, output: "" });
});

test("a sync is under 60 lines", () => {
  for (const name of ["sync-postgres.ts", "sync-sqlite.ts"]) {
    expect(repository.get(`examples/${name}`)?.split("\n").length, name).toBeLessThanOrEqual(60);
  }
});

onEachEngine("a sync", (engine) => {
  // The copy's store and the service's know nothing of each other. So the usual run has each of both once, in two pairs.
  const targets = engine.name === "sqlite" ? [postgresTarget, sqliteTarget] : [sqliteTarget, postgresTarget];
  for (const newTarget of targets.slice(0, rounds(1, 2))) {
    test(`${newTarget.name} ends with what the lists show, however it is stopped and whatever changes`, async () => {
      const store = await engine.fresh();
      const server = await startFleetServer(store, { vehicles: 6, from: workday });
      const target = await newTarget();
      const before = server.frames(workday, workday + 16 * hourMs);
      const after = server.frames(workday + 16 * hourMs, workday + 24 * hourMs);
      // A tenth of the past comes late.
      await server.load(before.filter((_, index) => index % 10 !== 0));
      const user = server.world.fleet.find((record) => "role" in record && record.role === "sub_account");
      if (!user || !("email" in user) || !("id" in user)) throw new Error("the fleet has no sub-account");
      const key = await server.key(String(user.email));
      const env = { ...target.env, FLEET_URL: server.url, FLEET_KEY: key, BACKFILL_DAYS };

      const first = project.start(target.file, env);
      await first.prints("read everything anew");
      const backfilled = await copied(first, server, key, target);
      const tripsBefore = backfilled.filter((row) => row.startsWith("trip"));
      expect(tripsBefore.length).toBeGreaterThan(0);

      await server.load(after.slice(0, after.length >> 1));
      await copied(first, server, key, target);
      await first.kill();

      const devices = server.world.fleet.filter(
        (record): record is { type: "device"; id: string; user_ids: string[] } =>
          "type" in record && record.type === "device",
      );
      const isSeen = ({ user_ids }: { user_ids?: string[] }) => user_ids?.includes(String(user.id)) ?? false;
      const seen = devices.filter(isSeen);
      // Late frames, while nobody looks: trips grow together, alerts are withdrawn. Meanwhile the vehicles are out of sight.
      for (const device of seen) await server.load([{ ...device, user_ids: [] }]);
      await server.load(before.filter((_, index) => index % 10 === 0));
      for (const device of seen) await server.load([device]);
      const second = project.start(target.file, env);
      const corrected = await copied(second, server, key, target);
      expect(corrected.filter((row) => row.startsWith("trip"))).not.toEqual(tripsBefore);
      expect(second.printed()).not.toContain("anew");

      // A vehicle is renamed, one goes out of the user's sight, and one comes into it.
      const [renamed, leaving] = seen;
      const coming = devices.find((device) => !isSeen(device));
      if (!renamed || !leaving || !coming) throw new Error("too few vehicles");
      await server.load([{ ...renamed, name: "Renamed" }]);
      await server.load([{ ...leaving, user_ids: [] }]);
      await server.load([{ ...coming, user_ids: [user.id] }]);
      await server.load(after.slice(after.length >> 1));
      const moved = await copied(second, server, key, target);
      expect(moved.some((row) => row.includes('"name":"Renamed"'))).toBe(true);
      expect(moved.some((row) => row.includes(leaving.id))).toBe(false);
      expect(moved.some((row) => row.startsWith("trip") && row.includes(coming.id))).toBe(true);
      expect(await second.stop()).toBe(0);

      // So long a stop that the service has forgotten what it removed meanwhile.
      await server.load([{ ...renamed, user_ids: [] }]);
      for await (const account of allAccounts(store.database)) {
        await store.database.transaction((tx) => forgetRecords(tx, account, Date.now() + hourMs, 1_000));
      }
      const third = project.start(target.file, env);
      await third.prints("read everything anew");
      const anew = await copied(third, server, key, target);
      expect(anew.some((row) => row.includes(renamed.id))).toBe(false);
      expect(await third.stop()).toBe(0);
      await server.stop();
      await target.forget();
    });
  }
});
