import { expect, test } from "bun:test";
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
