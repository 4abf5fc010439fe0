import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { filesUnder } from "../support/source-tree.ts";
import { repository } from "./blocks.ts";

/** Longer ones are not read in an editor, a terminal or a review. A row of a table cannot be wrapped. */
const maxLine = 140;
const maxTableRow = 200;

function longLines(path: string, text: string): string[] {
  const withoutCode = text.replace(/^ *```.*?^ *```$|^ {4}.*$/gms, (block) => block.replace(/[^\n]+/g, ""));
  return withoutCode.split("\n").flatMap((line, index) => {
    // An address cannot be wrapped, however long it is.
    const length = line.replace(/\]\([^)]*\)/g, "]()").length;
    return length > (line.startsWith("|") ? maxTableRow : maxLine) ? [`${path}:${index + 1} has ${length}`] : [];
  });
}

test("no line of a document is too long to be read", () => {
  const bad = `${"a".repeat(141)}\n|${"b".repeat(180)}|\n|${"c".repeat(200)}|\n\`\`\`sh\n${"d".repeat(300)}\n\`\`\`\n[e](${"e".repeat(200)})`;
  expect(longLines("bad.md", bad)).toEqual(["bad.md:1 has 141", "bad.md:3 has 202"]);
  const isOurs = (path: string) => /^(?:[A-Z]+|(?:docs|src|client|client-python|examples)\/.*)\.md$/.test(path);
  const documents = [...repository].filter(([path]) => isOurs(path));
  expect(documents.flatMap(([path, text]) => longLines(path, text))).toEqual([]);
});

test("every file that ARCHITECTURE.md and the pages beside the code name is there", () => {
  const maps = [...repository].filter(([path]) => path === "ARCHITECTURE.md" || /^src\/.*\.md$/.test(path));
  const missing = maps.flatMap(([map, text]) => {
    const near = [...filesUnder(repository, map.includes("/") ? dirname(map) : "src").keys()];
    const isThere = (name: string) =>
      repository.has(name) || filesUnder(repository, name).size > 0 || near.some((path) => path.endsWith(`/${name}`));
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|sql)|(?:src|docs|scripts)\/[\w/-]+)`/g)].map(
      ([, name = ""]) => name.replace(/\/$/, ""),
    );
    return named.filter((name) => !isThere(name)).map((name) => `${map} names ${name}`);
  });
  expect(missing).toEqual([]);
});
