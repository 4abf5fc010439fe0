import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { filesUnder } from "../support/source-tree.ts";
import { blocksIn, blocksOf, nameOf, pages, repository, stepsOf } from "./blocks.ts";
import { filled } from "./filled.ts";
import { isNotRun, notRun } from "./not-run.ts";

test("every block of code in the documents is run, compared, or listed with the reason why not", () => {
  const tests = [...repository].filter(([path]) => path.startsWith("test/docs/")).map(([, text]) => text);
  const isFollowed = (page: string) => tests.some((text) => text.includes(`follow("${page}"`));
  const left = pages.flatMap(blocksOf).filter((block) => !isFollowed(block.page) && !isNotRun(block));
  expect(left.map(nameOf)).toEqual([]);
});

test("what is listed as not run is there, once", () => {
  const all = pages.flatMap(blocksOf);
  const found = notRun.map((entry) => ({
    entry,
    count: all.filter(({ page, text }) => page === entry.page && text.startsWith(entry.begins)).length,
  }));
  expect(found.filter(({ count }) => count !== 1)).toEqual([]);
});

test("blocks are found, fenced and indented, with their line and language", () => {
  const text =
    "# A\n\n```sh\nls\n```\n\nText:\n\n    cd x\n    ls\n\n- item\n\n```console\n$ echo a\na\n$ true\n$ echo b\nb\n```\n";
  const blocks = blocksIn("a.md", text);
  expect(blocks.map(({ line, language, text }) => [line, language, text])).toEqual([
    [4, "sh", "ls"],
    [9, "sh", "cd x\nls"],
    [15, "console", "$ echo a\na\n$ true\n$ echo b\nb"],
  ]);
  expect(blocks.slice(2).flatMap(stepsOf)).toEqual([
    { command: "echo a", output: "a\n" },
    { command: "true", output: "" },
    { command: "echo b", output: "b\n" },
  ]);
});

test("ids, secrets and times may be others than a page shows, all else may not", () => {
  const [one, two, three] = [1, 2, 3].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
  const memory = new Map<string, string>();
  expect(filled(`made ${one}\n`, `made ${two}\n`, memory)).toBe(`made ${two}\n`);
  expect(filled(`gone ${one}\n`, `gone ${three}\n`, memory)).toBe(`gone ${two}\n`);
  expect(filled("at 2026-11-15 03:16:24Z", "at 2020-01-01 00:00:00Z", memory)).toBe("at 2026-11-15 03:16:24Z");
  expect(filled("at 2026-11-15 03:16:24Z", `at ${new Date().toISOString()}`, memory)).not.toContain("03:16:24Z");
  expect(filled("key odo_hwa3RXBB…", `key odo_${"a".repeat(46)}`, memory)).toBe(`key odo_${"a".repeat(46)}`);
  expect(filled("prefix odo_hwa3RXBB", "prefix odo_bbbbbbbb", memory)).toBe("prefix odo_aaaaaaaa");
});

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
