import { cases } from "../../cases/cases.ts";
import type { ScoreRow } from "../score.ts";

/** The cases of `main.ts`: how many of their kinds miss their goal. */
export const caseRows: readonly ScoreRow[] = cases.map(({ name, run }) => ({
  name: `case ${name}: kinds that miss their goal`,
  unit: "wrong",
  target: 0,
  measure: (bench) => run(bench).rows.filter(({ isMet }) => isMet === false).length,
}));
