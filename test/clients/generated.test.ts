import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApiBody, openApiDocument } from "../../src/api/openapi/document.ts";
import { startWorld, stopWorld, thatDay, thatTime } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { startOdograph } from "../support/program.ts";
import { downloadedGenerators, folderOf } from "./downloaded.ts";
import { generators } from "./generators.ts";
import { dataCalls, expectedRows, givenNames, plainFields, unmetered } from "./list-calls.ts";
import { typescriptPrograms } from "./list-programs.ts";
import { runIn } from "./run-in.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const programs = ["oazapfts", "openapi-fetch"];
const compiled = ["*.generated.ts", "scenario.ts", ...programs.map((program) => `${program}.ts`)];

/** As strict as it gets, but for options that hold for a project's own code only. */
const compilerOptions = {
  target: "ESNext",
  module: "Preserve",
  moduleResolution: "bundler",
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  types: ["bun"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

let workshop = "";
/** By generator, the command that calls every list, and where it is run. */
const listPrograms = new Map<string, { readonly command: readonly string[]; readonly directory: string }>();
const generated = (name: string) => readFile(join(workshop, `${name}.generated.ts`), "utf8");

beforeAll(async () => {
  workshop = await mkdtemp(join(tmpdir(), "odograph-clients-"));
  const description = join(workshop, "openapi.json");
  await writeFile(description, openApiBody());
  await symlink(fileOf("../../node_modules"), join(workshop, "node_modules"));
  await writeFile(join(workshop, "tsconfig.json"), JSON.stringify({ compilerOptions, include: compiled }));
  for (const program of ["scenario", ...programs])
    await copyFile(fileOf(`programs/${program}.ts`), join(workshop, `${program}.ts`));
  for (const [name, generate] of Object.entries(generators)) {
    await generate(description, join(workshop, `${name}.generated.ts`));
    await writeFile(join(workshop, `${name}.lists.ts`), typescriptPrograms[name as keyof typeof generators]());
    listPrograms.set(name, { command: [process.execPath, `${name}.lists.ts`], directory: workshop });
  }
  for (const generator of downloadedGenerators) {
    const { folder, why } = await folderOf(generator);
    if (folder === undefined) {
      console.log(`not tested: ${generator.name} ${generator.version}: ${why}`);
      continue;
    }
    const directory = join(workshop, generator.name.replaceAll(/\W+/g, "-"));
    await mkdir(directory);
    listPrograms.set(generator.name, {
      command: await generator.build({ folder, description, workshop: directory }),
      directory,
    });
  }
});

afterAll(() => rm(workshop, { recursive: true, force: true }));

/** Runs a program to its end and gives what it printed. */
async function run(...command: readonly string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...command], { cwd: workshop, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output: texts.join("") };
}

test("what is generated, and what is written over it, compiles strictly", async () => {
  expect(await run(process.execPath, fileOf("../../node_modules/typescript/bin/tsc"), "-p", workshop)).toEqual({
    code: 0,
    output: "",
  });
});

test("every operation and every schema has the name we gave it, and nothing has one that was made up", async () => {
  const text = await generated("oazapfts");
  const { paths, components } = openApiDocument();
  const functions = [...text.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  expect(functions.sort()).toEqual(
    Object.values(paths)
      .map(({ get }) => get.operationId)
      .sort(),
  );
  const types = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
  // It reads answers as JSON, and leaves out what only another format has.
  const onlyGeoJson = ["Feature", "FeatureCollection", "FeatureGeometry"];
  const ofJson = Object.keys(components.schemas).filter((name) => !onlyGeoJson.includes(name));
  expect(types.sort()).toEqual(ofJson.sort());
});

test("nothing is of a type that says nothing, but for what a rule's own settings are", async () => {
  for (const name of Object.keys(generators)) {
    const loose = (await generated(name)).split("\n").filter((line) => /: (?:any|unknown|object);/.test(line));
    expect(loose.map((line) => line.trim()).filter((line) => !/^\[(?:key|name): string\]/.test(line))).toEqual([]);
  }
});

test("no set of values is said twice", () => {
  const places = new Map<string, string[]>();
  const visit = (value: unknown, place: string) => {
    if (typeof value !== "object" || value === null) return;
    if ("enum" in value) {
      const values = JSON.stringify(value.enum);
      places.set(values, [...(places.get(values) ?? []), place]);
    }
    for (const [key, inner] of Object.entries(value)) if (!/^examples?$/.test(key)) visit(inner, `${place}/${key}`);
  };
  visit(openApiDocument(), "");
  expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
});

test("the document names every generator with its version", async () => {
  const page = await readFile(fileOf("../../docs/clients.md"), "utf8");
  const { devDependencies } = await Bun.file(fileOf("../../package.json")).json();
  const ours = Object.keys(generators).map((name) => ({ name, version: devDependencies[name] }));
  for (const { name, version } of [...ours, ...downloadedGenerators]) {
    const row = page.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``));
    expect([name, row]).toEqual([name, expect.stringContaining(version)]);
  }
});

onOneEngine("generated clients", (engine) => {
  const served = engine.shared(
    async (store) => {
      const world = await startWorld(store);
      return { world, server: await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env: store.env }) };
    },
    async ({ world, server }) => {
      await server.stop();
      await stopWorld(world);
    },
  );

  test("read a real server as its integrators would", async () => {
    const { world, server } = served();
    const { from, to } = thatDay;
    const device = world.devices.van;
    const times = world.rows.frames.filter((row) => row.device_id === device.id).length;
    const results = await Promise.all(
      programs.map((program) => run(process.execPath, `${program}.ts`, `${server.url}/v1`, world.keys.anna, from, to)),
    );
    for (const { code, output } of results) {
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\{.*\}\n$/) });
      const seen = JSON.parse(output);
      expect(seen).toMatchObject({
        poll: [200, 304],
        codes: ["NOT_FOUND", "INVALID_REQUEST"],
        mileage: { end: null, clamped: "true" },
      });
      expect(seen.history).toMatchObject({ pages: Math.ceil(times / 2) });
      expect(seen.history.times).toHaveLength(times);
      expect(seen.mileage.km).toHaveLength(4);
      expect(seen.fuel.length).toBeGreaterThan(0);
    }
    expect(results[0]?.output).toBe(results[1]?.output ?? "");
  });

  test("call every operation that gives data, and get every field", async () => {
    const { world, server } = served();
    const given = {
      ...{ url: `${server.url}/v1`, key: world.keys.olga, from: thatDay.from, to: thatDay.to },
      ...{ imei: world.devices.van.imei, after: world.resumeAfter, time: thatTime },
      user: world.users.anna.id,
    };
    const { rows: expected, first: expectedFirst } = await expectedRows(given);
    expect(Object.keys(expected)).toEqual(dataCalls().map(({ operationId }) => operationId));
    expect(Object.entries(expected).filter(([, rows]) => rows === 0)).toEqual([]);
    const values = [given.url, given.key, ...givenNames.map((name) => given[name])];
    for (const [name, { command, directory }] of listPrograms) {
      const printed = await runIn(directory, [...command, ...values]);
      const { listChanges, first, ...rows } = JSON.parse(printed);
      const { listChanges: _, ...fixed } = expected;
      expect([name, rows]).toEqual([name, fixed]);
      for (const [list, row] of Object.entries(first)) {
        if (list !== "listChanges")
          expect([name, list, plainFields(unmetered(row))]).toEqual([
            name,
            list,
            plainFields(unmetered(expectedFirst[list])),
          ]);
      }
      // The server goes on deriving meanwhile.
      expect(listChanges, name).toBeGreaterThan(0);
    }
  });
});
