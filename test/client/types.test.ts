import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { OdographClient } from "../../client/src/client.ts";
import { millisecondsOf } from "../../client/src/time.ts";
import { clientTypes } from "../../scripts/client-types.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import { routes } from "../../src/api/routes.ts";
import { apiVersion } from "../../src/api/version.ts";
import { readRepository } from "../support/source-tree.ts";

const folder = fileURLToPath(new URL("../../client/src/types/", import.meta.url));
const repository = await readRepository();

test("the client's types are those of the description; `bun scripts/client-types.ts` writes them anew", async () => {
  const wanted = clientTypes();
  expect(await readdir(folder).then((names) => names.map((name) => folder + name).sort())).toEqual(
    Object.keys(wanted).sort(),
  );
  for (const [path, text] of Object.entries(wanted)) expect(await Bun.file(path).text(), path).toBe(text);
});

test("the client has a method for every route", () => {
  const methods = Object.getOwnPropertyNames(OdographClient.prototype);
  expect(routes.map(({ operationId }) => operationId).filter((name) => !methods.includes(name))).toEqual([]);
});

test("every type of change is typed with the record that the description says", () => {
  const { schemas } = openApiDocument().components;
  const described = (schemas.Change?.oneOf ?? []).map(({ $ref = "" }) => {
    const { type, record } = schemas[$ref.replace(/^.*\//, "")]?.properties ?? {};
    const option = record?.anyOf?.find((each) => each.$ref !== undefined);
    return `  readonly ${type?.const}: Odograph.${option?.$ref?.replace(/^.*\//, "")};`;
  });
  const text = repository.get("client/src/changes.ts") ?? "";
  const [, body = ""] = /interface RecordByType \{\n(.*?)\n\}/s.exec(text) ?? [];
  expect(body.split("\n").sort()).toEqual(described.sort());
});

test("the client depends on nothing, and reads the interface of its major version", () => {
  const own = JSON.parse(repository.get("client/package.json") ?? "");
  expect(own.version.split(".")[0]).toBe(apiVersion.split(".")[0] ?? "");
  expect(Object.keys(own).filter((name) => /dependencies/i.test(name))).toEqual([]);
  // With them, npm says of a version from which commit it was built.
  expect(own).toMatchObject({ publishConfig: { provenance: true }, repository: { type: "git", directory: "client" } });
  const outside = [...repository]
    .filter(([path]) => path.startsWith("client/src/"))
    .filter(([, text]) => /\bfrom "(?!\.{1,2}\/)|\b(?:process|Bun|Buffer|require)\b[.(]/.test(text));
  expect(outside.map(([path]) => path)).toEqual([]);
});

test("a time without an offset is UTC, as in the API, whatever the zone of the machine", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/Caracas";
  try {
    const ten = Date.UTC(2026, 0, 1, 10);
    for (const text of ["2026-01-01T10:00", "2026-01-01 10:00", "2026-01-01 10:00:00.000", "2026-01-01t10:00:00"])
      expect(millisecondsOf(text), text).toBe(ten);
    for (const text of ["2026-01-01T10:00Z", "2026-01-01 11:00+01:00", "2026-01-01T06:00:00-04:00"])
      expect(millisecondsOf(text), text).toBe(ten);
    expect(millisecondsOf("2026-01-01")).toBe(Date.UTC(2026, 0, 1));
    expect(() => millisecondsOf("soon")).toThrow("expected an ISO 8601 time");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
