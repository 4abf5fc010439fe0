import { expect, spyOn, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveCommand } from "../../src/cli/serving/serve.ts";
import { readSettings } from "../../src/cli/settings/settings.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { scaledMs } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { seedLongReport } from "../support/seed-report.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

withProductDeadlines();

const anyPorts = ["serve", "--port", "0", "--ingest-port", "0"];

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
    expect(performance.now() - started).toBeLessThan(scaledMs(5_000));
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
    const proxy = await startTcpProxy(store.env.DATABASE_URL ?? "");
    const program = await startOdograph(anyPorts, { env: { DATABASE_URL: proxy.url } });
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
  const environment = {
    ODOGRAPH_DATA: directory,
    ODOGRAPH_PORT: "0",
    ODOGRAPH_INGEST_PORT: "0",
    ODOGRAPH_LOG_LEVEL: "error",
  };
  const ended = action?.run({
    options: {},
    arguments: [],
    environment,
    settings: () => readSettings({}, environment),
    terminal: { out: (line: string) => listening.resolve(line), note: () => {}, progress: () => {} },
  } as unknown as Parameters<typeof action.run>[0]);
  await Promise.race([listening.promise, ended]);
  try {
    expect(serving.mock.calls.length).toBeGreaterThan(0);
    for (const [options] of serving.mock.calls) {
      expect(options).toMatchObject({ idleTimeout: 30, maxRequestBodySize: 4 * 1_048_576, development: false });
    }
  } finally {
    serving.mockRestore();
    process.emit("SIGTERM");
    await ended;
    // A server's process ends with it, so it leaves its listeners: the next file that sends a signal would end this one.
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.removeAllListeners(signal);
    await rm(directory, { recursive: true });
  }
});
