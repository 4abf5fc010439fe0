import { expect, test } from "bun:test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { licenceTexts, noticeText } from "../../scripts/notice.ts";
import { readLockfile } from "../../scripts/release/bun-binaries.ts";
import { billOfMaterials } from "../../scripts/release/sbom.ts";
import { launcher, runOdograph } from "../support/program.ts";
import { readRepository } from "../support/source-tree.ts";

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
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
  const inBun = bun?.components?.map(({ name }) => name);
  expect(inBun).toEqual(expect.arrayContaining(["@oven/bun-linux-x64", "@oven/bun-darwin-aarch64"]));
});

const notice = repository.get("NOTICE") ?? "";
const { dependencies } = JSON.parse(repository.get("package.json") ?? "") as { dependencies: Record<string, string> };

test("the NOTICE names every package in the program and in the page; `bun scripts/notice.ts` writes it anew", async () => {
  expect(notice).toBe(await noticeText());
});

test("the NOTICE names all that we depend on, with a licence", () => {
  for (const name of Object.keys(dependencies).filter((name) => name !== "bun")) {
    expect(notice).toMatch(new RegExp(`^${name}: \\S+\\n {2}Copyright`, "m"));
  }
  for (const name of ["Bun", "Natural Earth", "JavaScriptCore", "sqlite"]) expect(notice).toContain(name);
});

test("the licences in full are of the packages themselves", async () => {
  const texts = await licenceTexts();
  expect(texts).toStartWith(notice);
  expect(texts).toContain("react, react-dom, scheduler\n\nMIT License");
  expect(texts).toContain("Apache License");
});

test("a clone prints the NOTICE and says where the licences are", async () => {
  const { code, stdout } = await runOdograph(["version", "--licences"], { program: launcher });
  expect(code).toBe(0);
  expect(stdout).toBe(`${notice}\nThe licence of each package is in its folder in node_modules.\n`);
});

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
const workflow = (name: string) => Bun.YAML.parse(repository.get(`.github/workflows/${name}.yml`) ?? "") as Workflow;
const [tests, release] = [workflow("test"), workflow("release")];
const packageFile = (folder: string) => JSON.parse(repository.get(`${folder}package.json`) ?? "");
const { scripts } = packageFile("");

test("workflows may read, and each job only what it needs beyond that", () => {
  for (const { permissions } of [tests, release]) expect(permissions).toEqual({ contents: "read" });
  const allowed = Object.entries(release.jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(allowed)).toEqual({
    make: undefined,
    publish: { contents: "write" },
    image: { contents: "read", packages: "write" },
    npm: { "id-token": "write" },
  });
});

test("workflows use actions by commit, and scripts that exist", () => {
  const steps = [tests, release].flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps));
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  const commands = steps.flatMap(({ run = "" }) => [...run.matchAll(/\bnpm (?:run )?(test|release)\b/g)]);
  expect(commands.map(([, name]) => name)).toEqual(["test", "test", "release"]);
  for (const [, name = ""] of commands) expect(scripts).toHaveProperty(name);
});

test("a release is made on a tag, and only after the tests", () => {
  expect(release.on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  const made = release.jobs.make?.steps.map(({ run = "" }) => run) ?? [];
  expect(made.indexOf("npm test")).toBeLessThan(made.findIndex((run) => run.startsWith("npm run release")));
  for (const [name, job] of Object.entries(release.jobs)) {
    if (name !== "make") expect([name, (job as { needs?: string }).needs]).toEqual([name, "make"]);
  }
});

test("packages name the repository that they are published from: npm refuses a provenance without it", () => {
  const [program, client] = [packageFile(""), packageFile("client/")].map(({ repository }) => repository.url);
  expect([program, client]).toEqual(Array(2).fill("git+https://github.com/odograph/odograph.git"));
});
