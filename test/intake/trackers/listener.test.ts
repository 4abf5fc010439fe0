import { expect, test } from "bun:test";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { listenToTrackers } from "../../../src/intake/trackers/sockets/listener.ts";
import { until } from "../../support/patience.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";
import { boundImei, toyImei as imei, toyListeners } from "../../support/trackers/toy-listener.ts";

const { closing, listen, call } = toyListeners();

test("a tracker logs in, reports, and is answered after the commit", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, stored, listener, counts } = await listen({ commit });
  const tracker = await call(port);
  tracker.send(`login ${imei}\nat 100 5`);
  await until(() => counts()?.messages === 1);
  tracker.send("2.5\n");
  await until(() => counts()?.messages === 2);
  await tracker.got("ok 1\n");
  expect(stored).toEqual([]);
  resolve();
  await tracker.got("ok 1\nok 2\n");
  expect(stored).toMatchObject([{ imei, latitude: 52.5, recordedAt: 100_000 }]);
  expect(listener.messages.of(imei).map(({ bytes }) => textOf(bytes))).toEqual([`login ${imei}\n`, "at 100 52.5\n"]);
});

test("an unknown tracker is refused, noted and sent away", async () => {
  const { port, unknown, seen, counts } = await listen();
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
  await until(() => counts()?.connections === 0);
});

test("a device that is bound to another family is not taken", async () => {
  const { port, unknown, counts } = await listen();
  const tracker = await call(port);
  tracker.send(`login ${boundImei}\n`);
  await tracker.closed();
  expect(unknown).toEqual([]);
  expect(counts()?.refused.other_protocol).toBe(1);
});

test("of many strangers at once few are noted, and a device that never called before still comes in from there", async () => {
  const { port, listener, unknown, seen, counts } = await listen();
  const strangers = await Promise.all(Array.from({ length: 200 }, () => call(port)));
  for (const [number, stranger] of strangers.entries()) stranger.send(`login ${100_000_000_000_000 + number}\n`);
  for (const stranger of strangers) await stranger.closed();
  expect(strangers.map(({ state }) => state.text).join("")).toBe("");
  expect(unknown.length).toBe(limits.unknownPerSecond);
  expect(counts()?.refused).toMatchObject({ unknown: 20, too_many_unknown: 180 });
  const device = await call(port);
  device.send(`login ${imei}\n`);
  await device.got("ok 1\n");
  await listener.close();
  const summary = { over: "tcp", address: "127.0.0.1", refused: 200, noted: 20 };
  expect(seen.filter(({ kind }) => kind === "unknown_trackers_refused")).toMatchObject([summary]);
});

