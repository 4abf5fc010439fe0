import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { openApiBody } from "../../src/api/openapi/document.ts";
import { SchemaCollection } from "../../src/api/openapi/schemas.ts";

function schemaOf(type: z.ZodType): object {
  return new SchemaCollection().add(type);
}

test("what may be null has two types", () => {
  expect(schemaOf(z.int().min(0).nullable().describe("So many."))).toEqual({
    type: ["integer", "null"],
    minimum: 0,
    description: "So many.",
  });
  expect(schemaOf(z.enum(["a", "b"]).nullable())).toEqual({ type: ["string", "null"], enum: ["a", "b", null] });
  expect(schemaOf(z.literal("a").nullable())).toEqual({ type: ["string", "null"], enum: ["a", null] });
});

test("what has a name is a component, and may still be null", () => {
  const point = z.strictObject({ x: z.number() }).meta({ id: "PointOfSchemaTest" });
  const schemas = new SchemaCollection();
  const $ref = "#/components/schemas/PointOfSchemaTest";
  expect(schemas.add(point)).toEqual({ $ref });
  expect(schemas.add(point.nullable())).toEqual({ anyOf: [{ $ref }, { type: "null" }] });
  expect(schemas.add(z.array(point))).toEqual({ type: "array", items: { $ref } });
  expect(Object.keys(schemas.components())).toEqual(["PointOfSchemaTest"]);
});

test("an integer is described as one, without bounds that say nothing", () => {
  expect(schemaOf(z.int())).toEqual({ type: "integer" });
  expect(schemaOf(z.int().min(1).max(9))).toEqual({ type: "integer", minimum: 1, maximum: 9 });
});

test("a record may gain fields, so that none is closed to clients", () => {
  const record = z.strictObject({ inner: z.strictObject({ id: z.string() }), ids: z.record(z.string(), z.int()) });
  expect(schemaOf(record)).toEqual({
    type: "object",
    properties: {
      inner: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      ids: { type: "object", additionalProperties: { type: "integer" } },
    },
    required: ["inner", "ids"],
  });
});

test("two schemas of one name are refused", () => {
  const schemas = new SchemaCollection();
  const named = (type: z.ZodType) => {
    const registered = z.strictObject({ value: type }).meta({ id: "TwiceInSchemaTest" });
    schemas.add(registered);
    z.globalRegistry.remove(registered);
  };
  named(z.string());
  expect(() => named(z.number())).toThrow("two schemas are named TwiceInSchemaTest");
});

test("values that have a name are a component, with what is said of them in that place beside it", () => {
  const schemas = new SchemaCollection();
  const $ref = "#/components/schemas/Severity";
  expect(schemas.add(z.enum(["info", "warning", "critical"]).describe("Of this one."))).toEqual({
    $ref,
    description: "Of this one.",
  });
  expect(schemas.add(z.enum(["info", "warning", "critical"]).nullable())).toEqual({
    anyOf: [{ $ref }, { type: "null" }],
  });
  expect(schemas.addParameter({ type: "string", enum: ["info", "warning", "critical"] })).toEqual({ $ref });
  expect(schemas.components()).toMatchObject({ Severity: { type: "string", enum: ["info", "warning", "critical"] } });
});

test("a choice names the property that says what was chosen", () => {
  const circle = z.strictObject({ kind: z.literal("circle"), size: z.int() }).meta({ id: "CircleOfSchemaTest" });
  const square = z.strictObject({ kind: z.literal("square"), size: z.int() }).meta({ id: "SquareOfSchemaTest" });
  const schemas = new SchemaCollection();
  schemas.add(z.array(z.discriminatedUnion("kind", [circle, square]).meta({ id: "ShapeOfSchemaTest" })));
  expect(schemas.components().ShapeOfSchemaTest?.discriminator).toEqual({
    propertyName: "kind",
    mapping: {
      circle: "#/components/schemas/CircleOfSchemaTest",
      square: "#/components/schemas/SquareOfSchemaTest",
    },
  });
});

test("a field that is always null is described as one that may be null, which generators understand", () => {
  expect(schemaOf(z.strictObject({ end: z.null() }))).toMatchObject({
    properties: { end: { type: ["string", "null"] } },
  });
});

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

const redoclyRules = fileURLToPath(new URL("redocly.yaml", import.meta.url));

const spectralRules = fileURLToPath(new URL("spectral.yaml", import.meta.url));

/** They need some seconds, and several times that on a machine that has other things to do. */
const lintTimeoutMs = 300_000;

/** Neither asks whether there is a newer version nor reports that it ran. */
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", SCARF_ANALYTICS: "false" };

async function run(script: string, args: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([process.execPath, join(packages, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, TMPDIR: cwd, ...quiet },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const [stdout] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return stdout;
}

interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly at: string;
}

async function redocly(file: string, cwd: string): Promise<Finding[]> {
  const args = ["lint", file, "--config", redoclyRules, "--format", "json"];
  const { problems } = JSON.parse(await run("@redocly/cli/bin/cli.js", args, cwd)) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => ({ rule: ruleId, message, at: location[0]?.pointer ?? "" }));
}

/** It takes several files at once, and seconds to get ready. */
async function spectral(files: readonly string[], cwd: string): Promise<Finding[][]> {
  const args = ["lint", ...files, "--ruleset", spectralRules, "--format", "json", "--quiet"];
  const problems = JSON.parse(await run("@stoplight/spectral-cli/dist/index.js", args, cwd)) as {
    code: string;
    message: string;
    path: string[];
    source: string;
  }[];
  return files.map((file) =>
    problems
      .filter(({ source }) => basename(source) === basename(file))
      .map(({ code, message, path }) => ({ rule: code, message, at: path.join("/") })),
  );
}

test(
  "the description passes the linters of Redocly and Spectral, without errors and warnings",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "odograph-lint-"));
    try {
      const good = join(directory, "good.json");
      const bad = join(directory, "bad.json");
      await Bun.write(good, openApiBody());
      // A linter that finds nothing here has not looked.
      await Bun.write(bad, JSON.stringify({ openapi: "3.1.0", info: { title: "No paths" } }));
      const [fromRedocly, badFromRedocly, [fromSpectral, badFromSpectral]] = await Promise.all([
        redocly(good, directory),
        redocly(bad, directory),
        spectral([good, bad], directory),
      ]);
      expect(badFromRedocly.length).toBeGreaterThan(0);
      expect(badFromSpectral?.length).toBeGreaterThan(0);
      expect(fromRedocly).toEqual([]);
      expect(fromSpectral).toEqual([]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
  lintTimeoutMs,
);
