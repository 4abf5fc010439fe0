import { expect, test } from "bun:test";
import { filesUnder, readRepository } from "../support/source-tree.ts";

/**
 * A statement that must write and writes nothing must not pass unnoticed (src/store/required-rows.ts): each `run` says how many
 * rows it must touch, unless one sees that it only removes rows, or is about a table as a whole. `insertMany` and `updateMany`
 * count by themselves.
 */

interface Run {
  /** How its first argument begins. */
  readonly statement: string;
  readonly hasNumber: boolean;
}

/** Calls of `run` on a transaction. */
function runsOf(text: string): Run[] {
  return [...text.matchAll(/\btx\s*\.run\(/g)].map(({ index, 0: { length } }) => {
    const [statement = "", required = ""] = argumentsFrom(text, index + length);
    return { statement: statement.trim(), hasNumber: required.trim() !== "" };
  });
}

/** The arguments of a call whose bracket opens before `start`. Commas and brackets inside of templates do not count. */
function argumentsFrom(text: string, start: number): string[] {
  const found = [""];
  /** What closes each thing that is open: a bracket, or a template. */
  const open: string[] = [];
  for (let index = start; index < text.length; index++) {
    const sign = text[index] as string;
    const isInTemplate = open.at(-1) === "`";
    if (sign === open.at(-1)) open.pop();
    else if (isInTemplate && sign === "{" && text[index - 1] === "$") open.push("}");
    else if (!isInTemplate && sign === "`") open.push("`");
    else if (!isInTemplate && "([{".includes(sign)) open.push({ "(": ")", "[": "]", "{": "}" }[sign] as string);
    else if (open.length === 0 && sign === ")") return found;
    else if (open.length === 0 && sign === ",") {
      found.push("");
      continue;
    }
    found[found.length - 1] += sign;
  }
  return found;
}

const removes = /^sql`\s*delete\s/;
const isAboutTable = /^plainSql\([`"](?:drop table|analyze)\s/;

function faultsIn(text: string): string[] {
  return runsOf(text)
    .filter(({ statement, hasNumber }) => !hasNumber && !removes.test(statement) && !isAboutTable.test(statement))
    .map(({ statement }) => statement.replace(/\s+/g, " ").slice(0, 80));
}

test("every statement that adds or changes rows says how many it must", async () => {
  const sources = filesUnder(await readRepository(), "src");
  const all = [...sources].map(([path, text]) => [path, text, runsOf(text).length] as const);
  expect(all.reduce((sum, [, , count]) => sum + count, 0)).toBeGreaterThan(50);
  const faults = all.flatMap(([path, text]) => faultsIn(text).map((fault) => `${path}: ${fault}`));
  expect(faults).toEqual([]);
});

test("one that does not is found", () => {
  const nested = "sql`update a set b = $" + "{f(1, `x`)}, c = 2`";
  expect(faultsIn(`await tx.run(${nested});`)).toHaveLength(1);
  expect(faultsIn("await tx.run(sql`\n  insert into a values (1)`);")).toHaveLength(1);
  expect(faultsIn("await tx.run(made(1, 2));")).toHaveLength(1);
  expect(faultsIn(`await tx.run(${nested}, 1);`)).toEqual([]);
  expect(faultsIn('await tx.run(\n  sql`insert into a values (1)`,\n  "any",\n);')).toEqual([]);
  expect(faultsIn("return tx.run(sql`delete from a where b in (1, 2)`);")).toEqual([]);
});
