import { expect, test } from "bun:test";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { type DerivedTables, derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { batched, inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { dirtyCount, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { type IngestServer, sendFrames, startServer } from "../support/ingest-server.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { storedFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("servers that are killed");
const kills = rounds(2, 6);
const senders = 3;
const framesOfEach = rounds(150, 400);

interface Outbox {
  /** Batches that nobody has acknowledged yet. */
  readonly waiting: IncomingFrame[][];
  readonly acknowledged: IncomingFrame[];
}

/** Sends batch after batch until the server does not answer or enough were acknowledged; what was not goes out again. */
async function send(server: IngestServer, token: string, outbox: Outbox, isEnough: () => boolean): Promise<void> {
  while (!isEnough()) {
    const batch = outbox.waiting.shift();
    if (batch === undefined) return;
    const { status, body } = await sendFrames(server.ingestUrl, token, batch);
    if (status === null) {
      outbox.waiting.unshift(batch);
      return;
    }
    expect([status, body.refused]).toEqual([200, []]);
    outbox.acknowledged.push(...batch);
  }
}

const placeOf = ({ imei, recordedAt }: { imei: string; recordedAt: number | null }) => `${imei} ${recordedAt}`;

async function missing(database: Database, acknowledged: readonly IncomingFrame[]): Promise<string[]> {
  const devices = await database.all<{ imei: string; device: number }>(sql`select device, imei from devices`);
  const imeis = new Map(devices.map(({ device, imei }) => [device, imei]));
  const stored = new Set(
    (await storedFrames(database)).map(({ device, recorded_at }) =>
      placeOf({ imei: imeis.get(device) ?? "", recordedAt: recorded_at }),
    ),
  );
  return acknowledged.map(placeOf).filter((place) => !stored.has(place));
}

/** These frames are old, so the servers' clocks tell that the devices are offline. That is not from frames. */
async function fromFrames(database: Database): Promise<DerivedTables> {
  const tables = await derivedTables(database);
  return { ...tables, alerts: tables.alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
}

onEachEngine("a server that is killed while frames come in", (engine) => {
  test("has all it acknowledged, once, and goes on as if nothing had been", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const token = await tokenOf(store.database);
    const random = randomNumbers(seed);
    const frames = randomFleet(seed, framesOfEach);
    // A tenth comes late, and some is sent twice.
    const late = new Set(frames.filter(() => random() < 0.1));
    const live = inOrder(frames).filter((frame) => !late.has(frame));
    const batches = batched([...live, ...shuffled([...late], random), ...live.slice(0, 100)], random, 30);
    const outbox: Outbox = { waiting: batches, acknowledged: [] };
    const share = frames.length / (kills + 1);
    for (let kill = 1; kill <= kills; kill++) {
      const server = await startServer(store);
      const enough = share * (kill - 1 + random());
      const killed = Promise.withResolvers<void>();
      // In the middle of what the senders have under way.
      const isEnough = () => {
        if (outbox.acknowledged.length < enough) return false;
        server.kill().then(killed.resolve);
        return true;
      };
      await Promise.all(Array.from({ length: senders }, () => send(server, token, outbox, isEnough)));
      await killed.promise;
      expect(await missing(store.database, outbox.acknowledged)).toEqual([]);
    }
    const last = await startServer(store);
    await Promise.all(Array.from({ length: senders }, () => send(last, token, outbox, () => false)));
    expect(outbox.waiting).toEqual([]);
    expect((await last.stop()).code).toBe(0);
    // What one that was killed left to derive, its successor derives within a second; here it may have stopped before.
    await newWriter(store.database).schedule.deriveLeft();
    expect(await dirtyCount(store.database)).toBe(0);
    expect(await rederiveAll(store.database)).toMatchObject({ frames: frames.length, ...nothingChanged });

    const whole = await engine.fresh();
    await loadIngestFleet(whole.database);
    await take(whole.database, [inOrder(frames)]);
    // The servers may have ended trips by the clock. Where something was still to be derived, they look again in 20 s.
    for (const { database } of [whole, store]) await watchSilence(database, Date.now() + 60_000);
    expect(differencesOf(await fromFrames(whole.database), await fromFrames(store.database))).toEqual([]);
  });
});
