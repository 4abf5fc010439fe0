import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { effectiveSettings, readSettings } from "../../src/cli/settings/settings.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Database } from "../../src/store/database.ts";
import { complaint } from "../cli/outcome.ts";
import { brokersOfTests, frameMessage, sendFrames } from "../support/broker-tests.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { freshFleet, randomFleet } from "../support/ingest-fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";

const { atEnd, brokerOfTest } = brokersOfTests();
const serve = ["serve", "--port", "0", "--ingest-port", "0", "--mqtt-client-id", "node-1"];
async function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<RunningProgram> {
  const program = await startOdograph([...serve, ...args], { env });
  atEnd(() => program.kill());
  return program;
}

function facts(log: string): Record<string, unknown>[] {
  return log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Without what the clock tells and the frames do not: the drives are long past, so the server finds the devices silent. */
async function derived(database: Database) {
  const { alerts, ...tables } = await derivedTables(database);
  return { ...tables, alerts: alerts.filter(({ alert_type }) => alert_type !== "device_offline") };
}

/** What is derived when the same frames are handed over directly. */
async function expected(engine: EngineUnderTest, frames: readonly IncomingFrame[]) {
  const { database } = await freshFleet(engine);
  await new FrameQueue(database, () => {}).submit(await accountNumber(database), frames);
  await watchSilence(database, Date.now());
  return derived(database);
}

onEachEngine("odograph serve --mqtt", (engine) => {
  test("loses no frame and stores none twice when it is killed in the middle", async () => {
    const { database, env } = await freshFleet(engine);
    const mqtt = await brokerOfTest();
    const frames = randomFleet(3, 60);
    const fromBroker = ["--mqtt", mqtt.url.replace("://", "://fleet:hunter2@"), "--mqtt-topic", "fleet/#"];
    const killed = await start(fromBroker, env);
    await mqtt.subscribed("node-1");
    const published = Promise.all(frames.map((frame) => mqtt.publish("fleet/a", frameMessage(frame))));
    await mqtt.acknowledged(1);
    await killed.kill();
    await published;
    const again = await start(fromBroker, env);
    await mqtt.drained("node-1");
    const { code, stderr } = await again.stop();
    expect(stderr).not.toContain("hunter2");
    expect(facts(stderr)).toContainEqual(expect.objectContaining({ kind: "password_in_arguments", level: "warn" }));
    expect({ code, errors: facts(stderr).filter(({ level }) => level === "error") }).toEqual({ code: 0, errors: [] });
    // The server may have ended trips by the clock.
    await watchSilence(database, Date.now());
    expect(await derived(database)).toEqual(await expected(engine, frames));
  });

  test("serves while the broker is away, says so, and takes frames when it comes", async () => {
    const { database, env } = await freshFleet(engine);
    const mqtt = await brokerOfTest({
      authenticate: (_, username, password, done) =>
        done(null, username === "fleet" && String(password) === "hunter@2"),
    });
    await mqtt.stop();
    const address = mqtt.url.replace("mqtt://", "mqtt://fleet:hunter%402@");
    const program = await start([], { ...env, ODOGRAPH_MQTT: address });
    expect((await fetch(`${program.url}/v1/health`)).status).toBe(200);
    await program.logged("broker_lost");
    await mqtt.start();
    await mqtt.subscribed("node-1");
    const frames = randomFleet(4, 1);
    await sendFrames(mqtt, frames);
    await mqtt.acknowledged(frames.length);
    const { code, stderr } = await program.stop();
    expect(code).toBe(0);
    expect(stderr).not.toContain("hunter");
    const seen = facts(stderr);
    expect(seen).toContainEqual(expect.objectContaining({ kind: "broker_lost", level: "warn", broker: mqtt.url }));
    expect(seen.map(({ kind }) => kind)).not.toContain("password_in_arguments");
    expect(await derived(database)).toEqual(await expected(engine, frames));
  });
});

test("a wrong broker or topic is one line, exit code 2, and no password", async () => {
  const wrong: [Record<string, string>, Record<string, string>, string][] = [
    [{ mqtt: "broker:1883" }, {}, "--mqtt: expected mqtt://"],
    [{ mqtt: "mqtt://broker/topic" }, {}, "--mqtt: expected mqtt://"],
    [{}, { ODOGRAPH_MQTT: "http://fleet:hunter2@broker" }, "ODOGRAPH_MQTT: expected mqtt://"],
    [{ mqtt: "mqtt://broker", "mqtt-topic": "a/#/b" }, {}, "--mqtt-topic: expected topic filters"],
    [{ "mqtt-topic": "a,,b" }, {}, "--mqtt-topic: expected topic filters"],
    [{ mqtt: "mqtt://broker" }, { ODOGRAPH_MQTT_CLIENT_ID: "a b" }, "ODOGRAPH_MQTT_CLIENT_ID: expected 1 to 128"],
  ];
  for (const [flags, env, text] of wrong) {
    const read = () => readSettings(flags, env).mqtt;
    expect(read).toThrow(text);
    expect(read).not.toThrow("hunter2");
  }
  expect(await complaint(["serve", "--mqtt", "ws://fleet:hunter2@broker"], 2)).toBe(
    "--mqtt: expected mqtt://user:password@host:port or mqtts://…, without a path",
  );
});

test("a node without a broker has none, and one with a broker has a name that lasts", () => {
  expect(readSettings({}, {}).mqtt).toBeNull();
  const { mqtt } = readSettings({ mqtt: "mqtt://broker", "ingest-port": "9001" }, {});
  expect(mqtt).toMatchObject({
    topics: ["odograph/+/frames", "owntracks/+/+"],
    clientId: `odograph-${hostname()}-9001`,
  });
});

test("the password of a broker is not shown", () => {
  const settings = effectiveSettings({}, { ODOGRAPH_MQTT: "mqtt://fleet:hunter2@broker" });
  expect(settings.find(({ name }) => name === "mqtt")?.shown).toBe("mqtt://fleet:***@broker");
});
