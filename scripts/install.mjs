// Installs the dependencies when, and only when, what is installed does not match package-lock.json.
// Runs on a machine that has nothing but Node and npm, so it uses no package and no syntax newer than Node 20's.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "../bin/launch.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

const markerPath = join(root, "node_modules/.odograph-install.json");
/** Earlier ones do not take a file without an extension, such as bin/odograph, for a module. */
const oldestNode = [20, 10];

/**
 * Settings that `npm start` and `npm test` pass to every npm that they start, and that would change what is installed.
 * The others (registry, proxy, cache, certificates) are needed to reach the packages, and stay.
 */
const disturbingSettings = [
  "cpu",
  "dry_run",
  "global",
  "include",
  "install_strategy",
  "json",
  "libc",
  "location",
  "omit",
  "only",
  "os",
  "package_lock",
  "package_lock_only",
  "prefix",
  "production",
  "workspace",
  "workspaces",
];

/**
 * Makes sure that the dependencies are installed. If that fails, ends the process with one clear line.
 * @param {{ production: boolean }} options production: what running needs; otherwise also what developing needs
 */
export function ensureInstalled({ production }) {
  refuseOldNode();
  const lockText = readFileSync(join(root, "package-lock.json"), "utf8");
  const fingerprint = createHash("sha256").update(`${process.platform} ${process.arch}\n${lockText}`).digest("hex");
  const marker = readJson(markerPath);
  const isWanted = marker?.fingerprint === fingerprint && (production || marker.mode === "full");
  if (isWanted && findBun() !== null && areDirectOnesThere(production)) return;

  const found = areDirectOnesThere(production) ? modeOfInstalled(JSON.parse(lockText).packages) : null;
  if (found === "full" || (found === "production" && production)) {
    writeMarker(fingerprint, found);
    return;
  }
  // What is installed for development stays.
  const onlyRunning = production && marker?.mode !== "full";
  npmCi(
    onlyRunning,
    marker === null ? "first run" : marker.fingerprint === fingerprint ? "for development" : "changed",
  );
  if (findBun() === null) fail("npm finished, but Bun is not in place: is there one for this system?");
  writeMarker(fingerprint, onlyRunning ? "production" : "full");
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    fail(`Odograph needs Node ${oldestNode.join(".")} or newer; this is Node ${process.versions.node}`);
  }
}

/** Checks for files that may have been removed by hand. */
function areDirectOnesThere(production) {
  const { dependencies, devDependencies } = readJson(join(root, "package.json"));
  const wanted = Object.keys(production ? dependencies : { ...dependencies, ...devDependencies });
  return wanted.every((name) => existsSync(join(root, "node_modules", name, "package.json")));
}

/**
 * What a plain `npm install` has installed, according to the lockfile inside node_modules.
 * @returns {"full" | "production" | null} null: not what package-lock.json asks for
 */
function modeOfInstalled(wanted) {
  const installed = readJson(join(root, "node_modules/.package-lock.json"))?.packages;
  if (installed === undefined || findBun() === null) return null;
  for (const [path, entry] of Object.entries(installed)) {
    if (wanted[path]?.version !== entry.version || wanted[path]?.integrity !== entry.integrity) return null;
  }
  const missing = Object.entries(wanted).filter(([path, entry]) => {
    const isForAnotherMachine = entry.optional || entry.devOptional;
    return path !== "" && installed[path] === undefined && !isForAnotherMachine;
  });
  if (missing.length === 0) return "full";
  return missing.every(([, entry]) => entry.dev) ? "production" : null;
}

function npmCi(production, reason) {
  process.stderr.write(`Installing dependencies (${reason})…\n`);
  const started = performance.now();
  // The install scripts put the binaries of Bun and PostgreSQL in place; package.json lists which are approved. Running
  // this file already means trusting the project's code, so a general `ignore-scripts` need not apply.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const what = [production ? "--omit=dev" : "--include=dev", "--ignore-scripts=false"];
  const [command, ...before] = npmCommand();
  const run = (...more) =>
    spawnSync(command, [...before, "ci", ...quiet, ...what, ...more], {
      cwd: root,
      env: npmEnvironment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  // The lockfile pins versions and contents, so what npm has cached need not be asked for again, unless it was cached
  // before a version was published.
  let result = run("--prefer-offline");
  if (result.status !== 0 && /\bETARGET\b/.test(result.stderr)) result = run("--prefer-online");
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr);
    fail(`the dependencies could not be installed (npm ci: ${result.signal ?? `exit code ${result.status}`})`);
  }
  process.stderr.write(`Installed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** The npm that started us, so that it is the one the user chose; otherwise the one on the path. */
function npmCommand() {
  const started = process.env.npm_execpath ?? "";
  if (basename(started) === "npm-cli.js") return [process.execPath, started];
  // On the path of Windows there is only a file for its shell. npm itself is beside Node.
  const beside = join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js");
  return process.platform === "win32" ? [process.execPath, beside] : ["npm"];
}

function npmEnvironment() {
  const disturbing = new Set(disturbingSettings.map((name) => `npm_config_${name}`));
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !disturbing.has(name.toLowerCase().replaceAll("-", "_"))),
  );
}

/** Written last, so that an interrupted install is repeated. */
function writeMarker(fingerprint, mode) {
  writeFileSync(markerPath, `${JSON.stringify({ fingerprint, mode })}\n`);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
