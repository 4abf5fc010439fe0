import { expect, test } from "bun:test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readLockfile } from "../../scripts/release/bun-binaries.ts";
import { billOfMaterials } from "../../scripts/release/sbom.ts";
import { readRepository } from "../support/source-tree.ts";

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly content: string }[];
  readonly components?: readonly Component[];
}

const repository = await readRepository();
const lockfile = await readLockfile();
const time = new Date("2026-11-17T00:00:00Z");
const bill = (await billOfMaterials("1.2.3", lockfile, time)) as { readonly components: readonly Component[] };

test("the bill of materials is valid CycloneDX, and the same each time", async () => {
  const library = join(fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library/package.json")), "..");
  const schema = (name: string) => Bun.file(join(library, `res/schema/${name}.SNAPSHOT.schema.json`)).json();
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addFormat("iri-reference", true).addFormat("idn-email", true);
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"]) {
    ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const isValid = ajv.compile(await schema("bom-1.6"));
  expect([isValid(bill), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...bill, components: [{ name: "no type" }] })).toBe(false);
  expect(await billOfMaterials("1.2.3", lockfile, time)).toEqual(bill);
});

test("the bill of materials names what the NOTICE names, with versions and hashes of the lockfile", () => {
  const [, packages = ""] = /Packages from npm\n-+\n\n(.*?)\n\nBun\n/s.exec(repository.get("NOTICE") ?? "") ?? [];
  const named = Array.from(packages.matchAll(/^(\S+): /gm), ([, name = ""]) => name);
  const bun = bill.components.at(-1);
  expect(new Set(bill.components.map(({ name }) => name))).toEqual(new Set([...named, "bun"]));
  for (const { name, version, purl, hashes } of bill.components) {
    expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect([name, hashes?.[0]?.content.length]).toEqual([name, 128]);
  }
  const all = bill.components.flatMap((each) => [each, ...(each.components ?? [])]);
  const licenceOf = ({ licenses }: Component) => JSON.stringify(licenses ?? []);
  expect(all.filter((each) => !/"(?:id|name|expression)":"[^"]+"/.test(licenceOf(each)))).toEqual([]);
  const jsonlint = bill.components.find(({ name }) => name === "@mapbox/jsonlint-lines-primitives");
  expect(jsonlint).toMatchObject({
    licenses: [{ license: { id: "MIT" } }],
    copyright: "Copyright (C) 2012 Zachary Carter",
  });
  const inBun = bun?.components?.map(({ name }) => name);
  expect(inBun).toEqual(expect.arrayContaining(["@oven/bun-linux-x64", "@oven/bun-darwin-aarch64"]));
});
