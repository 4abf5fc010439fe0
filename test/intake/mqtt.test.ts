import { expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { consumeFromBroker } from "../../src/intake/mqtt/consumer.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import { UnknownDevices } from "../../src/intake/unknown-devices.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import type { TestBroker } from "../support/broker.ts";
import { type BrokerOptions, brokersOfTests, frameMessage, sendFrames } from "../support/broker-tests.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { device } from "../support/fleet.ts";
import { freshFleet } from "../support/ingest-fleet.ts";
import { randomDrive } from "../support/random-drive.ts";
import { countFrames } from "../support/stored-frames.ts";

const { atEnd, brokerOfTest } = brokersOfTests();
const clientId = "node-1";
const van = device(21).imei;
const rivalVan = device(24).imei;
const beginAt = Date.UTC(2026, 2, 2, 8);
/** A node that takes frames from the broker, and what it has observed. */
function consume(database: Database, { port }: TestBroker, id = clientId) {
  const seen: Observation[] = [];
  const waiting: { readonly kind: string; readonly resolve: () => void }[] = [];
  const observe = (observation: Observation) => {
    seen.push(observation);
    for (const { kind, resolve } of waiting) if (kind === observation.kind) resolve();
  };
  const consumer = consumeFromBroker({
    settings: {
      address: { protocol: "mqtt", host: "127.0.0.1", port, username: null, password: null },
      topics: ["odograph/+/frames", "owntracks/+/+"],
      clientId: id,
    },
    database,
    writer: new FrameQueue(database, observe),
    unknownDevices: new UnknownDevices(database),
    observe,
  });
  atEnd(() => consumer.close());
  /** Resolves when it is observed next. */
  const next = (kind: Observation["kind"]) => new Promise<void>((resolve) => waiting.push({ kind, resolve }));
  return { ...consumer, seen, next };
}

/** A store that refuses every transaction while `fails` is set. */
function moody(database: Database): { readonly database: Database; refuses: boolean } {
  const state = { refuses: false };
  const transaction: Database["transaction"] = (work) =>
    state.refuses ? Promise.reject(new Failure("STORE_FULL", "no room")) : database.transaction(work);
  return Object.assign(state, { database: altered(database, { transaction }) });
}

function drive(count: number, imei = van) {
  return randomDrive({ imei, seed: 7, count, beginAt });
}

onEachEngine("frames from a broker", (engine) => {
  /** A fleet, a broker, and a node that has subscribed there. */
  async function begun(options: BrokerOptions = {}) {
    const store = await freshFleet(engine);
    const mqtt = await brokerOfTest(options);
    const mood = moody(store.database);
    const node = consume(mood.database, mqtt);
    await mqtt.subscribed(clientId);
    return { ...store, mqtt, mood, node, seen: node.seen };
  }

  /** What is derived when the same frames are handed over directly. */
  async function expected(frames: readonly IncomingFrame[]) {
    const { database } = await freshFleet(engine);
    const writer = new FrameQueue(database, () => {});
    const accounts = await database.all<{ account_id: number; imei: string }>(
      plainSql("select account_id, imei from device_directory"),
    );
    for (const { account_id, imei } of accounts) {
      await writer.submit(
        account_id,
        frames.filter((frame) => frame.imei === imei),
      );
    }
    return derivedTables(database);
  }

  test("are stored with the account of their device and derived from, each acknowledged after it is on disk", async () => {
    const { database, open, mqtt } = await begun();
    const reader = await open();
    const looks: Promise<number>[] = [];
    mqtt.onAcknowledged = () => looks.push(countFrames(reader));
    const frames = [...drive(50), ...drive(50, rivalVan)];
    const halves = [frames.slice(0, 70), frames.slice(70)] as const;
    await sendFrames(mqtt, halves[0]);
    await mqtt.publish("odograph/gateway/frames", halves[1].map(frameMessage));
    await mqtt.drained(clientId);
    const seen = await Promise.all(looks);
    for (const [index, count] of seen.entries()) expect(count).toBeGreaterThan(index);
    expect(seen).toHaveLength(71);
    expect(await derivedTables(database)).toEqual(await expected(frames));
  });

  test("that cannot be taken are acknowledged and reported, and hold up no other", async () => {
    const { database, mqtt, seen } = await begun();
    const [good] = drive(1).map(frameMessage);
    const unknown = { ...good, imei: "356307042999999" };
    const bad = ["not json", "", "7", [{ ...good, latitude: "x" }], unknown, [unknown, good]];
    for (const payload of bad) await mqtt.publish("odograph/gateway/frames", payload);
    await mqtt.publish("owntracks/ana/phone", { _type: "location", tst: 1, lat: 1, lon: 1 });
    await mqtt.drained(clientId);
    expect(await countFrames(database)).toBe(1);
    const refused = seen.flatMap((fact) => (fact.kind === "frames_stored" ? [fact.refused] : []));
    expect(refused.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(seen.filter(({ kind }) => kind === "broker_frames_refused")).toHaveLength(1);
  });

  test("are not acknowledged while the store refuses them, and are stored when it takes them again", async () => {
    const { database, mqtt, mood, node } = await begun();
    mood.refuses = true;
    const refusedOnce = node.next("broker_messages_not_stored");
    const frames = drive(20);
    await sendFrames(mqtt, frames);
    await refusedOnce;
    expect([await mqtt.kept(clientId), await countFrames(database)]).toEqual([20, 0]);
    mood.refuses = false;
    await mqtt.drained(clientId);
    expect(await derivedTables(database)).toEqual(await expected(frames));
  });

  test("come again from the broker when the connection breaks before they are stored", async () => {
    const { database, mqtt, mood, node } = await begun();
    mood.refuses = true;
    const frames = drive(20);
    const refusedOnce = node.next("broker_messages_not_stored");
    await sendFrames(mqtt, frames);
    await refusedOnce;
    const again = node.next("broker_connected");
    mqtt.cut();
    mood.refuses = false;
    await again;
    await mqtt.drained(clientId);
    expect(node.seen.filter(({ kind }) => kind === "broker_lost")).toHaveLength(1);
    expect(await derivedTables(database)).toEqual(await expected(frames));
  });

  test("wait at the broker while nobody takes them, and nothing is lost when the broker restarts", async () => {
    const { database, mqtt, node: first } = await begun();
    const frames = drive(60);
    await sendFrames(mqtt, frames.slice(0, 20));
    await first.close();
    await sendFrames(mqtt, frames.slice(20, 40));
    const second = consume(database, mqtt);
    const lost = second.next("broker_lost");
    await mqtt.subscribed(clientId);
    await mqtt.stop();
    await lost;
    const back = second.next("broker_connected");
    await mqtt.start();
    await back;
    await sendFrames(mqtt, frames.slice(40, 60));
    await mqtt.drained(clientId);
    expect(await derivedTables(database)).toEqual(await expected(frames));
  });

  test("that arrived are stored and acknowledged before the node leaves", async () => {
    const { database, mqtt, node } = await begun();
    const frames = drive(50);
    await Promise.all(frames.map((frame) => mqtt.publish("odograph/gateway/frames", frameMessage(frame))));
    await mqtt.acknowledged(1);
    await node.close();
    // Those that came while others were being stored shared a transaction.
    expect(node.seen.filter(({ kind }) => kind === "frames_stored").length).toBeLessThan(frames.length / 2);
    // What is kept has not been taken: together they are all.
    expect((await countFrames(database)) + (await mqtt.kept(clientId))).toBe(frames.length);
  });

  test("are taken from the topics that the broker allows, and the others are reported", async () => {
    const { database, mqtt, seen } = await begun({
      authorizeSubscribe: (_, subscription, done) =>
        done(null, subscription.topic.startsWith("owntracks") ? null : subscription),
    });
    await sendFrames(mqtt, drive(3));
    await mqtt.acknowledged(3);
    expect(seen).toContainEqual(expect.objectContaining({ kind: "broker_topics_refused", topics: "owntracks/+/+" }));
    expect(await countFrames(database)).toBe(3);
  });

  if (engine.name === "postgres") {
    test("that two nodes take are stored once", async () => {
      const store = await freshFleet(engine);
      const mqtt = await brokerOfTest();
      const other = await store.open();
      consume(store.database, mqtt, "node-1");
      consume(other, mqtt, "node-2");
      await Promise.all([mqtt.subscribed("node-1"), mqtt.subscribed("node-2")]);
      const frames = drive(60);
      await sendFrames(mqtt, frames);
      await Promise.all([mqtt.drained("node-1"), mqtt.drained("node-2")]);
      expect(await derivedTables(store.database)).toEqual(await expected(frames));
    });
  }
});
