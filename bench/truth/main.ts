/**
 * Measures how true the derived data is, on real traces and on tracks whose truth is known. The rules run in this process; nothing is
 * stored.
 *
 *   node_modules/.bin/bun bench/truth/main.ts [--only NAME[,NAME]] [--src DIR] [--seed N] [--missed]
 *
 *   --only NAMES   the cases to run, by the beginning of their names (default: all)
 *   --src DIR      a checkout whose rules are measured (default: this one)
 *   --seed N       another seed is other tracks and other noise (default: 14)
 *   --missed       prints only the rows that miss their goal, and the table at the end
 *
 * Real traces are read from ../shared/data; without them their cases are skipped.
 */
import { resolve } from "node:path";
import { readOptions } from "../support/options.ts";
import { createBench } from "./bench.ts";
import { cases } from "./cases/cases.ts";
import { loadRules } from "./rules.ts";
import { type Row, type SummaryRow, table, verdict } from "./table.ts";

const root = resolve(import.meta.dir, "../..");
const options = readOptions(import.meta.url, { only: "", src: root, seed: 14, missed: false });
const only = options.only.split(",").filter(Boolean);

const bench = createBench(await loadRules(options.src), options.seed);
console.log(`seed ${options.seed}`);
const summary: SummaryRow[] = [];
for (const { name, run } of cases) {
  if (only.length > 0 && !only.some((start) => name.startsWith(start))) continue;
  const startedAt = performance.now();
  const found = run(bench);
  summary.push(...found.summary);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const rows = found.rows.filter(({ isMet }) => !options.missed || isMet === false);
  const lines = rows.map(({ what, measured, truth, goal, isMet }: Row) => [
    what,
    measured,
    truth,
    goal,
    verdict(isMet),
  ]);
  console.log(`\n## ${name} (${seconds} s)\n`);
  console.log(table(["case", "measured", "truth", "goal", ""], lines));
}
console.log("\n## Summary\n");
console.log(
  table(
    ["what", "measured", "goal", ""],
    summary.map(({ what, now, goal, isMet }) => [what, now, goal, verdict(isMet)]),
  ),
);
