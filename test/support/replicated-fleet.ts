import { SQL } from "bun";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { FrameQueue } from "../../src/intake/queue.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { Replica } from "../../src/store/replica/replica.ts";
import { type ApiUnderTest, keyOf, startApi } from "./api.ts";
import { load, smallFleet } from "./fleet.ts";
import { alertSettings, fences, home, vanImei } from "./ingest-fleet.ts";
import { accountNumber, newWriter } from "./ingest-node.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "./postgres-replica.ts";
import { noReport } from "./random-drive.ts";

/** When the van sends its first frame. */
const beginAt = Date.UTC(2026, 2, 2, 6);
/** Everything that it sends. */
export const window = "from=2026-03-02T00:00:00Z&to=2026-03-20T00:00:00Z";

/** Two nodes over a primary and its replica, and a van whose frames are stored by one of them. */
export interface ReplicatedFleet {
  readonly servers: ReplicatedPostgres;
  readonly urls: { readonly primary: string; readonly replica: string };
  readonly database: Database;
  readonly accountId: number;
  readonly nodes: readonly [ApiUnderTest, ApiUnderTest];
  readonly key: string;
  /** Resolves when the frame is acknowledged. It is the van's next, ten seconds after the one before. */
  send(): Promise<void>;
  /** The times of all that were acknowledged. */
  readonly sent: readonly string[];
  end(): Promise<void>;
}

/** `through` may give another address of the primary to those who connect to it. */
export async function startReplicatedFleet(
  through: (primaryUrl: string) => Promise<string> = async (url) => url,
): Promise<ReplicatedFleet> {
  const servers = await startReplicatedPostgres();
  const own = servers.databaseUrls("fleet");
  const urls = { ...own, primary: await through(own.primary) };
  const admin = new SQL({ url: servers.primary.url, max: 1 });
  await admin.unsafe("create database fleet");
  await admin.close();
  const stores: Database[] = [];
  const open = async () => {
    const database = await openDatabase({ engine: "postgres", url: urls.primary, poolSize: 4 }, { create: true });
    stores.push(database);
    return database;
  };
  const database = await open();
  const account = { ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000_000 } };
  await load(database, [
    ...Object.values({ ...smallFleet, acme: account, rules: alertSettings }),
    ...Object.values(fences),
  ]);
  await servers.replica.isLevel();
  const node = async () =>
    startApi(await open(), (primary, observe) => Replica.open(primary, { url: urls.replica, poolSize: 4, observe }));
  const nodes = [await node(), await node()] as const;
  const accountId = await accountNumber(database);
  const writer: FrameQueue = newWriter(database);
  const sent: string[] = [];
  return {
    servers,
    urls,
    database,
    accountId,
    nodes,
    key: await keyOf(database, smallFleet.olga.email),
    sent,
    async send() {
      const at = beginAt + sent.length * 10_000;
      await writer.submit(accountId, [frameAt(at, sent.length)]);
      sent.push(new Date(at).toISOString());
    },
    async end() {
      await Promise.all(nodes.map((api) => api.close()));
      await Promise.all(stores.map((store) => store.close()));
      await servers.remove();
    },
  };
}

/** It drives north, fast enough for an alert, and out of the fences, with a tank that empties. */
function frameAt(recordedAt: number, index: number): IncomingFrame {
  return {
    ...noReport,
    imei: vanImei,
    recordedAt,
    receivedAt: recordedAt,
    latitude: home.latitude + 0.002 * index,
    longitude: home.longitude,
    speed_kmh: 80,
    ignition: true,
    sensors: [{ kind: "fuel", sensor: "tank", level_percent: 90 - (index % 50), volume_l: null }],
  };
}

/** How many pages a node has read from each place so far. */
export function pagesOf({ observations }: ApiUnderTest): { readonly primary: number; readonly replica: number } {
  const of = (from: string) => observations.filter((seen) => seen.kind === "page_read" && seen.from === from).length;
  return { primary: of("primary"), replica: of("replica") };
}
