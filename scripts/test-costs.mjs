// What a run of tests took of the processor: the twenty costliest files, so that rising costs are seen.
import { readFileSync } from "node:fs";

const shown = 20;

/** As `getconf CLK_TCK` says on every Linux. */
const ticksPerSecond = 100;

/**
 * Prints a table of what test/support/file-cost.ts wrote, and the whole.
 * @param {string} path where the test processes wrote
 * @param {{ name: string, seconds: number | null }[]} others what else took time, e.g. the database server
 */
export function printCosts(path, others) {
  const files = costsIn(path);
  if (files.length === 0) return;
  const ofFiles = files.reduce((sum, { ms }) => sum + ms / 1000, 0);
  const rest = files.slice(shown).reduce((sum, { ms }) => sum + ms / 1000, 0);
  const rows = [
    ...files.slice(0, shown).map(({ file, ms }) => ({ name: file, seconds: ms / 1000 })),
    { name: `${Math.max(0, files.length - shown)} other files`, seconds: rest },
    { name: "all test files, with the programs they start", seconds: ofFiles },
    ...others.filter(({ seconds }) => seconds !== null),
  ];
  console.log("processor time, in seconds");
  for (const { name, seconds } of rows) console.log(`${(seconds ?? 0).toFixed(1).padStart(7)}  ${name}`);
}

/** What the children of this process that have ended took, and theirs; null where the system does not say. */
export function endedChildrenSeconds() {
  try {
    // The name of the program is in brackets and may hold anything; the times of its children are fields 16 and 17.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return null;
  }
}

function costsIn(path) {
  const msOf = new Map();
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // No file has ended.
  }
  for (const line of text.split("\n").filter(Boolean)) {
    const { file, ms } = JSON.parse(line);
    msOf.set(file, (msOf.get(file) ?? 0) + ms);
  }
  return [...msOf].map(([file, ms]) => ({ file, ms })).sort((one, other) => other.ms - one.ms);
}
