import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { startIngest } from "../../src/intake/service.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { onEachEngine } from "../support/engines.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { loadIngestFleet } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { freePort } from "../support/ingest-server.ts";
import { patienceMs, scaledMs } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { type ProgramOptions, startOdograph } from "../support/program.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

const endingFile = fileURLToPath(new URL("../../src/cli/serving/ending.ts", import.meta.url));

/** Null: nobody answers there. */
async function statusOf(url: string): Promise<number | null> {
  try {
    return (await fetch(url)).status;
  } catch {
    return null;
  }
}

/** What health says at first, and what the ingest port says then. */
async function watchedStart(store: ProgramOptions, further: readonly string[]) {
  for (let attempt = 1; ; attempt++) {
    const [port, ingestPort] = [await freePort(), await freePort()];
    const args = ["serve", "--port", `${port}`, "--ingest-port", `${ingestPort}`, ...further];
    const starting = startOdograph(args, store);
    const failed = starting.then(
      () => null,
      (error: unknown) => error,
    );
    const ingestUrl = `http://127.0.0.1:${ingestPort}`;
    let health: number | null = null;
    while (health === null && (await Promise.race([failed, Bun.sleep(1)])) === undefined) {
      health = await statusOf(`http://127.0.0.1:${port}/v1/health`);
    }
    const ready = await statusOf(`${ingestUrl}/ready`);
    const error = await failed;
    // It may have started between the last look and the next.
    if (error === null) health ??= await statusOf(`http://127.0.0.1:${port}/v1/health`);
    if (error === null) return { program: await starting, ingestUrl, first: { health, ready } };
    // Another program may have had one of them in between.
    if (attempt === 5 || !/is taken by another program|another port than/.test(String(error))) throw error;
  }
}

onEachEngine("a server that starts", (engine) => {
  const workers = engine.name === "postgres" ? ["--workers", "3"] : [];

  test("answers nobody on its port before frames can come in, and then all that scrape at once", async () => {
    const { program, ingestUrl, first } = await watchedStart(await engine.empty(), workers);
    expect(first).toEqual({ health: 200, ready: 200 });
    const scrapes = Array.from({ length: 20 }, async () => {
      return (await fetch(`${ingestUrl}/metrics`, { signal: AbortSignal.timeout(patienceMs) })).status;
    });
    expect(await Promise.all(scrapes)).toEqual(scrapes.map(() => 200));
    expect((await program.stop()).code).toBe(0);
  });
});

onEachEngine("the ingest side", (engine) => {
  withProductDeadlines();

  test("does not wait for a store or for counters that never come", async () => {
    const { database } = await engine.fresh();
    const observations: Observation[] = [];
    const never = new Promise<never>(() => {});
    const service = startIngest({
      database: Object.assign(Object.create(database), { ping: () => never }),
      observe: (fact) => observations.push(fact),
      metrics: () => never,
      retainDays: null,
    });
    const answered = (path: string) => service.answer(new Request(`http://ingest.test${path}`), () => "127.0.0.1");
    // However slow this process is, its timers go off in their order.
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
    }, 6_000);
    const [ready, metrics] = await Promise.all([answered("/ready"), answered("/metrics")]);
    expect(isLate).toBe(false);
    clearTimeout(timer);
    expect([ready.status, await ready.json()]).toEqual([503, { status: "unavailable" }]);
    expect(metrics.status).toBe(503);
    // An alert takes a code of the store for frames that are not stored.
    const cause = expect.objectContaining({ code: "INTERNAL" });
    const failed = { kind: "request_failed", route: "ingest /metrics", cause };
    expect(observations).toContainEqual(expect.objectContaining(failed));
    await service.close();
  });
});

onEachEngine("a server whose store never answers again", (engine) => {
  // The embedded store is a file of ours: it has no network in between.
  if (engine.name === "sqlite") return;

  test("says that it is not ready, and ends when it is asked to, saying what it gave up", async () => {
    const store = await engine.fresh();
    await loadIngestFleet(store.database);
    const token = await tokenOf(store.database);
    const proxy = await startTcpProxy(store.env.DATABASE_URL ?? "");
    const ingestUrl = `http://127.0.0.1:${await freePort()}`;
    const args = ["serve", "--port", "0", "--ingest-port", new URL(ingestUrl).port, "--workers", "2"];
    const program = await startOdograph(args, { env: { DATABASE_URL: proxy.url } });
    expect(await statusOf(`${ingestUrl}/ready`)).toBe(200);
    proxy.freeze();
    const headers = { Authorization: `Bearer ${token}` };
    const frames = fetch(`${ingestUrl}/frames`, { method: "POST", headers, body: "[]" }).catch(() => null);
    const began = performance.now();
    expect(await statusOf(`${ingestUrl}/ready`)).toBe(503);
    // After 1.5 s; the store itself would be given up after 17.
    expect(performance.now() - began).toBeLessThan(scaledMs(10_000));
    const asked = performance.now();
    const { code, stderr } = await program.stop();
    // After 17 s; systemd would kill it after 30.
    expect(performance.now() - asked).toBeLessThan(scaledMs(30_000));
    const kinds = recordsIn(stderr).map(({ kind }) => kind);
    expect([code, kinds.at(-1)]).toEqual(
      kinds.includes("server_cut_off") ? [1, "server_cut_off"] : [0, "server_stopped"],
    );
    await frames;
    await proxy.close();
  });
});

test("an end that takes too long is cut off with exit code 1, and names what was still open", async () => {
  const program = `
    const { Ending } = await import(${JSON.stringify(endingFile)});
    const ending = new Ending((fact) => process.stderr.write(JSON.stringify(fact) + "\\n"), 200);
    ending.add("store", () => {});
    ending.add("ingest side", () => new Promise(() => setInterval(() => {}, 1_000)));
    ending.add("public side", () => {});
    await ending.closeAll();
  `;
  const child = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe", stdout: "ignore" });
  const [code, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  const fact = { kind: "server_cut_off", givenUp: "ingest side, store", afterMs: 200 };
  expect([code, stderr]).toEqual([1, `${JSON.stringify(fact)}\n`]);
});
