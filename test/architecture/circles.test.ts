import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chosenForBoth, enginesOf, filesOutside, leftToRest, testFiles } from "../support/circles.mjs";

const root = join(import.meta.dir, "../..");
const runsOnEngines = /\b(?:onEachEngine|describeRoute)\b/;

test("every test file runs in a circle, and what declares itself for both engines runs on both", () => {
  const [first, rest] = [filesOutside("first", root), filesOutside("rest", root)];
  const missed = testFiles(root).filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const engines = new Set([
      ...(first.includes(path) ? [] : enginesOf("first", path, text)),
      ...(rest.includes(path) ? [] : enginesOf("rest", path, text)),
    ]);
    return engines.size < (runsOnEngines.test(text) ? 2 : 1);
  });
  expect(missed).toEqual([]);
});

test("what is left to the rest exists, and so do the files that hold its subject before", () => {
  for (const [path, instead] of leftToRest()) {
    expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(filesOutside("first", root)).toContain(path);
    for (const [name] of instead.matchAll(/[\w/-]+\.test\.ts/g)) {
      expect([name, existsSync(join(root, "test", name))]).toEqual([name, true]);
    }
  }
});

test("each file that is chosen for both engines declares itself for both", () => {
  for (const path of chosenForBoth()) {
    expect(existsSync(join(root, path)), path).toBe(true);
    expect([path, runsOnEngines.test(readFileSync(join(root, path), "utf8"))]).toEqual([path, true]);
  }
});
