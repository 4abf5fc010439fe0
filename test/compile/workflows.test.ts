import { expect, test } from "bun:test";
import { readRepository } from "../support/source-tree.ts";

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const repository = await readRepository();
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
  expect(commands.map(([, name]) => name)).toEqual(["test", "test", "test", "release"]);
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
