import { expect, test } from "bun:test";
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

onEachEngine("the client, built as it is published", (engine) => {
  test("has types for browsers and servers, and runs in Node and in Bun", async () => {
    const built = await mkdtemp(join(tmpdir(), "odograph-client-"));
    try {
      const tsc = fileOf("../../node_modules/typescript/bin/tsc");
      const build = ["-p", fileOf("../../client"), "--outDir", built];
      expect(await run(process.execPath, tsc, ...build)).toEqual({ code: 0, output: "" });
      await writeFile(join(built, "package.json"), '{ "type": "module" }');

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
    } finally {
      await rm(built, { recursive: true, force: true });
    }
  });
});
