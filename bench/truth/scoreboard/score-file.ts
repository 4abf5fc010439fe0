import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rulesVersion } from "../../../src/domain/rules.ts";
import type { Score } from "./score.ts";

const path = resolve(import.meta.dir, "../scoreboard.json");

export function readScores(): ReadonlyMap<string, Score> {
  if (!existsSync(path)) return new Map();
  const { rows } = JSON.parse(readFileSync(path, "utf8")) as { rows: Score[] };
  return new Map(rows.map((score) => [score.row, score]));
}

/** Rows that were not measured stay as they are in the file. */
export function writeScores(measured: ReadonlyMap<string, Score>): void {
  const rows = [...new Map([...readScores(), ...measured]).values()];
  const lines = rows.map((score) => `    ${JSON.stringify(score)}`);
  writeFileSync(path, `{\n  "rulesVersion": ${rulesVersion},\n  "rows": [\n${lines.join(",\n")}\n  ]\n}\n`);
}
