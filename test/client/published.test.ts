import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { servedWorld } from "./served-world.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function run(...command: readonly string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output: texts.join("") };
}

/** The examples of the README, each in a function of its own, as one file that can be compiled. */
async function examplesText(): Promise<string> {
  const readme = await Bun.file(fileOf("../../client/README.md")).text();
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = ""]) => block);
  const bodies = blocks.map((block) => block.replaceAll(/^import .*$/gm, ""));
  return [
    'import { OdographClient, OdographError, type Alert, type LatestPosition } from "./index.js";',
    "declare const process: { env: Record<string, string | undefined> };",
    "declare const odograph: OdographClient;",
    "declare function draw(positions: LatestPosition[]): void;",
    ...bodies.map((body, index) => `export async function example${index}() {\n${body}\n}`),
  ].join("\n");
}

const tsc = [process.execPath, fileOf("../../node_modules/typescript/bin/tsc")];
let built = "";

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "odograph-client-"));
  expect(await run(...tsc, "-p", fileOf("../../client"), "--outDir", built)).toEqual({ code: 0, output: "" });
  await writeFile(join(built, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(built, { recursive: true, force: true }));

test("the examples of its README compile", async () => {
  await writeFile(join(built, "examples.ts"), await examplesText());
  const options = ["--ignoreConfig", "--strict", "--noEmit", "--module", "nodenext", "--lib", "es2022,dom"];
  expect(await run(...tsc, ...options, join(built, "examples.ts"))).toEqual({ code: 0, output: "" });
});

onEachEngine("the client, built as it is published", (engine) => {
  test("runs in Node and in Bun", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const { from, to } = thatDay;
    const words = [fileOf("program.js"), join(built, "index.js"), server.url, world.keys.anna, from, to];
    const results = await Promise.all([run("node", ...words), run(process.execPath, ...words)]);
    await server.stop();
    await stopWorld(world);
    for (const { code, output } of results) {
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\{.*\}\n$/) });
      const seen = JSON.parse(output);
      expect(seen.names.sort()).toEqual(["Amber van", "Birch truck"]);
      expect(seen).toMatchObject({ code: "NOT_FOUND", isOurs: true });
      expect(seen.times).toHaveLength(3);
    }
  });
});
