import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "fflate";
import { slimProgram } from "../../scripts/release/packages.ts";
import { until } from "../support/patience.ts";
import { readRepository } from "../support/source-tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What npm says when it has a package neither in its cache nor within reach, or when the registry is in trouble. */
const unreachable =
  /\bE(?:NOTCACHED|NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|IDLETIMEOUT|RR_SOCKET_TIMEOUT|429|5\d\d)\b/;

let workplace = "";
let packed: { readonly filename: string; readonly size: number; readonly files: readonly { readonly path: string }[] };

beforeAll(async () => {
  workplace = await mkdtemp(join(tmpdir(), "odograph-npm-"));
  packed = JSON.parse((await npm(root, "pack", "--json", "--pack-destination", workplace)).stdout)[0];
  const path = join(workplace, packed.filename);
  slim = await slimProgram(await Bun.file(path).bytes(), new Date(0));
  await Bun.write(path, slim);
});

let slim: Uint8Array = new Uint8Array();

afterAll(() => rm(workplace, { recursive: true }));

async function npm(cwd: string, ...words: readonly string[]) {
  // With the settings of the user who runs the tests (registry, cache), but not those that this npm was started with.
  const child = Bun.spawn(["npm", ...words], { cwd, env: outsideNpm(), stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

function outsideNpm(): Record<string, string | undefined> {
  const isOfThisRun = /^(?:npm_(?:command|execpath|lifecycle|package|node)|npm_config_local_prefix|INIT_CWD)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfThisRun.test(name)));
}

test("the npm package holds what running needs, and nothing else", async () => {
  const needed = /^(?:bin|src|docs|deploy|examples)\/|^(?:package\.json|LICENSE|NOTICE|bunfig\.toml)$/;
  // What the guide leads to.
  const linked = /^(?:(?:client|client-python)\/README|README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/;
  // What the server packs for its readers.
  const client = /^client\/(?:(?:src|declarations)\/|(?:package\.json|LICENSE)$)|^client-python\/.*(?<!\.md)$/;
  const repository = [...(await readRepository()).keys()];
  const isBundled = (path: string) => path.startsWith("node_modules/");
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !isBundled(path)).sort()).toEqual(
    repository.filter((path) => [needed, linked, client].some((pattern) => pattern.test(path))).sort(),
  );
  expect(paths.filter((path) => /^node_modules\/[^/@]+\/package\.json$/.test(path))).toContain(
    "node_modules/maplibre-gl/package.json",
  );
  expect(slim.byteLength).toBeLessThan(8_000_000);
  expect(gunzipSync(slim).byteLength).toBeLessThan(20_000_000);
});

test("npx odograph demo runs in an empty directory: API, portal, reference, and Ctrl-C", async () => {
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=warn"];
  // Without install scripts, as a careful npm does: then Bun is where only the launcher finds it. Settings of the
  // directory's own project do not apply to us.
  await writeFile(join(workplace, "tsconfig.json"), '{ "compilerOptions": { "jsx": "react", "jsxFactory": "other" } }');
  const installed = await npm(workplace, "install", "--ignore-scripts", ...quietly, packed.filename);
  if (unreachable.test(installed.stderr)) return console.log("not run: npm cannot reach the packages");
  expect(installed).toMatchObject({ code: 0 });
  // A package that asks for a newer Node than we do. On a newer Node nothing can be seen of it here.
  expect(installed.stderr).not.toContain("EBADENGINE");

  const words = ["--no-install", "odograph", "demo", "--vehicles", "2", "--days", "1"];
  // In a session of its own, as at another terminal, so that all of it gets the Ctrl-C, and we do not.
  const demo = Bun.spawn(["npx", ...words, "--port", "0", "--ingest-port", "0"], {
    cwd: workplace,
    env: outsideNpm(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    detached: true,
  });
  try {
    const url = await listening(demo.stdout);
    expect(await (await fetch(`${url}/v1/health`)).json()).toMatchObject({ status: "ok" });
    const page = await (await fetch(`${url}/portal`)).text();
    const assets = Array.from(page.matchAll(/(?:src|href)="(\/portal\/assets\/[^"]+)"/g), ([, path = ""]) => path);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of [...assets, "/docs", "/docs/reference.js"]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
    process.kill(-demo.pid, "SIGINT");
    await demo.exited;
    // npm may be gone before the program.
    await until(() => isRefused(url));
  } finally {
    if (demo.exitCode === null && demo.signalCode === null) process.kill(-demo.pid, "SIGKILL");
  }
  const made = (await readdir(workplace)).sort();
  expect(made.filter((name) => !/^(?:package(?:-lock)?\.json|node_modules|tsconfig\.json)$/.test(name))).toEqual([
    packed.filename,
    "odograph-demo",
  ]);
});

async function isRefused(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return false;
  } catch {
    return true;
  }
}

async function listening(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const url = /^listening (\S+)$/m.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the demo ended before it listened: ${text}`);
}
