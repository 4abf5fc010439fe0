import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveTrackers } from "../../../src/intake/trackers/thread/serve-trackers.ts";
import { NodeClock } from "../../../src/store/node-clock.ts";
import { type FreshDatabase, onEachEngine } from "../../support/engines.ts";
import { openPort } from "../../support/ingest-port.ts";
import { until } from "../../support/patience.ts";
import { trackerDevice } from "../../support/trackers/reporting.ts";
import { callTracker } from "../../support/trackers/toy-listener.ts";
import { fleetOf, storedMoments } from "../../support/trackers/tracker-server.ts";

const { imei } = trackerDevice(0, "");
const { imei: other } = trackerDevice(1, "");

/** The ingest side in this thread, and trackers in one that can be made to stand still. */
async function serve(store: FreshDatabase, submit?: () => Promise<never>) {
  await fleetOf(store, 2);
  const port = await openPort(store.database);
  const lines: string[] = [];
  const trackers = await serveTrackers({
    thread: new Worker(new URL("../../support/trackers/stalling-thread.ts", import.meta.url).href),
    settings: { ports: [{ name: "gt06", port: 0 }], hostname: "127.0.0.1", networks: null, proxies: null },
    database: store.database,
    writer: submit === undefined ? port.service.writer : { submit },
    unknownDevices: port.service.unknownDevices,
    clock: new NodeClock(store.database, () => {}),
    observe: () => {},
    log: { level: "info", format: "json", write: (line) => lines.push(line) },
  });
  const close = async () => {
    await trackers.close();
    await port.close();
  };
  return { port, trackers, lines, close };
}

const recordedAt = Date.UTC(2026, 10, 16, 6);
const frame = { imei: other, recorded_at: new Date(recordedAt).toISOString(), latitude: 52.5, longitude: 13.4 };

onEachEngine("the thread of trackers", (engine) => {
  test("holds up nobody else, however long it computes, and then goes on", async () => {
    const store = await engine.fresh();
    const { port, trackers, close } = await serve(store);
    const { socket, state } = await callTracker(trackers.ports.gt06);
    const path = join(store.directory, "go-on");
    socket.write(`login ${imei}\na stall ${path}\nat ${recordedAt / 1_000} 52.5\n`);
    await until(() => existsSync(`${path}.stalled`));
    expect((await port.post("/frames", frame)).status).toBe(200);
    expect((await port.request("/metrics")).status).toBe(200);
    expect([...(await storedMoments(store.database)).keys()]).toEqual([`${other} ${recordedAt}`]);
    writeFileSync(path, "");
    await until(() => state.text === "ok 1\nok 3\n");
    expect((await storedMoments(store.database)).size).toBe(2);
    expect(trackers.counted()?.trackerFamilies.gt06).toMatchObject({ connections: expect.any(Number) });
    socket.terminate();
    await close();
  });

  test("is missed when it fails, and nothing waits for it", async () => {
    const store = await engine.fresh();
    const { trackers, close } = await serve(store);
    const { socket, state } = await callTracker(trackers.ports.gt06);
    socket.write(`login ${imei}\na failure\n`);
    await expect(trackers.lost).rejects.toThrow("the trackers' thread failed: ");
    await until(() => state.isClosed);
    await close();
  });

  test("answers nothing that could not be stored, and says why", async () => {
    const store = await engine.fresh();
    const { trackers, close, lines } = await serve(store, async () => {
      throw new Error("the disk is full");
    });
    const { socket, state } = await callTracker(trackers.ports.gt06);
    socket.write(`login ${imei}\nat ${recordedAt / 1_000} 52.5\n`);
    await until(() => state.isClosed);
    // The login, which has nothing to store.
    expect(state.text).toBe("ok 1\n");
    await until(() => lines.some((line) => line.includes("tracker_messages_not_stored")));
    expect(lines.find((line) => line.includes("tracker_messages_not_stored"))).toContain("the disk is full");
    await close();
  });
});

test("the thread that stores frames has no code that reads what trackers send", async () => {
  const entry = Bun.fileURLToPath(new URL("../../../src/cli/ingest-thread.ts", import.meta.url));
  const { metafile } = await Bun.build({ entrypoints: [entry], target: "bun", packages: "external", metafile: true });
  const files = Object.keys(metafile?.inputs ?? {});
  const ofTrackers = files.flatMap((path) => path.split("src/intake/trackers/")[1] ?? []);
  expect(ofTrackers.toSorted()).toEqual([
    "connection/show-watched.ts",
    "thread/serve-trackers.ts",
    "thread/thread-calls.ts",
  ]);
});
