import { expect, test } from "bun:test";
import { Balancer } from "../../bench/drills/support/balancer.ts";
import { startLoad } from "../../bench/drills/support/load.ts";
import { verifyFrames } from "../../bench/drills/support/verify.ts";
import { keyOf } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { imeis, loadIngestFleet } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { freePort, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { startOdograph } from "../support/program.ts";
import { exchangeSlowly, responsesIn } from "../support/raw-http.ts";
import { seedLongReport } from "../support/seed-report.ts";

/** Longer than any test: what is looked at is not over before it was seen. */
const long = { ODOGRAPH_DRAIN_SECONDS: "600" } as const;

async function seen(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, connection: response.headers.get("Connection"), body: await response.json() };
}

onEachEngine("a server that drains", (engine) => {
  const workers = engine.name === "postgres" ? { ODOGRAPH_WORKERS: "3" } : {};

  test("says so to balancers, still answers new connections, and lets none be used twice", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const [key, token] = [await keyOf(store.database, smallFleet.olga.email), await tokenOf(store.database)];
    const server = await startServer({ env: { ...store.env, ...long, ...workers } });
    const health = () => seen(`${server.url}/v1/health`);
    expect(await health()).toMatchObject({ status: 200, connection: null, body: { status: "ok" } });
    process.kill(server.pid, "SIGTERM");
    await server.logged("server_draining");

    const draining = { status: 503, connection: "close", body: { status: "draining" } };
    await until(async () => (await seen(`${server.ingestUrl}/ready`)).status === 503);
    expect(await seen(`${server.ingestUrl}/ready`)).toEqual(draining);
    // Each of its processes, whichever the system chooses for a connection: so many miss none.
    const ofAll = () => Promise.all(Array.from({ length: 60 }, health));
    await until(async () => (await ofAll()).every(({ status }) => status === 503));
    for (const one of await ofAll()) expect(one).toMatchObject(draining);

    const devices = await seen(`${server.url}/v1/devices`, { headers: { "X-API-Key": key } });
    expect(devices).toMatchObject({ status: 200, connection: "close" });
    const frame = { imei: imeis[0], recorded_at: new Date().toISOString(), latitude: 52.5, longitude: 13.4 };
    const headers = { Authorization: `Bearer ${token}` };
    const sent = await seen(`${server.ingestUrl}/frames`, { method: "POST", headers, body: JSON.stringify([frame]) });
    const stored = { accepted: 1, duplicate: 0, refused: [] };
    expect(sent).toEqual({ status: 200, connection: "close", body: stored });
    await server.kill();
  });

  test("ends with 0 when the time is over, and lets answers in progress finish", async () => {
    const store = await engine.fresh();
    const { rows, request } = await seedLongReport(store.database);
    const drainMs = 1_000;
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], {
      env: { ...store.env, ...workers, ODOGRAPH_DRAIN_SECONDS: String(drainMs / 1000) },
    });
    const asked = performance.now();
    let stopped: Promise<{ code: number }> | undefined;
    const text = await exchangeSlowly(server.url, request("GET"), async () => {
      stopped = server.stop();
      // Nobody listens any more, and the answer is not complete yet.
      await until(async () => (await fetch(`${server.url}/v1/health`).catch(() => null)) === null);
      expect(performance.now() - asked).toBeGreaterThanOrEqual(drainMs);
    });
    const [response] = responsesIn(text);
    expect([response?.status, response?.isWhole]).toEqual([200, true]);
    expect(JSON.parse(response?.body ?? "").data).toHaveLength(rows);
    expect((await stopped)?.code).toBe(0);
  });

  // Signals are no affair of the store.
  if (engine.name === "sqlite")
    test("ends at once at a second signal", async () => {
      const store = await engine.fresh();
      const server = await startServer({ env: { ...store.env, ...long } });
      process.kill(server.pid, "SIGTERM");
      await server.logged("server_draining");
      // Within a second it counts as the same signal, which comes from the terminal and from npm.
      await Bun.sleep(1_100);
      process.kill(server.pid, "SIGTERM");
      expect((await server.ended).code).toBe(143);
    });

  // Only PostgreSQL has several nodes.
  if (engine.name === "sqlite") return;

  test("and is started again, beside another node, is not noticed by clients that choose a healthy one", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    await load(store.database, [{ ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000 } }]);
    const key = await keyOf(store.database, smallFleet.olga.email);
    const token = await tokenOf(store.database);
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const;
    const start = (port: number, ingestPort: number) =>
      startOdograph(["serve", "--port", `${port}`, "--ingest-port", `${ingestPort}`], {
        env: { ...store.env, ODOGRAPH_DRAIN_SECONDS: "5" },
      });
    let [one, other] = await Promise.all([start(ports[0], ports[1]), start(ports[2], ports[3])]);
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const balancer = new Balancer([
      { url: at(ports[0]), ingestUrl: at(ports[1]) },
      { url: at(ports[2]), ingestUrl: at(ports[3]) },
    ]);
    const fleet = { accountId: smallFleet.acme.id, imeis, key, token };
    const traffic = startLoad({
      fleet,
      readFrom: balancer.api,
      writeTo: balancer.ingest,
      readers: 2,
      writers: 2,
      pauseMs: 60,
    });
    const codes = [(await one.stop()).code];
    one = await start(ports[0], ports[1]);
    codes.push((await other.stop()).code);
    other = await start(ports[2], ports[3]);
    const { errors, ...result } = await traffic.stop();
    expect({ errors, codes }).toEqual({ errors: [], codes: [0, 0] });
    expect(result.reads).toBeGreaterThan(10);
    await Promise.all([one.stop(), other.stop()]);
    expect(await verifyFrames(store.env.DATABASE_URL ?? "", { ...result, errors })).toMatchObject({
      held: true,
      stored: result.acknowledged.size,
    });
  });
});
