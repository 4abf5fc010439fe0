import { expect, test } from "bun:test";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { acknowledgeEach, storedAlerts } from "../support/acknowledged-alerts.ts";
import { fillForChores } from "../support/chore-store.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { carImei, freshFleet, home, loadIngestFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";

const hourMs = 3_600_000;
/** After the fleet was loaded: its settings are in force. */
const began = loadedAt + 24 * hourMs;

function framesOf(imei: string, beginAt = began) {
  return straightDrive({ imei, from: home, beginAt, minutes: 5, kmh: 40 });
}

const lastSeen = framesOf(vanImei).at(-1)?.receivedAt ?? 0;

async function offlineAlerts(database: Database) {
  const { alerts } = await derivedTables(database);
  return alerts
    .filter(({ alert_type }) => alert_type === "device_offline")
    .map(({ device, occurred_at, ended_at }) => [device, occurred_at, ended_at]);
}

async function deviceNumber(database: Database, imei: string): Promise<number> {
  return (await database.get<{ device: number }>(sql`select device from devices where imei = ${imei}`))?.device ?? 0;
}

onEachEngine("a device that says nothing", (engine) => {
  test("was known to be offline when it was, and that changed with the frame that ended it", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [framesOf(vanImei)]);
    const since = lastSeen + 24 * hourMs;
    await watchOffline(database, since + 1000);
    const times = async () =>
      (await derivedTables(database)).alerts
        .filter(({ alert_type }) => alert_type === "device_offline")
        .map(({ received_at, updated_at }) => [received_at, updated_at]);
    expect(await times()).toEqual([[since, since]]);
    const [again] = framesOf(vanImei, since + hourMs);
    await take(database, [again ? [again] : []]);
    expect(await times()).toEqual([[since, again?.receivedAt]]);
  });

  test("is offline after 24 hours, not before, once, until its next frame", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [framesOf(vanImei)]);
    const van = await deviceNumber(database, vanImei);
    const since = lastSeen + 24 * hourMs;
    expect(await watchOffline(database, since - 1)).toBe(0);
    expect(await offlineAlerts(database)).toEqual([]);
    expect(await watchOffline(database, since)).toBe(1);
    expect(await watchOffline(database, since + 1)).toBe(0);
    expect(await watchOffline(database, since + 90 * 24 * hourMs)).toBe(0);
    expect(await offlineAlerts(database)).toEqual([[van, since, null]]);

    // Deriving everything again leaves it alone: it is the clock's.
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(await offlineAlerts(database)).toEqual([[van, since, null]]);

    const again = framesOf(vanImei, since + hourMs);
    await take(database, [again.slice(0, 1)]);
    const ended = [van, since, again[0]?.receivedAt];
    expect(await offlineAlerts(database)).toEqual([ended]);
    await take(database, [again.slice(1)]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(await offlineAlerts(database)).toEqual([ended]);

    // And offline once more.
    const later = (again.at(-1)?.receivedAt ?? 0) + 24 * hourMs;
    expect(await watchOffline(database, later)).toBe(1);
    expect(await offlineAlerts(database)).toEqual([ended, [van, later, null]]);
  });

  test("was not offline if it turns out that it sent something in time", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [framesOf(vanImei)]);
    const since = lastSeen + 24 * hourMs;
    await watchOffline(database, since);
    // A gateway was cut off, and tells now what it received then.
    const held = framesOf(vanImei, began + 12 * hourMs);
    await take(database, [held]);
    expect(await offlineAlerts(database)).toEqual([]);
    const heldUntil = (held.at(-1)?.receivedAt ?? 0) + 24 * hourMs;
    expect(await watchOffline(database, heldUntil - 1)).toBe(0);
    expect(await watchOffline(database, heldUntil)).toBe(1);
  });

  test("stays acknowledged if it turns out that it was silent from a little later on", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [framesOf(vanImei)]);
    const since = lastSeen + 24 * hourMs;
    await watchOffline(database, since);
    const offline = async () =>
      (await storedAlerts(database)).filter(({ alert_type }) => alert_type === "device_offline");
    const before = await offline();
    await acknowledgeEach(
      database,
      before.map(({ id }) => id),
      since + hourMs,
    );
    // By another node, which has stored it later.
    const again = { ...framesOf(vanImei).at(-1), receivedAt: lastSeen + 60_000, altitude_m: 7 };
    await take(database, [[again as IncomingFrame]]);
    expect((await offline()).map(({ withdrawn }) => withdrawn)).toEqual([true]);
    await watchOffline(database, since + 60_000);
    const [alert, ...others] = await offline();
    expect(others).toEqual([]);
    expect(alert?.id).not.toBe(before[0]?.id);
    expect([alert?.acknowledged, alert?.acknowledged_at]).toEqual([true, since + hourMs]);
  });

  test("is offline after what its settings say, or never if they switch it off", async () => {
    const { database } = await freshFleet(engine);
    const offline = (fields: object) => [{ alert_type: "device_offline", ...fields }];
    await load(database, [
      { type: "alert_settings", device_id: uuid(21), rules: offline({ parameters: { after_s: 7200 } }) },
      { type: "alert_settings", device_id: uuid(22), rules: offline({ enabled: false }) },
      { type: "alert_settings", device_id: uuid(23), rules: [{ alert_type: "speeding" }] },
    ]);
    await take(database, [[vanImei, truckImei, carImei].flatMap((imei) => framesOf(imei))]);
    const [van, car] = [await deviceNumber(database, vanImei), await deviceNumber(database, carImei)];
    expect(await watchOffline(database, lastSeen + 2 * hourMs - 1)).toBe(0);
    expect(await watchOffline(database, lastSeen + 2 * hourMs)).toBe(1);
    expect(await watchOffline(database, lastSeen + 1000 * hourMs)).toBe(1);
    expect(await offlineAlerts(database)).toEqual([
      [van, lastSeen + 2 * hourMs, null],
      [car, lastSeen + 24 * hourMs, null],
    ]);
  });

  test("is not offline if it is out of use, or has never sent anything", async () => {
    const { database } = await freshFleet(engine);
    await take(database, [framesOf(vanImei), framesOf(truckImei)]);
    await load(database, [
      { ...smallFleet.van, status: "inactive" },
      { ...smallFleet.truck, status: "blocked" },
    ]);
    expect(await watchOffline(database, lastSeen + 1000 * hourMs)).toBe(0);
    expect(await offlineAlerts(database)).toEqual([]);
  });

  test("raises one alert, however many nodes look at once", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    await take(store.database, [framesOf(vanImei)]);
    const nodes = [store.database, await store.open(), await store.open()];
    const since = lastSeen + 24 * hourMs;
    const raised = await Promise.all(nodes.map((database) => watchOffline(database, since)));
    expect(raised.toSorted()).toEqual([0, 0, 1]);
    expect(await offlineAlerts(store.database)).toHaveLength(1);
  });

  test("is found among however many there are", async () => {
    const { database } = await engine.fresh();
    const now = Date.now();
    // Each was seen an hour before the one before it; the last of 1,100 some 46 days ago.
    await fillForChores(database, now, 1_100, 0);
    expect(await watchOffline(database, now - 44 * 24 * hourMs)).toBe(21);
    expect(await watchOffline(database, now - 44 * 24 * hourMs)).toBe(0);
    const stopped = AbortSignal.abort();
    expect(await watchOffline(database, now, stopped)).toBe(0);
  });
});
