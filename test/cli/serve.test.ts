import { describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { nextFreePort } from "../../src/cli/serving/listen.ts";
import { onEachEngine } from "../support/engines.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { freePort } from "../support/free-port.mjs";
import { startServer } from "../support/ingest-server.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { complaint, newPath, output } from "./outcome.ts";

const anyPorts = ["serve", "--port", "0", "--ingest-port", "0"];

async function health(program: RunningProgram): Promise<unknown> {
  const response = await fetch(`${program.url}/v1/health`);
  return { status: response.status, body: await response.json() };
}

const healthy = { status: 200, body: expect.objectContaining({ status: "ok", version: "1.0.0" }) };

/** A port that someone holds for as long as the work takes. */
async function withTakenPort(work: (port: string) => Promise<void>): Promise<void> {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = holder.address();
  try {
    await work(typeof address === "object" && address !== null ? String(address.port) : "");
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
}

/** The facts in a log of JSON lines. */
const facts = (log: string): { readonly kind: string; readonly [field: string]: unknown }[] => recordsIn(log);

test("the server runs on a plain Bun: no option of its engine is needed, and the launcher sets none", async () => {
  const args = ["--no-env-file", "src/cli/main.ts", ...anyPorts, "--data", await newPath("data")];
  const program = await startOdograph(args, { program: process.execPath });
  expect(await health(program)).toEqual(healthy);
  expect((await program.stop()).code).toBe(0);
  expect(await Bun.file(new URL("../../bin/launch.mjs", import.meta.url)).text()).not.toContain("BUN_");
});

test("a server with --trust-clock says so at every start", async () => {
  const env = { ODOGRAPH_TRUST_CLOCK: "yes", ODOGRAPH_DATA: await newPath("data") };
  const { stderr } = await (await startOdograph(anyPorts, { env })).stop();
  expect(facts(stderr)).toContainEqual(expect.objectContaining({ kind: "clock_trusted", level: "warn" }));
});

onEachEngine("odograph serve", (engine) => {
  test("says where it listens, answers, and ends with 0 when it is asked to, telling what it does", async () => {
    const store = await engine.empty();
    const program = await startOdograph(anyPorts, store);
    expect(program.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await health(program)).toEqual(healthy);
    const { code, stdout, stderr } = await program.stop();
    expect([code, stdout.split("\n")[0]]).toEqual([0, `listening ${program.url}`]);
    // Which node leads is found out beside all this.
    const seen = facts(stderr).filter(({ kind }) => kind !== "work_led");
    expect(seen.map(({ kind }) => kind)).toEqual([
      "schema_migrated",
      "server_listening",
      "server_draining",
      "server_stopped",
    ]);
    for (const fact of seen) {
      expect(fact).toMatchObject({ level: "info", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    }
    expect(seen[1]).toMatchObject({ url: program.url, engine: engine.name });
    expect(seen[2]).toMatchObject({ signal: "SIGTERM" });
  });

  test("logs each refusal with its request_id and the key's id, and how many more there were at the end", async () => {
    const store = await engine.empty();
    const { acme, olga } = smallFleet;
    await output(["load", "-"], { env: store.env, input: fleetText([acme, olga]) });
    const created = await output(
      ["keys", "create", "--user", olga.email, "--name", "x", "--scopes", "all", "--per-second", "5", "--json"],
      store,
    );
    const { id: keyId, key } = JSON.parse(created);
    const program = await startOdograph(anyPorts, store);
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${program.url}/v1${path}`, { headers });
      return { status: response.status, requestId: response.headers.get("X-Request-Id") };
    };
    const mine = { "X-API-Key": key };
    const [unknown, wrong, keyless] = [await ask("/devices/1", mine), await ask("/x?y=1", mine), await ask("/trips")];
    // More than seven seconds allow.
    const calls = await Promise.all(Array.from({ length: 40 }, () => ask("/devices", mine)));
    const limited = calls.filter(({ status }) => status === 429);
    const { stderr } = await program.stop();
    const seen = facts(stderr);
    const refused = { level: "info", kind: "request_refused" };
    const of = (requestId: string | null) => seen.filter((fact) => fact.requestId === requestId);
    const notFound = { ...refused, keyId, status: 404, code: "NOT_FOUND" };
    expect(of(unknown.requestId)).toMatchObject([{ ...notFound, route: "/devices/{device_id}" }]);
    expect(of(wrong.requestId)).toMatchObject([{ ...notFound, route: "other" }]);
    expect(of(keyless.requestId)).toMatchObject([
      { ...refused, route: "/trips", status: 401, code: "INVALID_API_KEY" },
    ]);
    const ofLimit = seen.filter(({ code }) => code === "RATE_LIMITED");
    expect(ofLimit).toMatchObject([{ ...refused, keyId, status: 429 }]);
    const others = limited.length - 1;
    const summary = { level: "info", keyId, count: others, codes: `RATE_LIMITED ${others}` };
    expect(seen.filter(({ kind }) => kind === "requests_refused")).toMatchObject([summary]);
    expect(stderr).not.toContain(key);
    expect(stderr).not.toContain('127.0.0.1"');
  });

  if (engine.name === "postgres") {
    test("comes up twice at once on an empty store", async () => {
      const store = await engine.empty();
      const programs = await Promise.all([startOdograph(anyPorts, store), startOdograph(anyPorts, store)]);
      expect(await Promise.all(programs.map(health))).toEqual([healthy, healthy]);
      const ends = await Promise.all(programs.map((program) => program.stop()));
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      const migrations = ends.flatMap(({ stderr }) => facts(stderr)).filter(({ kind }) => kind === "schema_migrated");
      expect(migrations).toHaveLength(1);
    });
  }
});

describe("odograph serve", () => {
  test("tells the monitoring whether it is ready and what it has counted, on the ingest port only", async () => {
    const env = { ODOGRAPH_DATA: await newPath("data"), ODOGRAPH_LOG_LEVEL: "debug" };
    const program = await startServer({ env });
    const inside = program.ingestUrl;
    await health(program);
    const ready = await fetch(`${inside}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
    const metrics = await fetch(`${inside}/metrics`);
    expect(metrics.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    expect(await metrics.text()).toMatch(/^odograph_requests_total\{route="[^"]+",status="200"\} 1$/m);
    expect((await fetch(`${inside}/v1/health`)).status).toBe(404);
    for (const path of ["/metrics", "/ready"]) expect((await fetch(program.url + path)).status).toBe(404);
    const { stderr } = await program.stop();
    expect(facts(stderr).filter(({ kind }) => kind === "request_answered").length).toBeGreaterThan(0);
  });

  test("limits senders without a token on the ingest port, each that a proxy on this machine names by itself", async () => {
    const server = await startServer({ env: { ODOGRAPH_DATA: await newPath("data") } });
    const send = async (sender: string) => {
      const headers = { "X-Forwarded-For": `203.0.113.9, ${sender}` };
      return (await fetch(`${server.ingestUrl}/frames`, { method: "POST", headers, body: "[]" })).status;
    };
    // More than ten seconds allow.
    const statuses = await Promise.all(Array.from({ length: 120 }, () => send("198.51.100.7")));
    expect([...new Set(statuses)].sort()).toEqual([401, 429]);
    expect(await send("198.51.100.8")).toBe(401);
    expect((await server.stop()).code).toBe(0);
  });

  test("says in one line that a port is taken, and ends", async () => {
    await withTakenPort(async (port) => {
      for (const flag of ["port", "ingest-port"]) {
        const env = { ODOGRAPH_DATA: await newPath("data"), ODOGRAPH_LOG_LEVEL: "warn" };
        const args = ["serve", "--port", "0", "--ingest-port", "0", "--log-level", "warn"];
        const message = await complaint(
          [...args.map((word, index) => (args[index - 1] === `--${flag}` ? port : word))],
          1,
          { env },
        );
        expect(message).toBe(`127.0.0.1:${port} is taken by another program; choose another with --${flag}`);
      }
    });
  });

  test("says that it is the address that cannot be used, with a free port and with any", async () => {
    for (const port of ["0", await freePort()]) {
      const args = ["serve", "--host", "999.1.1.1", "--port", `${port}`, "--ingest-port", "0", "--log-level", "warn"];
      const message = await complaint(args, 2, { env: { ODOGRAPH_DATA: await newPath("data") } });
      expect(message).toBe('--host: expected an address of this machine, got "999.1.1.1" (it cannot be used)');
    }
  });

  test("a demo whose port nobody chose takes the next free one, but not the one that it has already", async () => {
    await withTakenPort(async (taken) => {
      const wanted = Number(taken);
      const port = nextFreePort("127.0.0.1", wanted, "port");
      expect(port).toBeWithin(wanted + 1, wanted + 21);
      expect(nextFreePort("127.0.0.1", port, "ingest-port", port)).toBeGreaterThan(port);
      // A port that is chosen is the one that is taken.
      const chosen = ["demo", "--data", await newPath("data"), "--port", taken, "--ingest-port", "0"];
      expect(await complaint(chosen, 1)).toContain("is taken by another program; choose another with --port");
    });
  });

  test("says that another one serves the embedded store already", async () => {
    const data = await newPath("data");
    const env = { ODOGRAPH_DATA: data };
    const first = await startOdograph(anyPorts, { env });
    expect(await complaint(anyPorts, 1, { env })).toBe(
      `another odograph serves ${data} already: stop it, or choose another directory with --data`,
    );
    expect(await health(first)).toEqual(healthy);
    await first.stop();
  });

  test("tells what it does in words where people read it", async () => {
    const env = { ODOGRAPH_DATA: await newPath("data"), ODOGRAPH_LOG_FORMAT: "human" };
    const { stderr } = await (await startOdograph(anyPorts, { env })).stop();
    expect(stderr.split("\n")[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}schema migrated engine=sqlite applied=\d+$/);
  });
});
