import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { IncomingFrame } from "../../../src/intake/incoming-frame.ts";
import type { TrackerDevice } from "../../../src/intake/trackers/gate/directory.ts";
import { readNetworks } from "../../../src/intake/trackers/gate/networks.ts";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { listenToTrackers, type TrackerListener } from "../../../src/intake/trackers/sockets/listener.ts";
import type { Observation } from "../../../src/observe/observation.ts";
import { until } from "../../support/patience.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const imei = "356307042441013";
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Given {
  readonly networks?: string;
  readonly proxies?: string;
  /** Holds back every commit. */
  readonly commit?: Promise<void>;
}

async function listen({ networks, proxies, commit }: Given = {}) {
  const stored: IncomingFrame[] = [];
  const unknown: string[] = [];
  const seen: Observation[] = [];
  const clock = { now: Date.UTC(2026, 10, 17) };
  const listener = await listenToTrackers({
    ports: [{ family: toyFamily, port: 0 }],
    hostname: "127.0.0.1",
    networks: networks === undefined ? null : readNetworks(networks),
    proxies: proxies === undefined ? null : readNetworks(proxies),
    readNames: async () => onePage([imei, "356307042441021"]),
    lookUp: async (identities) => {
      const device: TrackerDevice = { imei, accountId: 1, protocol: null };
      const other: TrackerDevice = { imei: "356307042441021", accountId: 1, protocol: "teltonika" };
      return new Map([device, other].filter((one) => identities.has(one.imei)).map((one) => [one.imei, one]));
    },
    writer: {
      submit: async (_, frames) => {
        await commit;
        stored.push(...frames);
        return frames.map(() => "accepted" as const);
      },
    },
    unknownDevices: { noteTracker: (identity) => unknown.push(identity) },
    now: () => clock.now,
    observe: (observation) => seen.push(observation),
    sweepMs: 5,
  });
  closing.push(() => listener.close());
  return { listener, stored, unknown, seen, clock, port: listener.ports.toy ?? 0 };
}

async function call(port: number) {
  const state = { text: "", isClosed: false };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => {
        state.text += textOf(bytes);
      },
      close: () => {
        state.isClosed = true;
      },
    },
  });
  closing.push(() => socket.terminate());
  return {
    state,
    socket,
    send: (text: string | Uint8Array) => socket.write(text),
    got: (text: string) => until(() => state.text === text),
    closed: () => until(() => state.isClosed),
  };
}

const onePage = (keys: readonly string[]) => ({ keys, place: { key: null, change: 0 }, isLast: true });

const counts = (listener: TrackerListener) => listener.counts.toy;

test("a tracker logs in, reports, and is answered after the commit", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, stored, listener } = await listen({ commit });
  const tracker = await call(port);
  tracker.send(`login ${imei}\nat 100 5`);
  await until(() => counts(listener)?.messages === 1);
  tracker.send("2.5\n");
  await until(() => counts(listener)?.messages === 2);
  await tracker.got("ok 1\n");
  expect(stored).toEqual([]);
  resolve();
  await tracker.got("ok 1\nok 2\n");
  expect(stored).toMatchObject([{ imei, latitude: 52.5, recordedAt: 100_000 }]);
  expect(listener.messages.of(imei).map(({ bytes }) => textOf(bytes))).toEqual([`login ${imei}\n`, "at 100 52.5\n"]);
});

test("an unknown tracker is refused, noted and sent away", async () => {
  const { port, unknown, seen, listener } = await listen();
  const tracker = await call(port);
  tracker.send("login 111111111111111\n");
  await tracker.closed();
  expect(tracker.state.text).toBe("");
  expect(unknown).toEqual(["111111111111111"]);
  expect(seen.at(-1)).toEqual({
    kind: "tracker_refused",
    family: "toy",
    reason: "unknown",
    identity: "111111111111111",
  });
  await until(() => counts(listener)?.connections === 0);
});

test("a device that is bound to another family is not taken", async () => {
  const { port, unknown, listener } = await listen();
  const tracker = await call(port);
  tracker.send("login 356307042441021\n");
  await tracker.closed();
  expect(unknown).toEqual([]);
  expect(counts(listener)?.refused.other_protocol).toBe(1);
});

test("of many strangers at once few are noted, and a device that never called before still comes in from there", async () => {
  const { port, listener, unknown, seen } = await listen();
  const strangers = await Promise.all(Array.from({ length: 200 }, () => call(port)));
  for (const [number, stranger] of strangers.entries()) stranger.send(`login ${100_000_000_000_000 + number}\n`);
  for (const stranger of strangers) await stranger.closed();
  expect(strangers.map(({ state }) => state.text).join("")).toBe("");
  expect(unknown.length).toBe(limits.unknownPerSecond);
  expect(counts(listener)?.refused).toMatchObject({ unknown: 20, too_many_unknown: 180 });
  const device = await call(port);
  device.send(`login ${imei}\n`);
  await device.got("ok 1\n");
  await listener.close();
  const summary = { over: "tcp", address: "127.0.0.1", refused: 200, noted: 20 };
  expect(seen.filter(({ kind }) => kind === "unknown_trackers_refused")).toMatchObject([summary]);
});

