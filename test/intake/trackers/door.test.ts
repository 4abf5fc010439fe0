import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { limits } from "../../../src/intake/trackers/limits.ts";
import { listenToTrackers } from "../../../src/intake/trackers/listener.ts";
import { readNetworks } from "../../../src/intake/trackers/networks.ts";
import { budgetOf } from "../../../src/intake/trackers/open-files.ts";
import type { Observation } from "../../../src/observe/observation.ts";
import { until } from "../../support/patience.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

// Sockets before a login have places of their own.

const imei = "356307042441013";
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(openFiles: number, proxies: string | null = null) {
  const stored: string[] = [];
  const seen: Observation[] = [];
  const clock = { now: Date.UTC(2026, 10, 18) };
  const listener = await listenToTrackers({
    ports: [{ family: toyFamily, port: 0 }],
    hostname: "127.0.0.1",
    networks: null,
    proxies: proxies === null ? null : readNetworks(proxies),
    readNames: async () => ({ keys: [imei], place: { key: null, change: 0 }, isLast: true }),
    lookUp: async (identities) =>
      new Map(Array.from(identities, (identity) => [identity, { imei, accountId: 1, protocol: null }])),
    writer: {
      submit: async (_, frames) => {
        stored.push(...frames.map((frame) => frame.imei));
        return frames.map(() => "accepted" as const);
      },
    },
    unknownDevices: { noteTracker: () => {} },
    now: () => clock.now,
    observe: (observation) => seen.push(observation),
    sweepMs: 5,
    openFiles,
  });
  closing.push(() => listener.close());
  const port = listener.ports.toy ?? 0;
  const places = () => listener.places.counts;
  return { listener, places, stored, seen, clock, port, refused: () => listener.counts.toy?.refused };
}

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

test("the next one of an address waits for a place, is not closed, and loses nothing that it sent", async () => {
  const { port, places, stored, clock } = await listen(4_096);
  const silent = await Promise.all(times(limits.readOfAddress).map(() => call(port)));
  await until(() => places().before_login === limits.readOfAddress);
  const waits = await call(port, "127.0.0.1", `login ${imei}\nat 100 52.5\n`);
  const second = await call(port, "127.0.0.1");
  await until(() => places().waiting === 2);
  // Another address has places of its own.
  const other = await call(port, "127.0.0.2", `login ${imei}\nat 101 52.5\n`);
  await other.got("ok 1\nok 2\n");
  expect([waits.state, second.state, stored.length]).toEqual([
    { text: "", isClosed: false },
    { text: "", isClosed: false },
    1,
  ]);
  silent[7]?.socket.destroy();
  await waits.got("ok 1\nok 2\n");
  // By its login it has left its place to the one behind it.
  await until(() => places().waiting === 0);
  expect([stored.length, places().logged_in]).toEqual([2, 2]);
  // Whoever has a place has a minute to log in, and no longer.
  clock.now += limits.loginMs + 1_000;
  await until(() => silent.every(({ state }) => state.isClosed));
  expect(waits.state.isClosed).toBe(false);
});

test("while it waits, a socket is not late with its login", async () => {
  const { port, places, clock, refused } = await listen(4_096);
  await Promise.all(times(limits.readOfAddress).map(() => call(port)));
  await until(() => places().before_login === limits.readOfAddress);
  const waits = await call(port);
  await until(() => places().waiting === 1);
  clock.now += limits.loginMs + 1_000;
  await until(() => places().waiting === 0 && places().ended === 0);
  expect([refused()?.no_login, waits.state.isClosed]).toEqual([limits.readOfAddress, false]);
  clock.now += limits.loginMs + 1_000;
  await until(() => waits.state.isClosed);
});

test("when all places are taken, the address that took most of them loses the oldest, and trackers stay", async () => {
  const { port, places, seen, listener, refused } = await listen(64);
  const { all, beforeLogin, readOfAddress } = budgetOf(64).places;
  expect([all, beforeLogin, readOfAddress]).toEqual([32, 16, 500]);
  expect(listener.places.limits).toEqual({ all: 32, before_login: 16 });
  const tracker = await call(port, "127.0.0.2", `login ${imei}\n`);
  await tracker.got("ok 1\n");
  const quiet = await call(port, "127.0.0.3");
  const flood: Awaited<ReturnType<typeof call>>[] = [];
  for (const _ of times(40)) flood.push(await call(port));
  await until(() => refused()?.no_place === 40 - 15);
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
  const { port, places, refused } = await listen(8);
  const { all } = budgetOf(8).places;
  for (const _ of times(all)) await (await call(port, "127.0.0.1", `login ${imei}\n`)).got("ok 1\n");
  const next = await call(port);
  await until(() => next.state.isClosed);
  expect([refused()?.too_many_connections, places().logged_in]).toEqual([1, all]);
});

test("behind a balancer, the address that it names has the places", async () => {
  const { port, places } = await listen(4_096, "127.0.0.1");
  const from = (address: string) => `PROXY TCP4 ${address} 192.0.2.1 4000 5000\r\n`;
  await Promise.all(times(limits.readOfAddress).map(() => call(port, "127.0.0.1", from("203.0.113.7"))));
  await until(() => places().before_login === limits.readOfAddress);
  const waits = await call(port, "127.0.0.1", `${from("203.0.113.7")}login ${imei}\n`);
  await until(() => places().waiting === 1);
  const other = await call(port, "127.0.0.1", `${from("203.0.113.8")}login ${imei}\n`);
  await other.got("ok 1\n");
  expect(waits.state).toEqual({ text: "", isClosed: false });
  closing[5]?.();
  await waits.got("ok 1\n");
});

test("what a socket sent that resets the connection while it waits is stored", async () => {
  const { port, places, stored } = await listen(4_096);
  await Promise.all(times(limits.readOfAddress).map(() => call(port)));
  await until(() => places().before_login === limits.readOfAddress);
  const waits = await call(port, "127.0.0.1", `login ${imei}\nat 100 52.5\n`);
  await until(() => places().waiting === 1);
  waits.socket.resetAndDestroy();
  await until(() => places().waiting === 0);
  await until(() => stored.length === 1);
});

test("a server that stops keeps nobody waiting", async () => {
  const { port, places, listener } = await listen(4_096);
  await Promise.all(times(limits.readOfAddress).map(() => call(port)));
  await until(() => places().before_login === limits.readOfAddress);
  const waits = await call(port);
  await until(() => places().waiting === 1);
  listener.drain();
  await until(() => waits.state.isClosed);
});
