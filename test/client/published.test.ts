import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFleetServer } from "../examples/fleet-server.ts";
import { startProcess } from "../examples/running-example.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { type PackedClient, packClient, run } from "./packed-client.ts";
import { servedWorld } from "./served-world.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const programs = ["", "-main", "-worker", "-with-worker", "-in-bare-realm", "-follow"].map((name) => `program${name}`);

let client: PackedClient;

beforeAll(async () => {
  client = await packClient();
  for (const name of programs) await copyFile(fileOf(`${name}.js`), join(client.project, `${name}.js`));
});

afterAll(() => client?.remove());

/** The examples of the README, each in a function of its own, as one file that can be compiled. */
async function examplesText(): Promise<string> {
  const readme = await Bun.file(fileOf("../../client/README.md")).text();
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = ""]) => block);
  const bodies = blocks.map((block) => block.replaceAll(/^import .*$/gm, ""));
  return [
    'import { OdographClient, OdographError, type LatestPosition, type RecordType } from "odograph-client";',
    "declare const process: { env: Record<string, string | undefined> };",
    "declare const odograph: OdographClient;",
    "declare function draw(positions: LatestPosition[]): void;",
    "declare function load(): Promise<string | null>;",
    "declare function save(token: string): Promise<void>;",
    "declare function forgetEverything(): Promise<void>;",
    "declare function has(type: RecordType, id: string): Promise<boolean>;",
    "declare function put(type: RecordType, id: string, record: object): Promise<void>;",
    "declare function remove(type: RecordType, id: string): Promise<void>;",
    ...bodies.map((body, index) => `export async function example${index}() {\n${body}\n}`),
  ].join("\n");
}

test("the examples of its README compile", async () => {
  await writeFile(join(client.project, "examples.ts"), await examplesText());
  const tsc = [process.execPath, fileOf("../../node_modules/typescript/bin/tsc")];
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--module", "nodenext", "--lib", "es2022,dom"];
  expect(await run([...tsc, ...options, "--exactOptionalPropertyTypes", "examples.ts"], client.project)).toEqual({
    code: 0,
    output: "",
  });
});

test("the package contains the built files, its types, the README and the licence, and nothing else", async () => {
  const sources = (await readdir(fileOf("../../client/src"), { recursive: true })).filter((path) =>
    path.endsWith(".ts"),
  );
  const built = sources.map((path) => path.replace(/\.ts$/, "")).flatMap((path) => [`${path}.js`, `${path}.d.ts`]);
  const wanted = ["LICENSE", "README.md", "package.json", ...built.map((path) => `dist/${path}`)];
  expect(client.files).toEqual(wanted.map((path) => `package/${path}`).sort());
});

const denoOptions = ["run", "--quiet", "--no-remote", "--allow-read", "--allow-net=127.0.0.1"];

/** Null, with a line that says so, on a machine that has none. */
function denoProgram(): string | null {
  const found = Bun.which("deno");
  if (found === null) console.log("not run in Deno: it is not installed here");
  return found;
}

onOneEngine("the client, installed as it is published", (engine) => {
  test("follows a fleet in Node, Bun and Deno", async () => {
    const server = await startFleetServer(await engine.empty(), { vehicles: 1 });
    const key = await server.key();
    const deno = denoProgram();
    const runtimes = [["node"], [process.execPath], ...(deno ? [[deno, ...denoOptions]] : [])];
    const followers = runtimes.map((command) => {
      const words = [...command, "program-follow.js", server.url, key];
      return startProcess(words, client.project, {});
    });
    await Promise.all(followers.map((follower) => follower.prints("started\n")));
    const device = server.world.fleet.find((record) => "imei" in record) as { imei: string };
    const recorded_at = new Date().toISOString();
    await server.load([{ type: "frame", imei: device.imei, recorded_at, latitude: 52.5, longitude: 13.4 }]);
    expect(await Promise.all(followers.map((follower) => follower.ended))).toEqual(followers.map(() => 0));
    for (const { printed } of followers) expect(printed()).toBe(`started\n["${recorded_at}"]\n`);
    await server.stop();
  });

  test("runs in Node, Bun, Deno, a web worker, and where there are only globals of the web", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const { from, to } = thatDay;
    const words = [server.url, world.keys.anna, from, to];
    const bundle = join(client.project, "bundle.js");
    const made = await Bun.build({
      entrypoints: [join(client.project, "program.js")],
      target: "browser",
      format: "cjs",
    });
    await writeFile(bundle, `const module = {};\n${await made.outputs[0]?.text()}\nconst program = module.exports;`);
    const deno = denoProgram();
    const inDeno = [deno ?? "", ...denoOptions];
    const commands = [
      ["node", "program-main.js", ...words],
      ["node", "program-in-bare-realm.js", bundle, ...words],
      [process.execPath, "program-main.js", ...words],
      [process.execPath, "program-with-worker.js", ...words],
      ...(deno ? [[...inDeno, "program-main.js", ...words]] : []),
      ...(deno ? [[...inDeno, "program-with-worker.js", ...words]] : []),
    ];
    const results = await Promise.all(commands.map((command) => run(command, client.project)));
    await server.stop();
    await stopWorld(world);
    for (const [index, { code, output }] of results.entries()) {
      const name = commands[index]?.slice(0, 2).join(" ");
      expect({ name, code, output }).toEqual({ name, code: 0, output: expect.stringMatching(/^\{.*\}\n$/) });
      const seen = JSON.parse(output);
      expect(seen.names.sort()).toEqual(["Amber van", "Birch truck"]);
      expect(seen).toMatchObject({ code: "NOT_FOUND", isOurs: true });
      expect(seen.times).toHaveLength(3);
    }
  });
});
