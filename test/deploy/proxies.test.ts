import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCaddy } from "../../bench/drills/support/caddy.ts";
import { type Certificate, type RunningProxy, startNginx } from "../../bench/drills/support/nginx.ts";
import { freePort } from "../../bench/support/servers.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { fleetWithOwner } from "../support/portal-program.ts";
import { type RunningProgram, runOdograph, startOdograph } from "../support/program.ts";

// The files of deploy/nginx and deploy/caddy, with other names, ports and certificates.
const starters = { nginx: startNginx, caddy: startCaddy } as const;
const names = (["nginx", "caddy"] as const).filter((name) => {
  const missing = [name, "openssl"].filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) console.warn(`not run, for want of ${missing}: deploy/${name}`);
  return missing.length === 0;
});

let directory: string;
let server: RunningProgram;
let [ca, key, token] = ["", "", ""];
const proxies = new Map<string, RunningProxy>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "odograph-proxies-"));
  const env = { ODOGRAPH_DATA: join(directory, "data") };
  const words = async (...args: string[]) => (await runOdograph(args, { env })).stdout.trim();
  await runOdograph(["load", "-"], { env, input: fleetText(Object.values(fleetWithOwner)) });
  [key, token] = await Promise.all([
    words(
      "keys",
      "create",
      "--user",
      smallFleet.olga.email,
      "--scopes",
      "devices:read,positions:read",
      "--name",
      "Test",
    ),
    words("ingest-tokens", "create", "--account", smallFleet.acme.id, "--name", "Test"),
  ]);
  // Nobody else is to answer when it is gone.
  const [port, ingestPort] = [await freePort(), await freePort()];
  server = await startOdograph(["serve", "--port", `${port}`, "--ingest-port", `${ingestPort}`], { env });
  const node = { url: server.url, ingestUrl: `http://127.0.0.1:${ingestPort}` };
  const tls = names.length > 0 ? await makeCertificate() : null;
  for (const name of names) proxies.set(name, await starters[name]([node], tls));
});
afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
  await server?.kill();
  await rm(directory, { recursive: true, force: true });
});

async function makeCertificate(): Promise<Certificate> {
  const tls = { certificate: join(directory, "tls.pem"), key: join(directory, "tls.key") };
  const what = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost"];
  const files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", tls.key, "-out", tls.certificate];
  const made = Bun.spawnSync(["openssl", "req", "-x509", ...what, ...files]);
  if (!made.success) throw new Error(made.stderr.toString());
  ca = await readFile(tls.certificate, "utf8");
  return tls;
}

const call = (url: string, init: RequestInit = {}) => fetch(url, { ...init, tls: { ca } });

describe.each(names)("%s with TLS", (name) => {
  const front = () => proxies.get(name) as RunningProxy;

  test("passes on answers, their tags and their compression", async () => {
    const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": "gzip" };
    const devices = await call(`${front().url}/v1/devices`, { headers });
    expect([devices.status, devices.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    expect(((await devices.json()) as { data: object[] }).data).toHaveLength(3);
    const latest = await call(`${front().url}/v1/positions/latest`, { headers });
    const tagged = { ...headers, "If-None-Match": latest.headers.get("etag") ?? "" };
    expect((await call(`${front().url}/v1/positions/latest`, { headers: tagged })).status).toBe(304);
  });

  test("passes on messages of assistants", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await call(`${front().url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    expect(((await response.json()) as { result: { tools: object[] } }).result.tools.length).toBeGreaterThan(0);
  });

  test("lets people sign in, with cookies for TLS alone", async () => {
    const { email, password } = fleetWithOwner.olga;
    const headers = { "X-Odograph-Portal": "1", Origin: front().url };
    const body = JSON.stringify({ email, password });
    const response = await call(`${front().url}/portal/api/session`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    const cookies = response.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    expect(cookies.filter((cookie) => !/; Secure\b/i.test(cookie))).toEqual([]);
  });

  test("does not believe what a client says about its address", async () => {
    const from = (round: number, number: number) => ({ "X-Forwarded-For": `203.0.${round}.${number}` });
    const statuses: number[] = [];
    // A busy machine may take seconds for 60, and then all of them have room.
    for (let round = 0; round < 20 && !statuses.includes(429); round++) {
      const calls = Array.from({ length: 60 }, (_, number) =>
        call(`${front().url}/v1/devices`, { headers: from(round, number) }),
      );
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
    }
    // All count for one address, which the proxy tested before may have used up.
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  });

  test("takes in frames, and nothing else at the ingest port", async () => {
    const { ingestUrl } = front();
    const headers = { Authorization: `Bearer ${token}` };
    const frame = { imei: smallFleet.van.imei, recorded_at: new Date().toISOString() };
    const sent = await call(`${ingestUrl}/frames`, { method: "POST", headers, body: JSON.stringify(frame) });
    expect(await sent.json()).toMatchObject({ accepted: 1 });
    const large = { method: "POST", headers, body: new Uint8Array(17 << 20) };
    // nginx refuses it while it comes, and the client may see that before the answer.
    expect(
      await call(`${ingestUrl}/frames`, large).then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
    for (const path of ["metrics", "ready"]) expect((await call(`${ingestUrl}/${path}`)).status).toBe(404);
  });
});

test("no proxy writes the token of a URL or a header to its log, not even when the node is gone", async () => {
  await server.kill();
  const secret = "odo_in_the_url";
  for (const [name, log] of await Promise.all(
    [...proxies].map(async ([name, proxy]) => {
      proxies.delete(name);
      // The other one shows that a log is written at all.
      const headers = { Authorization: `Bearer ${secret}` };
      const calls = [
        call(`${proxy.ingestUrl}/osmand?token=${secret}&id=1`),
        call(`${proxy.ingestUrl}/frames`, { method: "POST", headers }),
        call(`${proxy.url}/v1/health`),
      ];
      for (const { status } of await Promise.all(calls)) expect(status).toBeGreaterThanOrEqual(502);
      return [name, await proxy.stop()] as const;
    }),
  )) {
    expect([name, log]).toEqual([name, expect.stringContaining("/v1/health")]);
    expect([name, log]).toEqual([name, expect.not.stringContaining(secret)]);
  }
});
