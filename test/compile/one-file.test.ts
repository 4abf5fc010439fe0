import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDocuments } from "../../src/api/guide/documents.ts";
import { makeSite, renderDocument } from "../../src/api/guide/site.ts";
import { onEachEngine } from "../support/engines.ts";
import { freePort } from "../support/free-port.mjs";
import { type ProgramOptions, type RunningProgram, runOdograph, startOdograph } from "../support/program.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where the program lies alone, and where it is started: another program's settings lie there. */
let home = "";
let workplace = "";

/** No path: whatever it needs beside itself is not there. */
function alone(more: ProgramOptions = {}): ProgramOptions {
  return { ...more, program: join(home, "odograph"), cwd: workplace, env: { PATH: "", ...more.env } };
}

beforeAll(async () => {
  const scratch = await mkdtemp(join(tmpdir(), "odograph-compile-"));
  [home, workplace] = [join(scratch, "home"), join(scratch, "work")];
  await Promise.all([mkdir(home), mkdir(workplace)]);
  await copyFile(await compiled(scratch), join(home, "odograph"));
  await rm(join(scratch, "built"), { force: true });
  await writeFile(join(workplace, ".env"), "ODOGRAPH_LOG_LEVEL=nonsense\nBUN_JSC_largeHeapSize=1\n");
  await writeFile(join(workplace, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  await writeFile(join(workplace, "preload.ts"), 'throw new Error("code of another program was run");\n');
});

afterAll(() => rm(join(home, ".."), { recursive: true, force: true }));

/** What `npm test` has compiled already; `bun test` alone compiles it here. */
async function compiled(scratch: string): Promise<string> {
  if (process.env.ODOGRAPH_TEST_RUN) return join(process.env.ODOGRAPH_TEST_RUN, "odograph");
  const built = join(scratch, "built");
  const compile = Bun.spawn(["node", fileOf("../../scripts/compile.mjs"), built], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  expect([await compile.exited, await new Response(compile.stderr).text()]).toEqual([0, ""]);
  return built;
}

/** Every file of the portal that the page, or a file of it, names; by name. */
async function portalFiles({ url }: RunningProgram): Promise<Map<string, Response>> {
  const found = new Map<string, Response>();
  const visit = async (path: string) => {
    const response = await fetch(url + path);
    found.set(path, response);
    const named = [...(await response.clone().text()).matchAll(/[\w.-]+-[a-z0-9]{8}\.(?:m?js|css|svg|json)\b/g)];
    for (const [name] of named) if (!found.has(`/portal/assets/${name}`)) await visit(`/portal/assets/${name}`);
  };
  await visit("/portal");
  return found;
}

describe("the program in one file", () => {
  test("says what it is, and holds the licences of what is in it", async () => {
    const version = await runOdograph(["--version"], alone());
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^odograph \d+\.\d+\.\d+ \(Bun /), stderr: "" });
    const help = await runOdograph(["--help"], alone());
    expect(help).toEqual({ code: 0, stdout: (await runOdograph(["--help"])).stdout, stderr: "" });
    const { stdout } = await runOdograph(["version", "--licences"], alone());
    expect(stdout).toContain(await readFile(fileOf("../../NOTICE"), "utf8"));
    expect(stdout).toContain("Permission is hereby granted, free of charge");
    expect((await runOdograph(["fly"], alone())).code).toBe(2);
  });

  test("runs the demo in an empty directory: API, ingest, portal, map, and Ctrl-C", async () => {
    const ingestPort = String(await freePort());
    const args = ["demo", "--vehicles", "2", "--days", "1", "--port", "0", "--ingest-port", ingestPort];
    const demo = await startOdograph(args, alone());
    const { key, token } = JSON.parse(await readFile(join(workplace, "odograph-demo/demo.json"), "utf8"));
    const devices = await fetch(`${demo.url}/v1/devices`, { headers: { "X-API-Key": key } });
    expect(devices.status).toBe(200);
    const [device] = ((await devices.json()) as { data: { imei: string }[] }).data;

    const frame = { imei: device?.imei, recorded_at: new Date().toISOString(), latitude: 52.5, longitude: 13.4 };
    const stored = await fetch(`http://127.0.0.1:${ingestPort}/frames`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify([frame]),
    });
    expect([stored.status, await stored.json()]).toEqual([200, { accepted: 1, duplicate: 0, refused: [] }]);

    const files = await portalFiles(demo);
    expect([...files.values()].map(({ status }) => status)).toEqual([...files].map(() => 200));
    const names = [...files.keys()].join("\n");
    expect(names).toMatch(/maplibre-gl-worker-\w+\.mjs$/m);
    expect(names).toMatch(/countries-50m-\w+\.json$/m);
    const guide = ["/docs/guide.js", "/docs/guide/deploy/nginx/odograph.conf", "/docs/guide/images/portal-map.png"];
    for (const path of ["/docs", "/docs/reference.js", "/docs/icon.svg", ...guide]) {
      expect([path, (await fetch(demo.url + path)).status]).toEqual([path, 200]);
    }

    const site = makeSite(await readDocuments());
    for (const [place, path] of site.documentAt) {
      const shown = await (await fetch(`${demo.url}/docs/guide${place && `/${place}`}`)).text();
      expect([path, shown === renderDocument(site, path)]).toEqual([path, true]);
    }

    process.kill(demo.pid, "SIGINT");
    expect((await demo.ended).code).toBe(0);
    expect((await readdir(workplace)).sort()).toEqual([".env", "bunfig.toml", "odograph-demo", "preload.ts"]);
    expect(await readdir(home)).toEqual(["odograph"]);
  });
});

const accountId = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a2001";
const fleet = [
  { type: "account", id: accountId, name: "One file" },
  {
    type: "user",
    id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a2002",
    account_id: accountId,
    name: "Ada",
    email: "ada@example.com",
    role: "owner",
  },
  {
    type: "device",
    id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a2003",
    account_id: accountId,
    imei: "350000000000017",
    name: "Van",
  },
  { type: "frame", imei: "350000000000017", recorded_at: "2026-01-01T12:00:00Z", latitude: 52.5, longitude: 13.4 },
];

onEachEngine("the program in one file", (engine) => {
  test("makes the store, loads a fleet with frames, makes a key and serves", async () => {
    const { env } = await engine.empty();
    const input = fleet.map((record) => JSON.stringify(record)).join("\n");
    expect(await runOdograph(["load", "-"], alone({ env, input }))).toMatchObject({ code: 0 });
    const create = ["keys", "create", "--user", "ada@example.com", "--name", "test", "--scopes", "all", "--json"];
    const { key } = JSON.parse((await runOdograph(create, alone({ env }))).stdout);
    // Only PostgreSQL can have more than one.
    const workers = engine.name === "postgres" ? ["--workers", "2"] : [];
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0", ...workers], alone({ env }));
    const latest = await fetch(`${server.url}/v1/positions/latest`, { headers: { "X-API-Key": key } });
    expect(await latest.json()).toMatchObject({ data: [{ imei: "350000000000017", latitude: 52.5 }] });
    expect((await server.stop()).code).toBe(0);
  });
});
