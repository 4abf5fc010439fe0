import { expect, test } from "bun:test";
import { filesUnder, readRepository } from "../support/source-tree.ts";

/**
 * A statement that must write and writes nothing must not pass unnoticed (src/store/required-rows.ts): `write` fails then, and
 * `writeAny` says that none is right, too. So `run` is left to what only removes rows, or is about a table as a whole.
 * What passes on any `query` is free, too. `insertMany` and `updateMany` count by themselves.
 */
const isFree = /^(?:query\)|sql`\s*delete\s|plainSql\([`"](?:drop table|analyze)\s)/;

/** How the argument of each `run` of a transaction begins. */
function runsIn(text: string): string[] {
  return [...text.matchAll(/\btx\s*\.run\(\s*/g)].map(({ index, 0: { length } }) => text.slice(index + length));
}

function faultsIn(text: string): string[] {
  return runsIn(text)
    .filter((statement) => !isFree.test(statement))
    .map((statement) => statement.replace(/\s+/g, " ").slice(0, 80));
}

test("every statement that adds or changes rows says how many it must", async () => {
  const sources = [...filesUnder(await readRepository(), "src")];
  expect(sources.reduce((sum, [, text]) => sum + runsIn(text).length, 0)).toBeGreaterThan(40);
  expect(sources.flatMap(([path, text]) => faultsIn(text).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test("one that does not is found", () => {
  expect(faultsIn("await tx.run(sql`update a set b = 1`);")).toHaveLength(1);
  expect(faultsIn("await tx.run(\n  sql`\n  insert into a values (1)`);")).toHaveLength(1);
  expect(faultsIn("await tx.run(made(1, 2));")).toHaveLength(1);
  expect(faultsIn("await tx.write(sql`update a set b = 1`);")).toEqual([]);
  expect(faultsIn("return tx.run(sql`delete from a where b in (1, 2)`);")).toEqual([]);
});
