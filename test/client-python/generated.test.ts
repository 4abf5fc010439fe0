import { expect, test } from "bun:test";
import { pythonClient } from "../../scripts/python-client.ts";
import { readRepository } from "../support/source-tree.ts";

const repository = await readRepository();

test("records and operations are those of the description; `bun scripts/python-client.ts` writes them anew", async () => {
  for (const [path, text] of Object.entries(pythonClient())) expect(await Bun.file(path).text(), path).toBe(text);
});

test("both clients have the same version, and the one in Python depends on nothing either", () => {
  const project = repository.get("client-python/pyproject.toml") ?? "";
  const { version } = JSON.parse(repository.get("client/package.json") ?? "");
  expect(project).toContain(`\nversion = "${version}"\n`);
  expect(project).toContain("\ndependencies = []\n");
});