test("the replies to a datagram are no longer than it is, and what is not answered is stored all the same", async () => {
  const { port, stored, counts } = await listen();
  const [replies, messages] = [[] as string[], 200];
  const socket = await Bun.udpSocket({ socket: { data: (_, bytes) => void replies.push(textOf(bytes)) } });
  closing.push(() => socket.close());
  // Each is shorter than its reply.
  const datagram = `login ${imei}\n${"at 1\n".repeat(messages)}`;
  let times = 0;
  await until(() => {
    if (stored.length === 0) times += socket.send(datagram, port, "127.0.0.1") ? 1 : 0;
    return stored.length >= messages && (counts()?.replies_withheld ?? 0) > 0 && replies.length > 1;
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

test("a sender of a datagram that is gone does not end the server, and strangers are not answered", async () => {
  const { port, stored, counts } = await listen();
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
  await until(() => (counts()?.refused.unknown ?? 0) > 0);
});

test("a datagram ends a message, also without its mark", async () => {
  const { port, stored, counts } = await listen();
  const socket = await Bun.udpSocket({});
  closing.push(() => socket.close());
  await until(() => {
    socket.send(`login ${imei}\nat 100 52.5`, port, "127.0.0.1");
    return stored.length > 0;
  });
  expect(stored[0]).toMatchObject({ imei, latitude: 52.5 });
  expect(counts()?.noise_bytes).toBe(0);
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
  const { port, counts } = await listen({ networks: "10.0.0.0/8" });
  const tracker = await call(port);
  await tracker.closed();
  expect(counts()?.refused.network).toBe(1);
  const { port: open } = await listen({ networks: "10.0.0.0/8,127.0.0.0/8" });
  const allowed = await call(open);
  allowed.send(`login ${imei}\n`);
  await allowed.got("ok 1\n");
});

test("a peer that does not log in, and one that falls silent, is sent away", async () => {
  const { port, clock, counts } = await listen();
  const mute = await call(port);
  const tracker = await call(port);
  tracker.send(`login ${imei}\n`);
  await tracker.got("ok 1\n");
  clock.now += limits.loginMs + 1;
  await mute.closed();
  expect(tracker.state.isClosed).toBe(false);
  clock.now += limits.idleMs;
  await tracker.closed();
  expect(counts()?.refused).toMatchObject({ no_login: 1, idle: 1 });
});

const version2 = (source: readonly number[]) =>
  Buffer.concat([
    Buffer.from("\r\n\r\n\0\r\nQUIT\n"),
    Uint8Array.of(0x21, 0x11, 0, 12, ...source, 127, 0, 0, 1, 1, 2, 19, 159),
  ]);

test("a balancer says where a tracker is, and that is what counts", async () => {
  const given = { proxies: "127.0.0.1", networks: "192.0.2.0/24" };
  const { port, counts } = await listen(given);
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
  expect(counts()?.refused).toMatchObject({ network: 1, no_proxy_header: 0 });
  const without = await call(port);
  without.send(`login ${imei}\n`);
  await without.closed();
  expect(counts()?.refused.no_proxy_header).toBe(1);
});

test("nobody but a named balancer is believed", async () => {
  const { port, counts } = await listen({ proxies: "10.0.0.1" });
  const tracker = await call(port);
  tracker.send(`PROXY TCP4 192.0.2.7 127.0.0.1 5612 5999\r\nlogin ${imei}\n`);
  // To the family it is noise.
  await tracker.got("ok 1\n");
  expect(counts()?.noise_bytes).toBe("PROXY TCP4 192.0.2.7 127.0.0.1 5612 5999\r\n".length);
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
  const { port, seen, clock, listener, counts } = await listen();
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
  expect(counts()?.refused.same_device).toBe(2);
  expect(seen.at(-1)).toEqual({ kind: "tracker_refused", family: "toy", reason: "same_device", identity: imei });
  // The one that spoke is there.
  first?.send("at 110 52.5\n");
  await first?.got("ok 1\nok 2\nok 3\n");
});

test("a tracker that hangs up at once is heard, and answered if it still listens", async () => {
  const { port, stored, counts } = await listen();
  const hurried = await call(port);
  hurried.send(`login ${imei}\nat 100 52.5\n`);
  hurried.socket.end();
  await until(() => stored.length === 1);
  const polite = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  polite.end(`login ${imei}\nat 110 52.5\n`);
  expect(await text(polite)).toBe("ok 1\nok 2\n");
  expect(stored.length).toBe(2);
  await until(() => counts()?.connections === 0);
});

test("a server that stops answers what has come, then ends the connections", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, listener, counts } = await listen({ commit });
  const busy = await call(port);
  const idle = await call(port);
  idle.send(`login ${imei}\n`);
  await idle.got("ok 1\n");
  busy.send(`login ${imei}\nat 100 52.5\n`);
  await until(() => counts()?.messages === 3);
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
    readNames: async () => ({ keys: [], place: { key: null, change: 0 }, isLast: true }),
    writer: { submit: async () => [] },
    unknownDevices: { noteTracker: () => {} },
    now: () => 0,
    observe: () => {},
  };
  await expect(listenToTrackers({ ...options, ports: [{ family: toyFamily, port }] })).rejects.toThrow(
    `127.0.0.1:${port} cannot be opened for toy trackers`,
  );
});
