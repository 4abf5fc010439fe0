import { expect, test } from "bun:test";
import { connect } from "node:net";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { device, load, smallFleet } from "../../support/fleet.ts";
import { becomesWithin, scaledMs, until } from "../../support/patience.ts";
import { runOdograph } from "../../support/program.ts";
import { callers } from "../../support/trackers/callers.ts";
import { serveTrackers } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

const { acme, olga } = smallFleet;
const deviceCount = 100;
/** How many connections a test opens at the same time. */
const atOnce = 250;
const known = Array.from({ length: deviceCount }, (_, number) => device(1_000 + number));
const strangers = Array.from({ length: 5_000 }, (_, number) => device(500_000 + number));

async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    results.push(...(await Promise.all(all.slice(start, start + atOnce).map(work))));
  }
  return results;
}

/** Whether a GT06 tracker is let in at its first call. */
async function isLetIn(port: number, imei: string): Promise<boolean> {
  const tracker = new WireTracker("gt06", imei, port);
  const isKnown = await tracker.connect();
  tracker.close();
  return isKnown;
}

/** Everything that came back until the server hung up. */
async function answerTo(port: number, sent: Uint8Array): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1" });
  let received = 0;
  socket.on("data", (bytes) => {
    received += bytes.length;
  });
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(sent);
  await ended;
  return received;
}

onEachEngine("a server that strangers call", (engine) => {
  const copied = engine.copies(({ database }) => load(database, [acme, olga, ...known]));

  test("lets in every device from their address at its first call, and those that are added since", async () => {
    const store = await copied();
    const server = await serveTrackers(store);
    const { gt06: port } = server.ports;
    const callAll = (all: readonly { readonly imei: string }[]) => inTurns(all, ({ imei }) => isLetIn(port, imei));
    expect((await callAll(strangers)).filter(Boolean)).toEqual([]);
    expect((await callAll(known)).filter(Boolean).length).toBe(deviceCount);

    const added = strangers.slice(0, deviceCount);
    const input = added.map((line) => JSON.stringify(line)).join("\n");
    const loaded = await runOdograph(["load", "-"], { ...store, input });
    expect([loaded.code, loaded.stderr]).toEqual([0, ""]);
    await becomesWithin(scaledMs(10_000), deviceCount, async () => (await callAll(added)).filter(Boolean).length);
    const { stderr, code } = await server.stop();
    expect(code).toBe(0);
    const summary = stderr.split("\n").find((line) => line.includes("unknown_trackers_refused")) ?? "{}";
    expect(JSON.parse(summary)).toMatchObject({ level: "warn", over: "tcp", address: "127.0.0.1" });
  });

  test("notes no more than the budget of many logins at once, and answers none of them", async () => {
    const store = await copied();
    const server = await serveTrackers(store);
    const { gt06: port } = server.ports;
    const login = callers.gt06.login as (imei: string) => Uint8Array;
    const began = performance.now();
    const answers = await Promise.all(strangers.slice(0, 1_500).map(({ imei }) => answerTo(port, login(imei))));
    const seconds = (performance.now() - began) / 1_000;
    expect(answers.reduce((sum, bytes) => sum + bytes, 0)).toBe(0);
    const saved = () => store.database.all<{ imei: string }>(sql`select imei from unknown_devices`);
    await until(async () => (await saved()).length > 0);
    const { stderr } = await server.stop();
    // A second of the clock more than it took, at either end.
    expect((await saved()).length).toBeLessThanOrEqual(20 * (Math.ceil(seconds) + 1));
    expect(stderr).toContain('"refused":1500');
  });
});
