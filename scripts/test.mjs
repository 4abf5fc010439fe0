// `npm test`: types, lint, format, and every behaviour once. `--rest` is all that this leaves out (test/support/circles.mjs),
// with more rounds of random and repeated events. `--quick` leaves out the files that take long, `--no-tests`
// (`npm run check`) all of them. Other arguments go to `bun test`, e.g. a part of a path.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { findBun, whenNpmIsGone } from "../bin/launch.mjs";
import { filesOutside, testFiles } from "../test/support/circles.mjs";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { createSupervisedDirectory } from "../test/support/supervised-directory.mjs";
import { ensureInstalled, root } from "./install.mjs";
import { endedChildrenSeconds, printCosts } from "./test-costs.mjs";

const isRest = process.argv.includes("--rest");
const circle = isRest ? "rest" : "first";
const isLong = process.env.ODOGRAPH_TEST_ROUNDS === "long";

/** Only for a test that hangs: on a busy machine, tests of real programs and databases may take twenty times as long. */
const testTimeoutMs = isLong ? 2_400_000 : 600_000;

/**
 * Test files run in parallel: two more than there are processors, because tests wait for programs and databases. More
 * processes than this would only wait for the one database server.
 */
const processes = Math.min(availableParallelism() + 2, 4);

/**
 * How long each file took, in milliseconds, so that the slowest are started first and no processor is idle at the end.
 * `npm test -- --update-timings` writes it anew. A file that it does not name is started early.
 */
const timingsPath = isRest ? "test/timings-rest.json" : "test/timings.json";

/** Files that took longer are not in the quick part. */
const quickFileMs = 800;

/** What files import that start stores, programs or browsers: as long as nobody knows how long one takes, it takes long. */
const startsMuch = /support\/(?:engines|one-engine|program|browser-test|route-suite)\.ts/;

const isQuick = process.argv.includes("--quick");
const isWithoutTests = process.argv.includes("--no-tests");
const bunArguments = process.argv
  .slice(2)
  .filter((argument) => !["--quick", "--no-tests", "--rest"].includes(argument));

const linesOfAFailure = 30;

const isTerminal = process.stdout.isTTY === true;
/** Process groups that must end when we do. */
const running = new Set();

ensureInstalled({ production: false });
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
]) {
  // Servers and directories end with this process, so there is nothing to wait for.
  process.on(signal, () => leave(code));
}
whenNpmIsGone(() => leave(143));

if (isWithoutTests) sumUp(await Promise.all(sourceChecks()));
else if (process.platform === "win32") {
  console.error("the tests start shells and send signals, which Windows does not know: run them in WSL");
  process.exitCode = 1;
} else {
  // Removing this directory removes everything that the tests wrote. Should this process be killed, its supervisor also
  // ends the test process and what that started. (Bun's `--no-orphans` would do that as well, but it also ends the
  // supervisors of others before they have cleaned up.)
  const scratch = await createSupervisedDirectory({
    steps: `
      group=
      step_guard() { group=$1; }
      before_removal() { [ -z "$group" ] || kill -KILL "-$group" 2>/dev/null; }
    `,
  });
  const compile = check("compile", ["scripts/compile.mjs", join(scratch.directory, "odograph")], {
    ODOGRAPH_COMPILE_BYTECODE: "1",
  });
  // The checks need one processor most of the time, and the tests need nothing of them.
  const checks = Promise.all([compile, ...(isRest ? [] : sourceChecks())]);
  const [database] = await Promise.all([startDatabase(), compile]);
  const costsPath = join(scratch.directory, "costs");
  const tests = await runTests(scratch, database.url, costsPath);
  const passed = await checks;
  const before = endedChildrenSeconds();
  await database.stop();
  const all = endedChildrenSeconds();
  printCosts(costsPath, [
    { name: "the database server", seconds: all === null ? null : all - before },
    { name: "everything, with checks and compiling", seconds: all },
  ]);
  await scratch.remove();
  sumUp(passed, tests);
}

function leave(code) {
  for (const group of running) endGroup(group);
  process.exit(code);
}

