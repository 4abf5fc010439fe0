import { type TrackerProtocol, trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import type { Database } from "../../../src/store/database.ts";
import { sql } from "../../../src/store/sql.ts";
import type { FreshDatabase } from "../engines.ts";
import { load, smallFleet } from "../fleet.ts";
import { freePort } from "../free-port.mjs";
import { type ProgramOptions, startOdograph } from "../program.ts";
import { storedFrames } from "../stored-frames.ts";
import { trackerDevice } from "./reporting.ts";

type Ports = Readonly<Record<TrackerProtocol, number>>;

/** The real program, with a port for each family. */
export async function serveTrackers(store: FreshDatabase & ProgramOptions, more: readonly string[] = []) {
  const entries = await Promise.all(trackerProtocols.map(async (name) => [name, await freePort()] as const));
  const trackers = entries.map(([name, port]) => `${name}=${port}`).join(",");
  const program = await startOdograph(
    ["serve", "--port", "0", "--ingest-port", "0", "--trackers", trackers, ...more],
    store,
  );
  return { ...program, ports: Object.fromEntries(entries) as Ports };
}

/** An account with so many trackers, of each family in turn. */
export async function fleetOf(store: FreshDatabase, count: number): Promise<void> {
  const { acme, olga } = smallFleet;
  await load(store.database, [
    acme,
    olga,
    ...Array.from({ length: count }, (_, number) => trackerDevice(number, acme.id)),
  ]);
}

/** By IMEI: how often each moment with a place is stored. */
export async function storedMoments(database: Database): Promise<ReadonlyMap<string, number>> {
  const devices = await database.all<{ imei: string; device: number }>(sql`select device, imei from devices`);
  const imeis = new Map(devices.map(({ device, imei }) => [device, imei]));
  const moments = new Map<string, number>();
  for (const { device, recorded_at, latitude } of await storedFrames(database)) {
    if (latitude === null) continue;
    const key = `${imeis.get(device)} ${recorded_at}`;
    moments.set(key, (moments.get(key) ?? 0) + 1);
  }
  return moments;
}
