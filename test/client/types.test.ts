import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { OdographClient } from "../../client/src/client.ts";
import { clientTypes } from "../../scripts/client-types.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { routes } from "../../src/api/routes.ts";
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

test("the client depends on nothing", () => {
  const own = JSON.parse(repository.get("client/package.json") ?? "");
  expect(Object.keys(own).filter((name) => /dependencies/i.test(name))).toEqual([]);
  // With them, npm says of a version from which commit it was built.
  expect(own).toMatchObject({ publishConfig: { provenance: true }, repository: { type: "git", directory: "client" } });
  const outside = [...repository]
    .filter(([path]) => path.startsWith("client/src/"))
    .filter(([, text]) => /\bfrom "(?!\.{1,2}\/)|\b(?:process|Bun|Buffer|require)\b[.(]/.test(text));
  expect(outside.map(([path]) => path)).toEqual([]);
});
