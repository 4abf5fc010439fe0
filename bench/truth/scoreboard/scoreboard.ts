/**
 * The scoreboard: how wrong the rules are, row by row. No change of a rule may make a row worse than it ever was.
 *
 *   node_modules/.bin/bun bench/truth/scoreboard/scoreboard.ts [--only TEXT[,TEXT]] [--cases] [--record] [--src DIR]
 *
 *   --only TEXTS   the rows whose names contain one of these
 *   --cases        the cases of main.ts, too: some minutes of processor time
 *   --record       writes bench/truth/scoreboard.json; only better figures replace the best
 *   --src DIR      a checkout whose rules are measured (default: this one)
 *
 * Ends with status 1 if a row is worse than recorded by more than its noise.
 */
import { resolve } from "node:path";
import { readOptions } from "../../support/options.ts";
import { createBench } from "../bench.ts";
import { loadRules } from "../rules.ts";
import { table } from "../table.ts";
import { caseRows } from "./rows/case-rows.ts";
import { scoreRows } from "./rows/rows.ts";
import { isWorse, type Score, scoreOf, seeds } from "./score.ts";
import { readScores, writeScores } from "./score-file.ts";

const root = resolve(import.meta.dir, "../../..");
const options = readOptions(import.meta.url, { only: "", cases: false, record: false, src: root });
const only = options.only.split(",").filter(Boolean);
const rules = await loadRules(options.src);
const recorded = readScores();
const wanted = [...scoreRows, ...(options.cases ? caseRows : [])].filter(
  ({ name }) => only.length === 0 || only.some((text) => name.includes(text)),
);

const measured = new Map<string, Score>();
const lines: string[][] = [];
let worse = 0;
for (const row of wanted) {
  const before = recorded.get(row.name);
  const errors = seeds.map((seed) => row.measure(createBench(rules, seed)));
  if (errors.some((error) => error === null)) continue;
  const score = scoreOf(row, errors as number[], before);
  measured.set(row.name, score);
  const isNowWorse = before !== undefined && isWorse(before, score.figure);
  if (isNowWorse) worse++;
  const each = score.errors.map((error) => error.toFixed(2)).join(", ");
  const was = before === undefined ? "" : `${before.figure}`;
  const state = isNowWorse ? "WORSE" : score.isReached ? "ok" : "missed";
  lines.push([row.name, was, `${score.figure} ${row.unit}`, each, `${before?.best ?? ""}`, `${row.target}`, state]);
}
console.log(table(["row", "recorded", "now", "each seed", "best", "target", ""], lines));
if (options.record) writeScores(measured);
if (worse > 0) {
  console.log(`${worse} rows are worse than they were.`);
  process.exit(1);
}
