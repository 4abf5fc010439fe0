/**
 * Measures how true the derived data is: on real traces, and on tracks and noise that it makes up and so knows the truth
 * of. The rules run in this process; nothing is stored.
 */
import { resolve } from "node:path";
import { createBench } from "./bench.ts";
import { cases } from "./cases/cases.ts";
import { help, readOptions } from "./options.ts";
import { loadRules } from "./rules.ts";
import { type Row, type SummaryRow, table, verdict } from "./table.ts";

const root = resolve(import.meta.dir, "../..");
const options = readOptions(process.argv.slice(2), root);
if (options === null) {
  console.log(help);
  process.exit(0);
}

const bench = createBench(await loadRules(options.src), options.seed);
console.log(`seed ${options.seed}`);
const summary: SummaryRow[] = [];
for (const { name, run } of cases) {
  if (options.only.length > 0 && !options.only.some((only) => name.startsWith(only))) continue;
  const startedAt = performance.now();
  const found = run(bench);
  summary.push(...found.summary);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const rows = found.rows.filter(({ isMet }) => !options.missedOnly || isMet === false);
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
console.log("\n## The table of section 8\n");
console.log(
  table(
    ["what", "1.0.0 (document)", "measured now", "must hold", ""],
    summary.map(({ what, before, now, goal, isMet }) => [what, before, now, goal, verdict(isMet)]),
  ),
);
