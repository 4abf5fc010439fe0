import { expect, test } from "bun:test";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { until } from "../../support/patience.ts";
import { toyImei as imei, toyListeners } from "../../support/trackers/toy-listener.ts";

// What is owed to a tracker that has sent something: to be heard, to be waited for, to be answered.

const { closing, listen, call } = toyListeners();

test("a tracker that waits for a slow store to find it is not sent away for having no login", async () => {
  const { promise: reading, resolve } = Promise.withResolvers<void>();
  const { port, clock, stored, counts } = await listen({ reading });
  const mute = await call(port);
  const tracker = await call(port);
  tracker.send(`login ${imei}\nat 100 52.5\n`);
  await until(() => counts()?.messages === 1);
  clock.now += limits.loginMs + 1;
  // The same sweep looks at both.
  await mute.closed();
  expect(tracker.state).toEqual({ text: "", isClosed: false });
  resolve();
  await tracker.got("ok 1\nok 2\n");
  expect([stored.length, counts()?.refused.no_login, counts()?.replies_withheld]).toEqual([1, 1, 0]);
});

test("what was sent while the server stood still is read before anybody is sent away for having no login", async () => {
  const { port, clock, counts } = await listen({ sweepMs: 2_000 });
  const tracker = await call(port);
  const mute = await call(port);
  await until(() => counts()?.connections === 2);
  clock.now += limits.loginMs + 1;
  // Only the next sweep asks for it: nothing has come.
  const { asked } = clock;
  await until(() => clock.asked > asked);
  tracker.send(`login ${imei}\n`);
  await tracker.got("ok 1\n");
  await mute.closed();
  expect([tracker.state.isClosed, counts()?.refused.no_login]).toEqual([false, 1]);
});

test("who waits for its turn to be looked at is not sent away for having no login", async () => {
  const { port, clock, counts } = await listen();
  const trackers = await Promise.all(Array.from({ length: 150 }, () => call(port)));
  await until(() => counts()?.connections === trackers.length);
  for (const tracker of trackers) tracker.send(`login ${imei}\n`);
  // Nothing is read meanwhile, and the next sweep is due.
  Bun.sleepSync(50);
  clock.now += limits.loginMs + 1;
  await until(() => trackers.every(({ state }) => state.text !== "" || state.isClosed));
  expect(counts()?.refused.no_login).toBe(0);
});

test("a server that stops answers the datagrams that have come, and reports no failure", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, listener, seen, stored, counts } = await listen({ commit });
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
    socket.send(`login ${imei}\nat 100 52.500000`, port, "127.0.0.1");
    return (counts()?.messages ?? 0) >= 2;
  });
  listener.drain();
  const closed = listener.close();
  resolve();
  await closed;
  await until(() => answered.includes("ok 1\nok 2\n"));
  expect(stored.length).toBeGreaterThan(0);
  expect(seen.filter(({ kind }) => kind === "tracker_messages_not_stored")).toEqual([]);
});

test("a tracker has its answer, and no failure is reported, though others have closed their ports meanwhile", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, seen, stored, counts } = await listen({ commit });
  const gone = await Bun.udpSocket({});
  const answers: string[] = [];
  const tracker = await Bun.udpSocket({ socket: { data: (_, bytes) => void answers.push(textOf(bytes)) } });
  closing.push(() => tracker.close());
  const messages = () => counts()?.messages ?? 0;
  let each = 0;
  // The system fails the next send after a datagram met a closed port: in this order, each answer to one comes behind one to another.
  for (const socket of [gone, tracker, gone, tracker]) {
    const before = messages();
    socket.send(`login ${imei}\nat 10${++each} 52.500000`, port, "127.0.0.1");
    await until(() => messages() >= before + 2);
  }
  gone.close();
  resolve();
  await until(() => answers.length === 4);
  expect(answers).toEqual(["ok 1\n", "ok 1\n", "ok 2\n", "ok 2\n"]);
  expect(stored.length).toBe(4);
  expect(seen.filter(({ kind }) => kind === "tracker_messages_not_stored")).toEqual([]);
});

test("no more datagrams are kept than there is room for, however slow the store is", async () => {
  const { promise: commit, resolve } = Promise.withResolvers<void>();
  const { port, stored, counts } = await listen({ commit, sweepMs: 60_000 });
  const tracker = await Bun.udpSocket({});
  closing.push(() => tracker.close());
  const overload = () => counts()?.refused.overload ?? 0;
  await until(() => {
    for (let sent = 0; sent < 100; sent++) tracker.send(`login ${imei}\nat 100 52.5`, port, "127.0.0.1");
    return overload() > 0;
  });
  const messages = () => counts()?.messages ?? 0;
  expect(messages()).toBeLessThanOrEqual(2 * limits.datagrams);
  resolve();
  await until(() => stored.length === messages() / 2);
  // There is room again.
  const before = stored.length;
  await until(() => {
    tracker.send(`login ${imei}\nat 200 52.5`, port, "127.0.0.1");
    return stored.length > before;
  });
});

test("what a tracker sent before it reset the connection is stored, also if it was gone before it was accepted", async () => {
  const { port, stored, counts } = await listen();
  const { port: fenced, counts: strict } = await listen({ networks: "127.0.0.0/8" });
  const script = `
    const [port, text] = process.argv.slice(1);
    const socket = require("node:net").connect(Number(port), "127.0.0.1", () =>
      socket.write(text, () => socket.resetAndDestroy()));
    socket.on("close", () => process.exit());`;
  const reset = (to: number, text: string) => Bun.spawnSync([process.execPath, "-e", script, String(to), text]);
  const messages = Array.from({ length: 20 }, (_, index) => `at ${index} 52.5\n`).join("");
  // Nothing is accepted meanwhile: this thread stands still.
  reset(port, `login ${imei}\n${messages}`);
  await until(() => stored.length === 20);
  await until(() => counts()?.connections === 0);
  // Where it was is not known any more, so it cannot be in a network that may connect.
  reset(fenced, `login ${imei}\n${messages}`);
  await until(() => strict()?.refused.network === 1);
});