function sourceChecks() {
  return [
    check("types", typeCheck("tsconfig.json")),
    check("types of the page", typeCheck("tsconfig.page.json")),
    check("lint and format", ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", ...biomeColours()]),
  ];
}

/** What the last run found is kept: only files that have changed since, and those that use them, are checked again. */
function typeCheck(project) {
  const known = join("node_modules/.cache/odograph", `${project}.tsbuildinfo`);
  const remembered = ["--incremental", "--tsBuildInfoFile", known];
  return [
    "node_modules/typescript/bin/tsc",
    "--noEmit",
    "--pretty",
    String(isTerminal),
    "--project",
    project,
    ...remembered,
  ];
}

function sumUp(checks, tests = { passed: 0, failed: 0, skipped: 0 }) {
  const failed = tests.failed + checks.filter((passed) => !passed).length;
  const passed = tests.passed + checks.filter((passed) => passed).length;
  // Again at the end: who reads only that knows what failed.
  for (const failure of tests.failures ?? []) console.log(`${failure}\n`);
  console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function startDatabase() {
  const url = process.env.DATABASE_URL_TEST;
  if (url) return { url, stop: async () => {} };
  try {
    return await startPostgres();
  } catch (error) {
    // The tests that need it fail with their own messages; the others are still worth running.
    console.error(error.message);
    return { url: "postgres://127.0.0.1:1/unavailable", stop: async () => {} };
  }
}

/** One part that is either fine, and then silent, or not. */
async function check(name, args, env = {}) {
  const started = performance.now();
  let output = "";
  const code = await run(process.execPath, args, { ...process.env, ...env }, (text) => {
    output += text;
  });
  if (code !== 0) process.stderr.write(output);
  report(name, code === 0, started);
  return code === 0;
}

/** Passing tests are counted, failing ones shown in full. */
async function runTests(scratch, databaseUrl, costsPath) {
  const started = performance.now();
  const junitPath = join(scratch.directory, "junit.xml");
  const args = [
    "test",
    "--only-failures",
    `--timeout=${testTimeoutMs}`,
    `--parallel=${processes}`,
    // Each process keeps its modules, as one that serves does: loading and warming them up for each file took half of the
    // processor's time. So a file must not change what it shares with others, such as the environment.
    "--no-isolate",
    `--timings=${timingsPath}`,
    ...leftOut().map((path) => `--path-ignore-patterns=${path}`),
    "--reporter=junit",
    `--reporter-outfile=${junitPath}`,
    ...bunArguments,
  ];
  let output = "";
  const env = {
    ...process.env,
    DATABASE_URL_TEST: databaseUrl,
    // Where the compiled program is, and what the files of one run share.
    ODOGRAPH_TEST_RUN: scratch.directory,
    TMPDIR: scratch.directory,
    // Read by test/support/circles.mjs, file-cost.ts and rounds.ts.
    ODOGRAPH_TEST_CIRCLE: circle,
    ODOGRAPH_TEST_COSTS: costsPath,
  };
  if (isTerminal) env.FORCE_COLOR = "1";
  const onText = (text) => {
    output += text;
    process.stderr.write(text);
  };
  let group = 0;
  const code = await run(findBun(), args, env, onText, (started) => {
    group = started;
    scratch.step("guard", String(group));
  });
  // A server that a test has left running, perhaps because it failed.
  if (group > 0) endGroup(group);
  await scratch.step("guard");
  const counts = readCounts(junitPath);
  // A file that cannot be loaded has no entry of its own in the report.
  counts.failed += output.split("# Unhandled error between tests").length - 1;
  counts.failures = failuresIn(output);
  if (counts.passed + counts.failed === 0) {
    console.error(`no test ran (bun test: exit code ${code})`);
    counts.failed = 1;
  } else if (code !== 0 && counts.failed === 0) {
    console.error(`bun test failed outside of a test (exit code ${code})`);
    counts.failed = 1;
  }
  report("tests", counts.failed === 0, started);
  return counts;
}

/** The name of each test that failed, below the lines in which `bun test` says why. */
function failuresIn(output) {
  const lines = output.split("\n");
  const ends = lines.flatMap((line, at) => (line.includes("(fail)") ? [at] : []));
  return ends.map((end, at) => {
    const before = at === 0 ? 0 : (ends[at - 1] ?? 0) + 1;
    return lines.slice(Math.max(before, end - linesOfAFailure), end + 1).join("\n");
  });
}

function leftOut() {
  const outside = filesOutside(circle, root);
  return isQuick ? [...new Set([...outside, ...slowFiles()])] : outside;
}

function slowFiles() {
  const { files } = JSON.parse(readFileSync(join(root, timingsPath), "utf8"));
  const unnamed = testFiles(root).filter((path) => files[path] === undefined);
  const starting = unnamed.filter((path) => startsMuch.test(readFileSync(join(root, path), "utf8")));
  const slow = Object.keys(files).filter((path) => files[path] > quickFileMs);
  console.log(`--quick leaves out ${slow.length} test files that take longer than ${quickFileMs / 1000} s`);
  if (starting.length > 0) console.log(`and ${starting.length} with real parts that ${timingsPath} does not name yet`);
  return [...slow, ...starting];
}

function readCounts(junitPath) {
  let report = "";
  try {
    report = readFileSync(junitPath, "utf8");
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
  const total = (name) => Number(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`).exec(report)?.[1] ?? 0);
  const failed = total("failures");
  const skipped = total("skipped");
  return { passed: total("tests") - failed - skipped, failed, skipped };
}

/** Runs a command in its own process group, so that a signal reaches everything it started. */
function run(command, args, env, onText, onStart = (_group) => {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8").on("data", onText);
    child.stderr.setEncoding("utf8").on("data", onText);
    child.on("spawn", () => {
      running.add(child.pid);
      onStart(child.pid);
    });
    child.on("error", (error) => {
      onText(`${error.message}\n`);
      resolve(1);
    });
    child.on("close", (code, signal) => {
      running.delete(child.pid);
      resolve(code ?? signal);
    });
  });
}

function endGroup(group) {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function report(name, isFine, started) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name.padEnd(7)} ${isFine ? "ok" : "FAILED"} (${seconds} s)`);
}

function biomeColours() {
  return [`--colors=${isTerminal ? "force" : "off"}`];
}
