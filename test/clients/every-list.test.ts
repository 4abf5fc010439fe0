import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApiBody } from "../../src/api/openapi.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { startOdograph } from "../support/program.ts";
import { downloadedGenerators, folderOf } from "./downloaded.ts";
import { generators } from "./generators.ts";
import { expectedRows, givenNames, listCalls } from "./list-calls.ts";
import { typescriptPrograms } from "./list-programs.ts";
import { runIn } from "./run-in.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let workshop = "";
/** By generator, the command that calls every list, and where it is run. */
const programs = new Map<string, { readonly command: readonly string[]; readonly directory: string }>();

beforeAll(async () => {
  workshop = await mkdtemp(join(tmpdir(), "odograph-lists-"));
  const description = join(workshop, "openapi.json");
  await writeFile(description, openApiBody());
  await symlink(fileOf("../../node_modules"), join(workshop, "node_modules"));
  for (const [name, generate] of Object.entries(generators)) {
    await generate(description, join(workshop, `${name}.generated.ts`));
    await writeFile(join(workshop, `${name}.lists.ts`), typescriptPrograms[name as keyof typeof generators]());
    programs.set(name, { command: [process.execPath, `${name}.lists.ts`], directory: workshop });
  }
  for (const generator of downloadedGenerators) {
    const { folder, why } = await folderOf(generator);
    if (folder === undefined) {
      console.log(`not tested: ${generator.name} ${generator.version}: ${why}`);
      continue;
    }
    const directory = join(workshop, generator.name.replaceAll(/\W+/g, "-"));
    await mkdir(directory);
    programs.set(generator.name, {
      command: await generator.build({ folder, description, workshop: directory }),
      directory,
    });
  }
}, 600_000);

afterAll(() => rm(workshop, { recursive: true, force: true }));

test("the document names every generator with its version", async () => {
  const page = await readFile(fileOf("../../docs/clients.md"), "utf8");
  const { devDependencies } = await Bun.file(fileOf("../../package.json")).json();
  const ours = Object.keys(generators).map((name) => ({ name, version: devDependencies[name] }));
  for (const { name, version } of [...ours, ...downloadedGenerators]) {
    const row = page.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``));
    expect([name, row]).toEqual([name, expect.stringContaining(version)]);
  }
});

onEachEngine("a generated client", (engine) => {
  test("gets the rows of every list", async () => {
    const world = await startWorld(await engine.fresh());
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env: world.store.env });
    const given = {
      ...{ url: `${server.url}/v1`, key: world.keys.olga, from: thatDay.from, to: thatDay.to },
      ...{ imei: world.devices.van.imei, after: world.resumeAfter },
    };
    const expected = await expectedRows(given);
    expect(Object.keys(expected)).toEqual(listCalls().map(({ operationId }) => operationId));
    expect(Object.entries(expected).filter(([, rows]) => rows === 0)).toEqual([]);
    const values = [given.url, given.key, ...givenNames.map((name) => given[name])];
    for (const [name, { command, directory }] of programs) {
      const printed = await runIn(directory, [...command, ...values]);
      const { listChanges, ...rows } = JSON.parse(printed);
      const { listChanges: _, ...fixed } = expected;
      expect([name, rows]).toEqual([name, fixed]);
      // The server goes on deriving meanwhile.
      expect(listChanges, name).toBeGreaterThan(0);
    }
    await server.stop();
    await stopWorld(world);
  });
});
