import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOf } from "../support/api.ts";
import { startBroker } from "../support/broker.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { imeis, loadIngestFleet } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { startServer } from "../support/ingest-server.ts";
import { type ReceivedSpan, startTraceCollector } from "../support/trace-collector.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const trace = "0af7651916cd43dd8448eb211c80319c";
const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };

function frameAt(minutesAgo: number, imei = imeis[0]) {
  const recordedAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return { imei, recorded_at: recordedAt, latitude: 52.5, longitude: 13.4 };
}

onEachEngine("odograph serve with a collector", (engine) => {
  test("sends what every part of it did: requests of all sides, frames, the broker's messages", async () => {
    const { database, env } = await engine.fresh();
    await loadIngestFleet(database);
    const [key, token] = [await keyOf(database, smallFleet.olga.email), await tokenOf(database)];
    const collector = startTraceCollector();
    const broker = await startBroker();
    ends.push(
      () => collector.stop(),
      () => broker.stop(),
    );
    const server = await startServer({
      env: {
        ...env,
        ...(engine.name === "postgres" && { ODOGRAPH_WORKERS: "2" }),
        ODOGRAPH_MQTT: broker.url,
        ODOGRAPH_MQTT_CLIENT_ID: "node-1",
        ODOGRAPH_LOG_LEVEL: "debug",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hunter2",
      },
    });
    const devices = (more: object) =>
      fetch(`${server.url}/v1/devices?limit=7`, { headers: { "X-API-Key": key, Connection: "close", ...more } });
    await devices(headers);
    // Of several processes, whichever the system chooses for a connection.
    await Promise.all(Array.from({ length: 40 }, () => devices({})));
    await fetch(`${server.url}/portal/api/session`);
    const send = (frames: readonly object[]) =>
      fetch(`${server.ingestUrl}/frames`, {
        method: "POST",
        headers: { ...headers, Authorization: `Bearer ${token}` },
        body: JSON.stringify(frames),
      });
    const twice = frameAt(2);
    await send([twice, twice, frameAt(1, "490000000000000")]);
    // So many later ones are not held in memory.
    await send(Array.from({ length: 300 }, (_, index) => frameAt(1_000 - index, imeis[2])));
    await send([frameAt(2_000, imeis[2])]);
    await broker.subscribed("node-1");
    await broker.publish("odograph/a/frames", frameAt(1, imeis[1]));
    await broker.drained("node-1");
    const { code, stderr } = await server.stop();
    expect(code).toBe(0);

    const { spans } = collector;
    const named = (name: string) => spans.filter((span) => span.name === name);
    const ofCaller = spans.filter(({ traceId }) => traceId === trace);
    expect(named("GET /devices")).toHaveLength(41);
    expect(ofCaller.filter(({ name }) => name === "GET /devices")).toMatchObject([
      { parentSpanId: "b7ad6b7169203331" },
    ]);
    expect(named("GET /portal/api/session")).toHaveLength(1);
    const [first, , late] = named("POST /frames").toSorted((one, other) => one.startMs - other.startMs);
    expect(first?.attributes).toMatchObject({ "odograph.side": "ingest", "http.route": "/frames" });
    const under = (parent: ReceivedSpan | undefined) =>
      spans
        .filter((span) => span.parentSpanId === parent?.spanId)
        .toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
    const [stored] = under(first);
    const counts = { "odograph.accepted": 1, "odograph.duplicate": 1, "odograph.refused": 1 };
    expect(stored).toMatchObject({ name: "store frames", attributes: { ...counts, "odograph.transactions": 1 } });
    expect(under(stored).map(({ name }) => name)).toEqual(["wait", "derive", "commit"]);
    expect(under(under(late)[0]).map(({ name }) => name)).toEqual(["wait", "derive", "commit", "derive late frames"]);
    for (const one of spans.filter(({ name }) => name === "store frames")) {
      const parent = spans.find(({ spanId }) => spanId === one.parentSpanId);
      expect(one.startMs).toBeGreaterThanOrEqual((parent?.startMs ?? 0) - 1);
      expect(one.endMs).toBeLessThanOrEqual((parent?.endMs ?? 0) + 1);
    }
    expect(named("process frames")).toMatchObject([
      { kind: 5, parentSpanId: "", attributes: { "odograph.accepted": 1, "messaging.system": "mqtt" } },
    ]);

    // The thread for frames is one more.
    const processes = new Set(spans.map(({ resource }) => resource["service.instance.id"]));
    expect(processes.size).toBe(engine.name === "postgres" ? 3 : 2);
    const lines = stderr.split("\n").filter((line) => line.includes(trace));
    expect(lines.map((line) => JSON.parse(line).route).toSorted()).toEqual([
      "/devices",
      "ingest /frames",
      "ingest /frames",
      "ingest /frames",
    ]);
    expect(collector.requests.every(({ authorization }) => authorization === "Bearer hunter2")).toBe(true);
    for (const secret of [key, token, "hunter2"]) expect(stderr + JSON.stringify(spans)).not.toContain(secret);
  });
});

test("a server whose collector is not there runs all the same, and says so once", async () => {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  ends.push(() => rm(directory, { recursive: true }));
  const collector = startTraceCollector();
  await collector.stop();
  const server = await startServer({
    env: { ODOGRAPH_DATA: directory, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/x` },
  });
  for (let count = 0; count < 20; count++) expect((await fetch(`${server.url}/v1/health`)).status).toBe(200);
  const { code, stderr } = await server.stop();
  const lines = stderr.split("\n").filter((line) => line.includes("traces_not_sent"));
  expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 1 });
});
