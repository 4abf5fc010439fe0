import { afterAll } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * Loaded before every test file (bunfig.toml). What each file of a run of `npm test` takes of the processor, and what the
 * programs and browsers take that it started and that have ended; `scripts/test-costs.mjs` prints the costliest.
 */
const path = process.env.ODOGRAPH_TEST_COSTS;

/** As `getconf CLK_TCK` says on every Linux. */
const ticksPerSecond = 100;

let before = 0;

if (path !== undefined)
  afterAll(() => {
    const now = spentMs();
    const file = relative(process.cwd(), Bun.main);
    // One write: other test processes append to the same file.
    appendFileSync(path, `${JSON.stringify({ file, ms: Math.round(now - before) })}\n`);
    before = now;
  });

function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + ofEndedChildrenMs();
}

/** Nothing where the system does not say. */
function ofEndedChildrenMs(): number {
  try {
    // The name of the program is in brackets and may hold anything; the times of its children are fields 16 and 17.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1_000;
  } catch {
    return 0;
  }
}