test("the replies to a datagram are no longer than it is, and what is not answered is stored all the same", async () => {
  const { port, stored, listener } = await listen();
  const [replies, messages] = [[] as string[], 200];
  const socket = await Bun.udpSocket({ socket: { data: (_, bytes) => void replies.push(textOf(bytes)) } });
  closing.push(() => socket.close());
  // Each is shorter than its reply.
  const datagram = `login ${imei}\n${"at 1\n".repeat(messages)}`;
  let times = 0;
  await until(() => {
    if (stored.length === 0) times += socket.send(datagram, port, "127.0.0.1") ? 1 : 0;
    return stored.length >= messages && (counts(listener)?.replies_withheld ?? 0) > 0 && replies.length > 1;
  });
  expect(replies[0]).toBe("ok 1\n");
  const headerBytes = 28;
  const sentBytes = replies.join("").length + headerBytes * replies.length;
  expect(sentBytes).toBeLessThanOrEqual(times * (datagram.length + headerBytes));
});

test("datagrams are answered, each by itself", async () => {
  const { port, stored } = await listen();
  let answered = "";
  const socket = await Bun.udpSocket({
    socket: {
      data: (_, bytes) => {
        answered += textOf(bytes);
      },
    },
  });
  closing.push(() => socket.close());
  await until(() => {
    // The end of the datagram ends the message.
    socket.send(`login ${imei}\nat 100 52.500000`, port, "127.0.0.1");
    return answered.includes("ok 1\nok 2\n");
  });
  expect(stored[0]).toMatchObject({ imei, latitude: 52.5 });
});

test("whoever sends a datagram and is gone does not end the server, and strangers are not answered", async () => {
  const { port, stored, listener } = await listen();
  for (let number = 0; number < 20; number++) {
    const socket = await Bun.udpSocket({});
    socket.send(`login ${imei}\nat ${number} 52.5\n`, port, "127.0.0.1");
    socket.send("login 111111111111111\n", port, "127.0.0.1");
    socket.close();
  }
  // The answers met closed ports; the server goes on.
  const tracker = await call(port);
  tracker.send(`login ${imei}\nat 100 52.5\n`);
  await tracker.got("ok 1\nok 2\n");
  expect(stored.length).toBeGreaterThan(0);
  await until(() => (counts(listener)?.refused.unknown ?? 0) > 0);
});

test("a datagram ends a message, also without its mark", async () => {
  const { port, stored, listener } = await listen();
  const socket = await Bun.udpSocket({});
  closing.push(() => socket.close());
  await until(() => {
    socket.send(`login ${imei}\nat 100 52.5`, port, "127.0.0.1");
    return stored.length > 0;
  });
  expect(stored[0]).toMatchObject({ imei, latitude: 52.5 });
  expect(counts(listener)?.noise_bytes).toBe(0);
});

test("where any port will do, one that is taken for the other transport is passed over", async () => {
  // With a thousand ports taken for UDP, some of 200 that TCP finds free are among them.
  const takenPorts = await Promise.all(Array.from({ length: 1000 }, () => Bun.udpSocket({ hostname: "127.0.0.1" })));
  closing.push(() => {
    for (const taken of takenPorts) taken.close();
  });
  for (let opened = 0; opened < 200; opened++) {
    const { listener, port } = await listen();
    expect(port).toBeGreaterThan(0);
    await listener.close();
  }
});

test("only the networks of the setting may connect", async () => {
  const { port, listener } = await listen({ networks: "10.0.0.0/8" });
  const tracker = await call(port);
  await tracker.closed();
  expect(counts(listener)?.refused.network).toBe(1);
  const { port: open } = await listen({ networks: "10.0.0.0/8,127.0.0.0/8" });
  const allowed = await call(open);
  allowed.send(`login ${imei}\n`);
  await allowed.got("ok 1\n");
});

test("whoever does not log in, and whoever falls silent, is sent away", async () => {
  const { port, listener, clock } = await listen();
  const mute = await call(port);
  const tracker = await call(port);
  tracker.send(`login ${imei}\n`);
  await tracker.got("ok 1\n");
  clock.now += limits.loginMs + 1;
  await mute.closed();
  expect(tracker.state.isClosed).toBe(false);
  clock.now += limits.idleMs;
  await tracker.closed();
  expect(counts(listener)?.refused).toMatchObject({ no_login: 1, idle: 1 });
});

const version2 = (source: readonly number[]) =>
  Uint8Array.of(
    13,
    10,
    13,
    10,
    0,
    13,
    10,
    81,
    85,
    73,
    84,
    10,
    0x21,
    0x11,
    0,
    12,
    ...source,
    127,
    0,
    0,
    1,
    1,
    2,
    19,
    159,
  );

