import { expect, test } from "bun:test";
import type { FrameOutcome } from "../../../src/derive/plan.ts";
import type { IncomingFrame } from "../../../src/intake/incoming-frame.ts";
import { TrackerConnection, type TrackerHouse } from "../../../src/intake/trackers/connection/connection.ts";
import { noCounts, type RefusedReason } from "../../../src/intake/trackers/counts.ts";
import type { TrackerOwner } from "../../../src/intake/trackers/gate/directory.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const imei = "356307042441013";
const device: TrackerOwner = { imei, accountId: 7, protocol: null, model: null };

type Found = Promise<TrackerOwner | RefusedReason> | TrackerOwner | RefusedReason;

interface Stored {
  readonly frames: readonly IncomingFrame[];
  readonly commit: (outcomes?: readonly FrameOutcome[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** A connection whose commits the test decides on. */
function connect({
  find = (): Found => device,
  family = toyFamily,
  clock = { now: 1_000 },
}: {
  readonly find?: () => Found;
  readonly family?: typeof toyFamily;
  readonly clock?: { readonly now: number };
} = {}) {
  const sent: string[] = [];
  const stores: Stored[] = [];
  const refused: (string | null)[][] = [];
  const logged: string[] = [];
  const state = { isClosed: false, failures: 0 };
  const counts = noCounts();
  const line = {
    send: (bytes: Uint8Array) => sent.push(textOf(bytes)),
    end: () => {
      state.isClosed = true;
    },
  };
  const house: TrackerHouse = {
    over: "tcp",
    family,
    counts,
    now: () => clock.now,
    find,
    store: (_, frames) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly FrameOutcome[]>();
      stores.push({
        frames,
        commit: (outcomes = frames.map(() => "accepted")) => {
          resolve(outcomes);
          return someTurns();
        },
        fail: () => {
          reject(new Error("disk full"));
          return someTurns();
        },
      });
      return promise;
    },
    log: (_, { bytes }, outcome) => logged.push(`${textOf(bytes).trim()}: ${outcome}`),
    ownerOf: () => ({ imei, accountId: 1, protocol: "other", model: null }),
    onLogin: () => {},
    onHeard: () => {},
    onRefused: (reason, identity) => refused.push([reason, identity]),
    onFailure: () => state.failures++,
  };
  const connection = new TrackerConnection(house, line, "192.0.2.7");
  const receive = async (text: string) => {
    connection.receive(bytesOf(text));
    await someTurns();
  };
  return { connection, sent, stores, refused, logged, counts, state, receive };
}

/** Until all that can go on without the store has gone on. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test("a message is answered when its frames are on disk, not before", async () => {
  const { receive, sent, stores, logged } = connect();
  await receive(`login ${imei}\n`);
  expect(sent).toEqual(["ok 1\n"]);
  await receive("at 100 52.5\n");
  expect(stores[0]?.frames).toMatchObject([{ imei, recordedAt: 100_000, receivedAt: 1_000, latitude: 52.5 }]);
  expect(sent).toEqual(["ok 1\n"]);
  await stores[0]?.commit();
  expect(sent).toEqual(["ok 1\n", "ok 2\n"]);
  expect(logged).toEqual([`login ${imei}: stored`, "at 100 52.5: stored"]);
});

test("what comes while another message is stored shares the next transaction, and is answered in its order", async () => {
  const { receive, sent, stores } = connect();
  await receive(`login ${imei}\nat 100 52.5\n`);
  expect(stores.length).toBe(1);
  expect(sent).toEqual(["ok 1\n"]);
  await receive("at 110 52.6\nat 120 52.7\n");
  expect(stores.length).toBe(1);
  await stores[0]?.commit();
  expect(sent).toEqual(["ok 1\n", "ok 2\n"]);
  expect(stores[1]?.frames.map(({ latitude }) => latitude)).toEqual([52.6, 52.7]);
  await stores[1]?.commit();
  expect(sent).toEqual(["ok 1\n", "ok 2\n", "ok 3\n", "ok 4\n"]);
});

test("a store that fails sends no reply and ends the connection, so that the tracker sends again", async () => {
  const { receive, sent, stores, state, counts, logged } = connect();
  await receive(`login ${imei}\n`);
  await receive("at 100 52.5\n");
  await receive("at 110 52.5\n");
  await stores[0]?.fail();
  expect(sent).toEqual(["ok 1\n"]);
  expect(state).toEqual({ isClosed: true, failures: 1 });
  expect(counts.replies_withheld).toBe(1);
  expect(logged.at(-1)).toBe("at 100 52.5: not_stored");
  await receive("at 120 52.5\n");
  expect(stores.length).toBe(1);
});

test("a device that is gone meanwhile gets no reply", async () => {
  const { receive, sent, stores, state, refused } = connect();
  await receive(`login ${imei}\nat 100 52.5\n`);
  await stores[0]?.commit([{ refused: "unknown_device" }]);
  expect(sent).toEqual(["ok 1\n"]);
  expect(state.isClosed).toBe(true);
  expect(refused).toEqual([["unknown", imei]]);
});

test("an unknown tracker gets no answer, and the connection ends", async () => {
  const { receive, sent, state, refused, stores } = connect({ find: () => "unknown" });
  await receive(`login ${imei}\nat 100 52.5\n`);
  expect(sent).toEqual([]);
  expect(state.isClosed).toBe(true);
  expect(refused).toEqual([["unknown", imei]]);
  expect(stores).toEqual([]);
});

test("what comes before the login is not stored and not answered", async () => {
  const { receive, sent, stores, counts } = connect();
  await receive("at 100 52.5\n");
  expect([sent, stores]).toEqual([[], []]);
  expect(counts.refused.not_logged_in).toBe(1);
  await receive(`login ${imei}\n`);
  expect(sent).toEqual(["ok 2\n"]);
});

test("a message that names another device is refused, with all that follows", async () => {
  const { receive, stores, state, refused, logged } = connect();
  await receive(`login ${imei}\n`);
  await receive("login 356307042441021\nat 100 52.5\n");
  expect(stores).toEqual([]);
  expect(state.isClosed).toBe(true);
  expect(refused).toEqual([["other_identity", "356307042441021"]]);
  expect(logged.at(-1)).toBe("login 356307042441021: other_identity");
});

test("one of another protocol is refused without an answer, and its owner sees that it called", async () => {
  const { receive, sent, stores, refused, logged } = connect({ find: () => "other_protocol" });
  await receive(`login ${imei}\n`);
  expect([sent, stores, refused]).toEqual([[], [], [["other_protocol", imei]]]);
  expect(logged).toEqual([`login ${imei}: other_protocol`]);
});

test("what came whole is stored also if the tracker hangs up at once", async () => {
  const { receive, connection, stores, state, sent } = connect();
  connection.receive(bytesOf(`login ${imei}\nat 100 52.5\nat 110 5`));
  connection.finish();
  await receive("");
  expect(stores.map(({ frames }) => frames.length)).toEqual([1]);
  await stores[0]?.commit();
  expect(sent).toEqual(["ok 1\n", "ok 2\n"]);
  // What is not whole is not guessed.
  expect([stores.length, state]).toEqual([1, { isClosed: true, failures: 0 }]);
});

test("messages are decoded a few at a time, and none before it is known who sends", async () => {
  const found = Promise.withResolvers<TrackerOwner>();
  const { receive, counts } = connect({ find: () => found.promise });
  await receive(`login ${imei}\n${"at 100 52.5\n".repeat(10_000)}`);
  expect(counts.messages).toBe(1);
  found.resolve(device);
  await receive("");
  expect(counts.messages).toBe(1 + limits.messagesAtOnce);
});

test("who may send is asked again after a while", async () => {
  const clock = { now: 1_000 };
  let found: TrackerOwner | RefusedReason = device;
  const { receive, sent, refused } = connect({ find: () => found, clock });
  await receive(`login ${imei}\nlogin ${imei}\n`);
  found = "other_protocol";
  clock.now += limits.judgeAgainMs;
  await receive(`login ${imei}\n`);
  expect(sent.length).toBe(3);
  clock.now++;
  await receive(`login ${imei}\n`);
  expect([sent.length, refused]).toEqual([3, [["other_protocol", imei]]]);
});

test.each([
  ["another device", { imei: "356307042441021" }],
  ["another account", { accountId: 8 }],
])("a tracker whose name %s has by now logs in again after a while, and is no stranger", async (_, other) => {
  const clock = { now: 1_000 };
  let found = device;
  const { receive, sent, refused, state, counts } = connect({ find: () => found, clock });
  await receive(`login ${imei}\n`);
  found = { ...device, ...other };
  clock.now += limits.judgeAgainMs + 1;
  await receive("at 100 52.5\n");
  expect([sent.length, counts.replies_withheld, state.isClosed, refused]).toEqual([1, 1, true, []]);
});

test("a peer that sends much without a login is sent away", async () => {
  const { receive, refused } = connect();
  const line = "at 100 52.5\n";
  await receive(line.repeat(Math.floor(limits.bytesBeforeLogin / line.length)));
  expect(refused).toEqual([]);
  await receive(line);
  expect(refused).toEqual([["no_login", null]]);
});

test("a peer that sends only noise is sent away", async () => {
  const { receive, refused, counts } = connect();
  await receive(`login ${imei}\n`);
  await receive("x".repeat(limits.noiseBytes - 1));
  expect(refused).toEqual([]);
  // A message that can be read shows that it is one of these trackers, with something between its messages.
  await receive(`\nlogin ${imei}\n`);
  await receive("x".repeat(limits.noiseBytes));
  expect(refused).toEqual([]);
  await receive("x");
  expect(refused).toEqual([["noise", imei]]);
  expect(counts.noise_bytes).toBe(2 * limits.noiseBytes + 1);
});

test("a decoder that throws ends its own connection, and nothing else", async () => {
  const broken = { ...toyFamily, decode: () => raise() };
  const { receive, state, sent } = connect({ family: broken });
  await receive(`login ${imei}\n`);
  expect([state, sent]).toEqual([{ isClosed: true, failures: 1 }, []]);
});

function raise(): never {
  throw new Error("a fault of ours");
}

test("noise ends a connection while it is skipped, whatever comes behind it", async () => {
  const { receive, refused, counts, stores } = connect();
  await receive(`login ${imei}\n${"x".repeat(3 * limits.noiseBytes)}\nat 100 52.5\n`);
  expect(refused).toEqual([["noise", imei]]);
  expect(stores).toEqual([]);
  // As much more as the framer looks at in one go.
  expect(counts.noise_bytes).toBeLessThan(limits.noiseBytes + 4 * toyFamily.maxMessageBytes);
});

test("a peer that sends much gives way every few KiB", async () => {
  const { connection, receive, counts } = connect();
  await receive(`login ${imei}\n`);
  const text = `${"x".repeat(50)}\nlogin ${imei}\n`.repeat(800);
  connection.receive(bytesOf(text));
  let turns = 0;
  for (; !connection.isIdle; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(counts.messages).toBe(801);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / limits.bytesAtOnce));
});

test("a tracker that sends little does not wait for those that send much", async () => {
  const busy = Array.from({ length: 5 }, () => connect());
  for (const { connection } of busy) connection.receive(bytesOf(`login ${imei}\n`.repeat(3_000)));
  const late = connect();
  await late.receive(`login ${imei}\n`);
  expect(late.sent).toEqual(["ok 1\n"]);
  expect(busy.map(({ connection }) => connection.isIdle)).toEqual(busy.map(() => false));
  for (const { connection } of busy) connection.end();
});

test("a tracker that is logged in does not wait for all that strangers send", async () => {
  const tracker = connect();
  await tracker.receive(`login ${imei}\n`);
  const strangers = Array.from({ length: 200 }, () => connect());
  const much = bytesOf("hello\n".repeat(600));
  for (const [index, { connection }] of strangers.entries()) {
    if (index % 2 === 0) connection.receiveDatagram(much);
    else connection.receive(much);
  }
  await tracker.receive("at 100 52.5\n");
  expect(tracker.stores.length).toBe(1);
  expect(strangers.filter(({ connection }) => !connection.isIdle).length).toBeGreaterThan(100);
  for (const { connection } of strangers) connection.end();
});

test("a datagram is cut once, and its last message needs no end mark", async () => {
  let cuts = 0;
  const cut = (bytes: Uint8Array) => {
    cuts++;
    return toyFamily.cut(bytes);
  };
  const family = { ...toyFamily, cut };
  const { connection, counts } = connect({ family });
  connection.receiveDatagram(bytesOf(`login ${imei}\n`.repeat(20).trimEnd()));
  await connection.idle;
  expect(counts.messages).toBe(20);
  // One for each message, and one that finds the last unfinished.
  expect(cuts).toBe(21);
});

test("a datagram that is larger than any tracker sends is not read", async () => {
  const { connection, counts, refused } = connect();
  const line = `login ${imei}\n`;
  connection.receiveDatagram(bytesOf(line.repeat(Math.ceil(limits.datagramBytes / line.length))));
  await connection.idle;
  expect([counts.messages, refused]).toEqual([0, [["too_large", null]]]);
});

test("what depends on the model is decoded by that of the device: from the login on, and anew when its owner changes it", async () => {
  const family: typeof toyFamily = {
    ...toyFamily,
    ofModel: (session, model) => ({ ...session, count: model === "R11" ? 10 : 100 }),
  };
  const clock = { now: 1_000 };
  let found: TrackerOwner = { ...device, model: "R11" };
  const { receive, sent, counts } = connect({ family, clock, find: () => found });
  await receive(`login ${imei}\n`);
  await receive(`login ${imei}\n`);
  expect([sent, counts.messages]).toEqual([["ok 11\n", "ok 12\n"], 2]);
  found = { ...device, model: "GT06N" };
  clock.now += limits.judgeAgainMs + 1;
  await receive(`login ${imei}\n`);
  await receive(`login ${imei}\n`);
  expect(sent.slice(2)).toEqual(["ok 13\n", "ok 101\n"]);
});
