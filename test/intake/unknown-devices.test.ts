import { afterEach, expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { consumeFromBroker } from "../../src/intake/mqtt/consumer.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import { UnknownDevices } from "../../src/intake/unknown-devices.ts";
import type { Database } from "../../src/store/database.ts";
import { forgetUnknownDevices, unknownDevicesOf } from "../../src/store/fleet/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { startBroker } from "../support/broker.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, load, smallFleet } from "../support/fleet.ts";
import { freshFleet } from "../support/ingest-fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";
import { openPort } from "../support/ingest-port.ts";
import { until } from "../support/patience.ts";

const stranger = device(77).imei;
const minuteMs = 60_000;
const begin = Date.UTC(2026, 2, 1, 9);
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Counts the transactions that are begun, and lets them fail while `fails` is set. */
function watched(database: Database) {
  const state = { transactions: 0, fails: false };
  const transaction: Database["transaction"] = (work) => {
    state.transactions++;
    return state.fails ? Promise.reject(new Error("no room")) : database.transaction(work);
  };
  return Object.assign(state, { database: altered(database, { transaction }) });
}

onEachEngine("IMEIs that no device has", (engine) => {
  async function fleet() {
    const { database } = await freshFleet(engine);
    const acme = await accountNumber(database);
    const listed = async (now = Date.now(), account = acme) =>
      (await unknownDevicesOf(database, account, now)).map(({ imei }) => imei);
    return { database, acme, listed };
  }

  test("are remembered by the account of the token, from messages of every format", async () => {
    const { database, listed } = await fleet();
    const port = await openPort(database);
    ends.push(port.close);
    const at = new Date().toISOString();
    const place = { latitude: 52.5, longitude: 13.4 };
    const sent = [71, 72, 73, 74].map((number) => device(number).imei);
    await port.post("/frames", [{ imei: sent[0], recorded_at: at, ...place }]);
    await port.post("/traccar/positions", {
      position: { fixTime: at, deviceTime: at, valid: true, speed: 0, course: 0, ...place },
      device: { uniqueId: sent[1] },
    });
    await port.request(`/osmand?id=${sent[2]}&lat=52.5&lon=13.4&timestamp=${Date.now()}&token=${port.token}`);
    await port.post("/owntracks", {
      _type: "location",
      tid: "x",
      tst: Math.floor(Date.now() / 1000),
      lat: 52.5,
      lon: 13.4,
      topic: `owntracks/x/${sent[3]}`,
    });
    await until(async () => (await listed()).length === 4);
    expect((await listed()).sort()).toEqual(sent);
    expect(await listed(Date.now(), await accountNumber(database, smallFleet.rival.id))).toEqual([]);
  });

  test("of a broker are remembered where there is one account alone, so that none learns of another's", async () => {
    const broker = await startBroker({});
    ends.push(() => broker.stop());
    const both = await fleet();
    const alone = await engine.fresh();
    await load(alone.database, [smallFleet.acme, smallFleet.olga, smallFleet.car]);
    const nodes = [both.database, alone.database].map((database, index) => {
      const unknownDevices = new UnknownDevices(database);
      const consumer = consumeFromBroker({
        settings: {
          address: { protocol: "mqtt", host: "127.0.0.1", port: broker.port, username: null, password: null },
          topics: ["odograph/+/frames"],
          clientId: `node-${index}`,
        },
        database,
        writer: new FrameQueue(database, () => {}),
        unknownDevices,
        observe: () => {},
      });
      ends.push(() => consumer.close());
      return { database, unknownDevices };
    });
    await broker.subscribed("node-0");
    await broker.subscribed("node-1");
    const frame = { imei: stranger, recorded_at: new Date().toISOString(), latitude: 52.5, longitude: 13.4 };
    await broker.publish("odograph/gateway/frames", frame);
    await broker.drained("node-0");
    await broker.drained("node-1");
    await until(async () => {
      for (const { unknownDevices } of nodes) await unknownDevices.save(Date.now());
      return (await unknownDevicesOf(alone.database, await accountNumber(alone.database), Date.now())).length === 1;
    });
    expect(await both.database.all(sql`select imei from unknown_devices`)).toEqual([]);
  });

  test("are counted, and written at most once a minute", async () => {
    const { database, acme } = await fleet();
    const store = watched(database);
    const unknown = new UnknownDevices(store.database);
    for (let second = 0; second < 90; second++) {
      unknown.noteRefusal(acme, stranger, "unknown_device", begin + second * 1000);
      unknown.noteRefusal(acme, device(21).imei, "received_at lies in the future", begin + second * 1000);
      await unknown.save(begin + second * 1000);
    }
    expect(store.transactions).toBe(2);
    await unknown.save(begin + 3 * minuteMs);
    expect(store.transactions).toBe(3);
    expect(await unknownDevicesOf(database, acme, begin)).toEqual([
      { imei: stranger, protocol: null, firstSeenAt: begin, lastSeenAt: begin + 89_000, count: 90 },
    ]);
    await unknown.save(begin + 5 * minuteMs);
    expect(store.transactions).toBe(3);
  });

  test("wait in memory while the store fails", async () => {
    const { database, acme, listed } = await fleet();
    const store = watched(database);
    const unknown = new UnknownDevices(store.database);
    unknown.noteRefusal(acme, stranger, "unknown_device", begin);
    store.fails = true;
    await expect(unknown.save(begin)).rejects.toThrow("no room");
    store.fails = false;
    unknown.noteRefusal(acme, stranger, "unknown_device", begin + 1000);
    await unknown.save(begin + 1000);
    expect(await listed(begin + 1000)).toEqual([stranger]);
    expect((await unknownDevicesOf(database, acme, begin))[0]?.count).toBe(2);
  });

  test("are at most a hundred of an account, however many a sender invents", async () => {
    const { database, acme, listed } = await fleet();
    const store = watched(database);
    const unknown = new UnknownDevices(store.database);
    const invented = (number: number) => String(900_000_000_000_000 + number);
    for (let number = 0; number < 5000; number++) {
      unknown.noteRefusal(acme, invented(number), "unknown_device", begin + number);
    }
    await unknown.save(begin + 5000);
    await unknown.save(begin + 6000);
    expect(store.transactions).toBe(1);
    // Those that came first: more are not even held in memory.
    expect((await listed(begin)).sort()).toEqual(Array.from({ length: 100 }, (_, number) => invented(number)));
    // One that reports later is offered instead of the oldest.
    await unknown.save(begin + 2 * minuteMs);
    unknown.noteRefusal(acme, stranger, "unknown_device", begin + 2 * minuteMs);
    await unknown.save(begin + 2 * minuteMs);
    const now = await listed(begin + 2 * minuteMs);
    expect(now).toHaveLength(100);
    expect(now[0]).toBe(stranger);
    const rows = await database.all<{ imei: string }>(sql`select imei from unknown_devices`);
    expect(rows).toHaveLength(100);
  });

  test("disappear when the account adds a device with them, and stay gone", async () => {
    const { database, acme, listed } = await fleet();
    const unknown = new UnknownDevices(database);
    const other = device(78).imei;
    for (const imei of [stranger, other]) unknown.noteRefusal(acme, imei, "unknown_device", begin);
    await unknown.save(begin);
    await load(database, [device(77)]);
    expect(await listed(begin)).toEqual([other]);
    unknown.noteRefusal(acme, other, "unknown_device", begin + 2 * minuteMs);
    await unknown.save(begin + 2 * minuteMs);
    expect(await database.all<{ imei: string }>(sql`select imei from unknown_devices`)).toEqual([{ imei: other }]);
  });

  test("are forgotten after seven days of silence", async () => {
    const { database, acme, listed } = await fleet();
    const unknown = new UnknownDevices(database);
    unknown.noteRefusal(acme, stranger, "unknown_device", begin);
    await unknown.save(begin);
    await forgetUnknownDevices(database, begin + 7 * dayMs, foreground);
    expect(await listed(begin + 7 * dayMs)).toEqual([stranger]);
    expect(await listed(begin + 7 * dayMs + 1)).toEqual([]);
    await forgetUnknownDevices(database, begin + 7 * dayMs + 1, foreground);
    expect(await database.all(sql`select imei from unknown_devices`)).toEqual([]);
  });
});
