import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { createBench } from "../../bench/truth/bench.ts";
import { loadRules } from "../../bench/truth/rules.ts";
import { scoreRows } from "../../bench/truth/scoreboard/rows/rows.ts";
import { isWorse, scoreOf, seeds } from "../../bench/truth/scoreboard/score.ts";
import { readScores } from "../../bench/truth/scoreboard/score-file.ts";

const rules = await loadRules(resolve(import.meta.dir, "../.."));
const recorded = readScores();

test("no fast row of the scoreboard is worse than it ever was", () => {
  const worse = scoreRows.flatMap((row) => {
    const before = recorded.get(row.name);
    if (!row.isFast || before === undefined) return [];
    const errors = seeds.map((seed) => row.measure(createBench(rules, seed)) ?? 0);
    const { figure } = scoreOf(row, errors, before);
    return isWorse(before, figure) ? [`${row.name}: ${figure} ${row.unit}, was ${before.best}`] : [];
  });
  expect(worse).toEqual([]);
});

test("every row of the scoreboard is recorded once", () => {
  const names = scoreRows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !recorded.has(name))).toEqual([]);
});
