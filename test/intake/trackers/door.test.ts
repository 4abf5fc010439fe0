import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { budgetOf } from "../../../src/intake/trackers/sockets/open-files.ts";
import { until } from "../../support/patience.ts";
import { toyImei as imei, toyListeners } from "../../support/trackers/toy-listener.ts";

// Sockets before a login have places of their own.

const { closing, listen } = toyListeners();

/** From any address of this machine. */
async function call(port: number, localAddress = "127.0.0.1", first = "") {
  const state = { text: "", isClosed: false };
  const socket: Socket = connect({ host: "127.0.0.1", port, localAddress });
  closing.push(() => socket.destroy());
  socket.on("data", (bytes) => {
    state.text += bytes.toString();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    state.isClosed = true;
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  if (first !== "") socket.write(first);
  return { state, socket, got: (text: string) => until(() => state.text === text) };
}

const times = (count: number) => Array.from({ length: count });

/** As many as are read from, one after the other. */
async function takeTurns(port: number, first = "") {
  const callers: Awaited<ReturnType<typeof call>>[] = [];
  for (const _ of times(limits.readOfAddress)) callers.push(await call(port, "127.0.0.1", first));
  return callers;
}

test("sockets that say nothing keep out no tracker, also not of their address", async () => {
  const { port, places, stored } = await listen({ openFiles: 4_096 });
  const silent = await takeTurns(port);
  const more = await takeTurns(port);
  await until(() => places().waiting === limits.readOfAddress);
  const tracker = await call(port, "127.0.0.1", `login ${imei}\nat 100 52.5\n`);
  await tracker.got("ok 1\nok 2\n");
  // By its login it has left its turn to one that waits.
  await until(() => places().waiting === limits.readOfAddress);
  expect([stored.length, places().before_login, places().logged_in]).toEqual([1, limits.readOfAddress, 1]);
  expect([...silent, ...more].every(({ state }) => !state.isClosed)).toBe(true);
});

test("one that waits is not closed, loses nothing that it sent, and has another turn", async () => {
  const { port, places, stored } = await listen({ openFiles: 4_096 });
  const [first, second] = await takeTurns(port);
  await until(() => places().before_login === limits.readOfAddress);
  const next = await call(port);
  await until(() => places().waiting === 1);
  first?.socket.write(`login ${imei}\nat 100 52.5\n`);
  // Another address has turns of its own.
  const other = await call(port, "127.0.0.2", `login ${imei}\nat 101 52.5\n`);
  await other.got("ok 1\nok 2\n");
  expect([first?.state, stored.length, places().waiting]).toEqual([{ text: "", isClosed: false }, 1, 1]);
  second?.socket.destroy();
  await first?.got("ok 1\nok 2\n");
  expect([stored.length, places().waiting, next.state.isClosed]).toEqual([2, 0, false]);
});

test("a login has a minute from the first turn, whether or not the socket waits by then", async () => {
  const { port, places, clock, counts } = await listen({ openFiles: 4_096 });
  const silent = await takeTurns(port);
  const next = await call(port);
  await until(() => places().waiting === 1);
  clock.now += limits.loginMs + 1_000;
  await until(() => [...silent, next].every(({ state }) => state.isClosed));
  expect(counts()?.refused.no_login).toBe(limits.readOfAddress + 1);
});

test("when all places are taken, the address that took most of them loses the oldest, and trackers stay", async () => {
  const { port, places, seen, listener, counts } = await listen({ openFiles: 64 });
  const { all, beforeLogin, readOfAddress } = budgetOf(64).places;
  expect([all, beforeLogin, readOfAddress]).toEqual([32, 16, 500]);
  expect(listener.places.limits).toEqual({ all: 32, before_login: 16 });
  const tracker = await call(port, "127.0.0.2", `login ${imei}\n`);
  await tracker.got("ok 1\n");
  const quiet = await call(port, "127.0.0.3");
  const flood: Awaited<ReturnType<typeof call>>[] = [];
  for (const _ of times(40)) flood.push(await call(port));
  await until(() => counts()?.refused.no_place === 40 - 15);
  await until(() => flood.filter(({ state }) => state.isClosed).length === 25);
  expect(flood.map(({ state }) => state.isClosed)).toEqual(times(40).map((_, index) => index < 25));
  expect([tracker.state.isClosed, quiet.state.isClosed]).toEqual([false, false]);
  expect(places()).toEqual({ waiting: 0, before_login: 16, ended: 0, logged_in: 1 });
  await listener.close();
  const advice = "docs/operations.md, Open files";
  expect(seen.filter(({ kind }) => kind !== "tracker_port_opened")).toEqual([
    { kind: "limits", openFiles: 64, trackers: 32, beforeLogin: 16, keptFree: 32 },
    { kind: "open_files_few", openFiles: 64, trackers: 32, advice },
    { kind: "tracker_places_taken", closed: 25, addresses: 1, address: "127.0.0.1", waiting: 0, advice },
  ]);
});

test("when trackers that are logged in have all places, the next one is refused", async () => {
  const { port, places, counts } = await listen({ openFiles: 8 });
  const { all } = budgetOf(8).places;
  for (const _ of times(all)) await (await call(port, "127.0.0.1", `login ${imei}\n`)).got("ok 1\n");
  const next = await call(port);
  await until(() => next.state.isClosed);
  expect([counts()?.refused.too_many_connections, places().logged_in]).toEqual([1, all]);
});

test("behind a balancer, the address that it names has the places", async () => {
  const { port, places } = await listen({ openFiles: 4_096, proxies: "127.0.0.1" });
  const from = (address: string) => `PROXY TCP4 ${address} 192.0.2.1 4000 5000\r\n`;
  await takeTurns(port, from("203.0.113.7"));
  await until(() => places().before_login === limits.readOfAddress);
  await call(port, "127.0.0.1", from("203.0.113.8"));
  await until(() => places().before_login === limits.readOfAddress + 1);
  expect(places().waiting).toBe(0);
  await call(port, "127.0.0.1", from("203.0.113.7"));
  await until(() => places().waiting === 1);
  const tracker = await call(port, "127.0.0.1", `${from("203.0.113.7")}login ${imei}\n`);
  await tracker.got("ok 1\n");
});

test("what a socket sent that resets the connection while it waits is stored", async () => {
  const { port, places, stored } = await listen({ openFiles: 4_096 });
  const [first] = await takeTurns(port);
  await until(() => places().before_login === limits.readOfAddress);
  await call(port);
  await until(() => places().waiting === 1);
  first?.socket.write(`login ${imei}\nat 100 52.5\n`, () => first.socket.resetAndDestroy());
  await until(() => places().waiting === 0);
  await until(() => stored.length === 1);
});

test("a server that stops keeps nobody waiting", async () => {
  const { port, places, listener } = await listen({ openFiles: 4_096 });
  const [first] = await takeTurns(port);
  await call(port);
  await until(() => places().waiting === 1);
  listener.drain();
  await until(() => first?.state.isClosed === true);
});
