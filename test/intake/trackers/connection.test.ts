import { expect, test } from "bun:test";
import type { FrameOutcome } from "../../../src/derive/plan.ts";
import type { IncomingFrame } from "../../../src/intake/incoming-frame.ts";
import { TrackerConnection } from "../../../src/intake/trackers/connection.ts";
import { noCounts, type RefusedReason } from "../../../src/intake/trackers/counts.ts";
import type { TrackerDevice } from "../../../src/intake/trackers/directory.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const imei = "356307042441013";
const device: TrackerDevice = { imei, accountId: 7, protocol: null };

interface Stored {
  readonly frames: readonly IncomingFrame[];
  readonly commit: (outcomes?: readonly FrameOutcome[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** A connection whose commits the test decides on. */
function connect({ find = () => device as TrackerDevice | RefusedReason, family = toyFamily } = {}) {
  const sent: string[] = [];
  const stores: Stored[] = [];
  const refused: (string | null)[][] = [];
  const logged: string[] = [];
  const state = { isClosed: false, failures: 0 };
  const counts = noCounts();
  const connection = new TrackerConnection({
    family,
    counts,
    now: () => 1_000,
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
    onLogin: () => {},
    onHeard: () => {},
    onRefused: (reason, identity) => refused.push([reason, identity]),
    onFailure: () => state.failures++,
    send: (bytes) => sent.push(textOf(bytes)),
    close: () => {
      state.isClosed = true;
    },
  });
  const receive = async (text: string) => {
    connection.receive(bytesOf(text));
    await someTurns();
  };
  return { connection, sent, stores, refused, logged, counts, state, receive };
}

/** Until all that can go on without the store has gone on. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
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
  expect(sent).toEqual([]);
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
  expect(counts.replies_withheld).toBe(2);
  expect(logged.at(-1)).toBe("at 100 52.5: not_stored");
  await receive("at 120 52.5\n");
  expect(stores.length).toBe(1);
});

test("a device that is gone meanwhile gets no reply", async () => {
  const { receive, sent, stores, state, refused } = connect();
  await receive(`login ${imei}\nat 100 52.5\n`);
  await stores[0]?.commit([{ refused: "unknown_device" }]);
  expect(sent).toEqual([]);
  expect(state.isClosed).toBe(true);
  expect(refused).toEqual([["unknown", imei]]);
});

test("an unknown tracker gets the refusal of its protocol, and the connection ends", async () => {
  const { receive, sent, state, refused, stores } = connect({ find: () => "unknown" });
  await receive(`login ${imei}\nat 100 52.5\n`);
  expect(sent).toEqual(["no\n"]);
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

test("whoever sends much without a login is sent away", async () => {
  const { receive, refused } = connect();
  const line = "at 100 52.5\n";
  await receive(line.repeat(Math.floor(limits.bytesBeforeLogin / line.length)));
  expect(refused).toEqual([]);
  await receive(line);
  expect(refused).toEqual([["no_login", null]]);
});

test("whoever sends only noise is sent away", async () => {
  const { receive, refused, counts } = connect();
  await receive(`login ${imei}\n`);
  await receive("x".repeat(limits.noiseBytes));
  expect(refused).toEqual([]);
  await receive("x");
  expect(refused).toEqual([["noise", imei]]);
  expect(counts.noise_bytes).toBe(limits.noiseBytes + 1);
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
