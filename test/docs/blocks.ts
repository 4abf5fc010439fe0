import { filesUnder, readRepository, type SourceTree } from "../support/source-tree.ts";

/** A piece of code in a document. */
export interface Block {
  readonly page: string;
  /** Where its text begins, from 1. */
  readonly line: number;
  /** What stands after the fence. An indented block counts as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** One `$ command` of a console block, and what the page says that it prints. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

export const repository: SourceTree = await readRepository();

/** Where readers find commands to type. Decisions are history, and are left as they were. */
export const pages: readonly string[] = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...[...filesUnder(repository, "docs").keys()].filter((path) => /^docs\/[^/]+\.md$/.test(path)),
];

export function blocksOf(page: string): Block[] {
  return blocksIn(page, repository.get(page) ?? "");
}

export function blocksIn(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^ *```(\w*)$/.exec(lines[at] ?? "");
    const isIndented = /^ {4}\S/.test(lines[at] ?? "") && lines[at - 1] === "";
    if (!fence && !isIndented) continue;
    const isWithin = (line: string) => (fence ? !/^ *```$/.test(line) : /^ {4}|^$/.test(line));
    const begin = fence ? at + 1 : at;
    let end = begin;
    while (end < lines.length && isWithin(lines[end] ?? "")) end++;
    const content = lines.slice(begin, end).map((line) => (fence ? line : line.slice(4)));
    blocks.push({ page, line: begin + 1, language: fence?.[1] ?? "sh", text: content.join("\n").trimEnd() });
    at = end;
  }
  return blocks;
}

export function stepsOf(block: Block): Step[] {
  return block.text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.replace(/\n$/, "").split("\n");
      return { command, output: output.map((line) => `${line}\n`).join("") };
    });
}

export function nameOf({ page, line, text }: Block): string {
  return `${page}:${line} ${text.split("\n", 1)[0]}`;
}