test("a balancer says where a tracker is, and that is what counts", async () => {
  const given = { proxies: "127.0.0.1", networks: "192.0.2.0/24" };
  const { port, listener } = await listen(given);
  const first = await call(port);
  first.send("PROXY TCP4 192.0.2.7 127.0.0.1 5");
  first.send(`612 5999\r\nlogin ${imei}\n`);
  await first.got("ok 1\n");
  const second = await call(port);
  second.send(Buffer.concat([version2([192, 0, 2, 8]), Buffer.from(`login ${imei}\n`)]));
  await second.got("ok 1\n");
  const elsewhere = await call(port);
  elsewhere.send(version2([198, 51, 100, 1]));
  await elsewhere.closed();
  expect(counts(listener)?.refused).toMatchObject({ network: 1, no_proxy_header: 0 });
  const without = await call(port);
  without.send(`login ${imei}\n`);
  await without.closed();
  expect(counts(listener)?.refused.no_proxy_header).toBe(1);
});

test("nobody but a named balancer is believed", async () => {
  const { port, listener } = await listen({ proxies: "10.0.0.1" });
  const tracker = await call(port);
  tracker.send(`PROXY TCP4 192.0.2.7 127.0.0.1 5612 5999\r\nlogin ${imei}\n`);
  // To the family it is noise.
  await tracker.got("ok 1\n");
  expect(counts(listener)?.noise_bytes).toBe("PROXY TCP4 192.0.2.7 127.0.0.1 5612 5999\r\n".length);
});

test("two trackers with one IMEI are noticed when the first speaks again", async () => {
  const { port, seen } = await listen();
  const first = await call(port);
  first.send(`login ${imei}\n`);
  await first.got("ok 1\n");
  const second = await call(port);
  second.send(`login ${imei}\nat 100 52.5\n`);
  await second.got("ok 1\nok 2\n");
  expect(seen.filter(({ kind }) => kind === "tracker_connected_twice")).toEqual([]);
  first.send("at 110 52.5\n");
  await first.got("ok 1\nok 2\n");
  expect(seen.at(-1)).toEqual({ kind: "tracker_connected_twice", imei, family: "toy" });
});

test("a device has few connections: the one that has been silent for longest ends for the next", async () => {
  const { port, seen, clock, listener } = await listen();
  const login = async () => {
    clock.now += 1_000;
    const caller = await call(port);
    caller.send(`login ${imei}\n`);
    await caller.got("ok 1\n");
    return caller;
  };
  const { connectionsOfDevice } = limits;
  const callers = [];
  for (let number = 0; number < connectionsOfDevice; number++) callers.push(await login());
  const [first, second, third] = callers;
  clock.now += 1_000;
  first?.send("at 100 52.5\n");
  await first?.got("ok 1\nok 2\n");
  await login();
  await second?.closed();
  await login();
  await third?.closed();
  await until(() => listener.places.counts.logged_in === connectionsOfDevice);
  expect(callers.map(({ state }) => state.isClosed)).toEqual(callers.map((each) => each === second || each === third));
  expect(counts(listener)?.refused.same_device).toBe(2);
  expect(seen.at(-1)).toEqual({ kind: "tracker_refused", family: "toy", reason: "same_device", identity: imei });
  // The one that spoke is there.
  first?.send("at 110 52.5\n");
  await first?.got("ok 1\nok 2\nok 3\n");
});

test("a tracker that hangs up at once is heard, and answered if it still listens", async () => {
  const { port, stored, listener } = await listen();
  const hurried = await call(port);
  hurried.send(`login ${imei}\nat 100 52.5\n`);
  hurried.socket.end();
  await until(() => stored.length === 1);
  const polite = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  polite.end(`login ${imei}\nat 110 52.5\n`);
  expect(await text(polite)).toBe("ok 1\nok 2\n");
  expect(stored.length).toBe(2);
  await until(() => counts(listener)?.connections === 0);
});

test("a server that stops answers what has come, then ends the connections", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, listener } = await listen({ commit });
  const busy = await call(port);
  const idle = await call(port);
  idle.send(`login ${imei}\n`);
  await idle.got("ok 1\n");
  busy.send(`login ${imei}\nat 100 52.5\n`);
  await until(() => counts(listener)?.messages === 3);
  const closed = listener.close();
  await idle.closed();
  expect(busy.state).toEqual({ text: "ok 1\n", isClosed: false });
  resolve();
  await closed;
  await busy.got("ok 1\nok 2\n");
  await busy.closed();
});

test("a port that is taken is named, and none stays open", async () => {
  const { port } = await listen();
  const options = {
    hostname: "127.0.0.1",
    networks: null,
    proxies: null,
    lookUp: async () => new Map(),
    readNames: async () => onePage([]),
    writer: { submit: async () => [] },
    unknownDevices: { noteTracker: () => {} },
    now: () => 0,
    observe: () => {},
  };
  await expect(listenToTrackers({ ...options, ports: [{ family: toyFamily, port }] })).rejects.toThrow(
    `127.0.0.1:${port} cannot be opened for toy trackers`,
  );
});
