// What runs in `npm test` and what in `npm test -- --rest`. Together they run every test file, on each engine that it asks for.
// Read by scripts/test.mjs under Node, and by the tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What differs most between the engines: these folders run on both in the first circle, all others on SQLite. */
const onBothEngines = ["store", "derive", "intake", "follow"];

/**
 * Files that only the rest runs: drills, stories of the browser, generators of clients. Beside each, what the first circle
 * holds of its subject.
 */
const onlyInRest = {
  "test/portal/browser-accounts.test.ts": "browser-opened.test.ts opens each view and does its main action",
  "test/portal/browser-files.test.ts": "browser-opened.test.ts; server-program.test.ts serves the files",
  "test/portal/browser-trackers.test.ts": "browser-opened.test.ts opens the page of trackers",
  "test/portal/browser-views.test.ts": "browser-opened.test.ts opens each view and does its main action",
  "test/compile/npm-package.test.ts": "one-file.test.ts runs the program of a release",
};

/** A file of random or repeated events: the rest repeats it for longer (test/support/rounds.ts). */
const repeats = /\b(?:rounds|forAll)\(/;

/** A file that runs on the engines. */
const runsOnEngines = /\b(?:onEachEngine|describeRoute)\b/;

/** Null under `bun test` alone: everything, but not for longer. */
export function circle() {
  const name = process.env.ODOGRAPH_TEST_CIRCLE;
  return name === "first" || name === "rest" ? name : null;
}

/** The engines on which a file runs in a circle. */
export function enginesOf(inCircle, path, text) {
  const both = ["sqlite", "postgres"];
  if (inCircle === null || path in onlyInRest) return both;
  if (inCircle === "first") return onBothEngines.includes(path.split("/")[1] ?? "") ? both : ["sqlite"];
  return repeats.test(text) ? both : ["postgres"];
}

/** The test files that have nothing to do in a circle. */
export function filesOutside(inCircle, root) {
  return testFiles(root).filter((path) => {
    if (path in onlyInRest) return inCircle === "first";
    if (inCircle === "first") return false;
    const text = readFileSync(join(root, path), "utf8");
    const isDone = onBothEngines.includes(path.split("/")[1] ?? "") || !runsOnEngines.test(text);
    return isDone && !repeats.test(text);
  });
}

export function testFiles(root) {
  return readdirSync(join(root, "test"), { recursive: true })
    .map((path) => `test/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts"))
    .sort();
}
