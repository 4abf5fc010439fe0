import type { ScoreRow } from "../score.ts";
import { driveScores } from "./drives.ts";
import { jamRows } from "./jams.ts";
import { reportRows } from "./reports.ts";
import { standingRows } from "./standing.ts";
import { streetRows } from "./streets.ts";

/** The rows with a figure of their own: what the rules once got wrong on data that nobody here had seen. */
export const scoreRows: readonly ScoreRow[] = [
  ...streetRows,
  ...jamRows,
  ...standingRows,
  ...driveScores,
  ...reportRows,
];
