import { expect, spyOn, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveCommand } from "../../src/cli/serve.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { responsesIn } from "../support/raw-http.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

const anyPorts = ["serve", "--port", "0", "--ingest-port", "0"];
const year = "from=2025-07-01&to=2026-07-01";

/** An account whose mileage report is larger than what waits in the buffers of a connection. */
async function seedLongReport(database: Database): Promise<{ key: string; rows: number }> {
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  const rows = 60 * 300;
  for (let index = 0; index < 60; index++) {
    const device = seed.device(account, { name: `Truck ${index} ${"with a long name ".repeat(12)}` });
    for (let day = 0; day < 300; day++) seed.mileage(device, { day: Math.floor(noon / 86_400_000) - day });
  }
  await seed.save(database);
  return { key: await keyOf(database, owner.email), rows };
}

async function untilDraining(program: RunningProgram): Promise<void> {
  // From then on nobody else is let in.
  for (;;) {
    try {
      await fetch(`${program.url}/v1/health`);
    } catch {
      return;
    }
  }
}

onEachEngine("a server that is asked to stop", (engine) => {
  test("lets a client that reads slowly have its whole answer, and then ends with 0", async () => {
    const store = await engine.fresh();
    const { key, rows } = await seedLongReport(store.database);
    const program = await startOdograph(anyPorts, store);
    const chunks: Buffer[] = [];
    const begun = Promise.withResolvers<void>();
    const { hostname, port } = new URL(program.url);
    const socket = connect(Number(port), hostname);
    const ended = new Promise((resolve) => socket.on("close", resolve));
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      // The first bytes are here; the rest has to wait.
      if (chunks.length === 1) {
        socket.pause();
        begun.resolve();
      }
    });
    socket.write(`GET /v1/reports/mileage?${year} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`);
    await begun.promise;
    const stopped = program.stop();
    await untilDraining(program);
    socket.resume();
    await ended;
    const [response] = responsesIn(Buffer.concat(chunks).toString("latin1"));
    expect([response?.status, JSON.parse(response?.body ?? "").data.length]).toEqual([200, rows]);
    expect((await stopped).code).toBe(0);
  });

  test("is not held by connections that only idle", async () => {
    const store = await engine.empty();
    const program = await startOdograph(anyPorts, store);
    const { hostname, port } = new URL(program.url);
    const silent = connect(Number(port), hostname);
    const idle = connect(Number(port), hostname);
    idle.write("GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n");
    await new Promise((resolve) => idle.once("data", resolve));
    const started = performance.now();
    expect((await program.stop()).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    for (const socket of [silent, idle]) socket.destroy();
  });

  if (engine.name === "sqlite") return;

  test("lets a call that waits for the store finish", async () => {
    const store = await engine.fresh();
    const { database } = store;
    const { key } = await seedLongReport(database);
    const program = await startOdograph(anyPorts, store);
    let stopped: Promise<{ code: number }> | undefined;
    let answer: Promise<Response> | undefined;
    await database.transaction(async (tx) => {
      await tx.run(plainSql("lock table devices in access exclusive mode"));
      answer = fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": key } });
      // It has been counted, and so it is under way.
      while ((await database.get(sql`select 1 from key_counters`)) === null) await Bun.sleep(5);
      stopped = program.stop();
      await untilDraining(program);
    });
    expect((await answer)?.status).toBe(200);
    expect((await stopped)?.code).toBe(0);
  });

  test("ends although its store is gone, and says what it could not write", async () => {
    const store = await engine.fresh();
    const { key } = await seedLongReport(store.database);
    const url = new URL(store.env.DATABASE_URL ?? "");
    const proxy = await startTcpProxy({ hostname: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const program = await startOdograph(anyPorts, { env: { DATABASE_URL: url.href } });
    expect((await fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": key } })).status).toBe(200);
    await proxy.cut();
    const { code, stderr } = await program.stop();
    expect(code).toBe(0);
    expect(stderr).toContain("server_stopped");
  });
});

test("a sender that dribbles and a body that has no end are bounded by the server's own settings", async () => {
  const listening = Promise.withResolvers<string>();
  const serving = spyOn(Bun, "serve");
  const [action] = serveCommand.actions;
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  const settings = {
    store: { engine: "sqlite", directory },
    ...{ port: 0, ingestPort: 0, host: "127.0.0.1", workers: 1, logLevel: "error", logFormat: "json" },
  } as const;
  const ended = action?.run({
    options: {},
    arguments: [],
    environment: {},
    settings: () => settings,
    terminal: { out: (line: string) => listening.resolve(line), note: () => {}, progress: () => {} },
  } as unknown as Parameters<typeof action.run>[0]);
  await Promise.race([listening.promise, ended]);
  try {
    expect(serving.mock.calls.length).toBeGreaterThan(0);
    for (const [options] of serving.mock.calls) {
      expect(options).toMatchObject({ idleTimeout: 30, maxRequestBodySize: 65_536, development: false });
    }
  } finally {
    serving.mockRestore();
    process.emit("SIGTERM");
    await ended;
  }
});
