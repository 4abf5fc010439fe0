// Starts Odograph on the Bun that the package pins: for bin/odograph and for `npm start`.
// Uses no package and no syntax newer than Node 20's.
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Until Bun's install script has run, a text of 450 bytes is in its place. */
const smallestBunBytes = 1_000_000;

/** npm repeats a signal that its children may have received already. So does systemd, which signals every process. */
const sameSignalMs = 1_000;

const parentCheckMs = 250;
const isRunByNpm = process.env.npm_lifecycle_event !== undefined && process.platform !== "win32";

/**
 * The Bun of this package, wherever npm put it: beside us or above us. Its install script moves the program into the
 * package `bun`. npm may not run that script (`--ignore-scripts`, or a newer npm that was not told to), and then the
 * program is still in the package for this system.
 * @returns {string | null} null: it is not installed
 */
export function findBun() {
  const manifest = resolved(import.meta.url, "bun/package.json");
  if (manifest === null) return null;
  const moved = join(dirname(manifest), "bin/bun.exe");
  if (isProgram(moved)) return moved;
  const packaged = resolved(manifest, ofThisSystem());
  return packaged !== null && isProgram(packaged) ? packaged : null;
}

/**
 * The working directory stays the caller's, but files that Bun would read there belong to some other program: a `.env`
 * could name another database, and a bunfig.toml can load code. Odograph's settings come only from its arguments and the
 * real environment. With `--no-install` (and our bunfig.toml) a missing package is an error, not a download.
 * @param {string[]} words
 */
export function bunArguments(words) {
  const config = join(root, "bunfig.toml");
  return ["--no-env-file", "--no-install", `--config=${config}`, join(root, "src/cli/main.ts"), ...words];
}

/** @param {string[]} words */
export function launch(words) {
  const bun = findBun();
  if (bun === null) {
    process.stderr.write(`odograph: Bun is not installed: run \`npm install\` in ${root}\n`);
    process.exitCode = 1;
  } else if (process.execve !== undefined && process.platform !== "win32" && !isRunByNpm) {
    // Node 22.15 and newer: the program takes this process over, with its id, so that signals reach it itself.
    process.execve(bun, [bun, ...bunArguments(words)]);
  } else {
    // Should this process be killed, the program ends as well: two that use the same port or data would be worse.
    standInFor(() => spawn(bun, ["--no-orphans", ...bunArguments(words)], { stdio: "inherit" }));
  }
}

/**
 * npm hands a signal to a shell between it and us, and that may end without handing it down. Then we have another parent.
 * @param {() => void} act called when what npm started us with is gone
 */
export function whenNpmIsGone(act) {
  if (!isRunByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, parentCheckMs);
  timer.unref();
}

/** Hands signals down to the child, and ends as it ends. It listens before the child is there, or one could be missed. */
function standInFor(start) {
  let child = null;
  // Ctrl-C reaches the child without us. On Windows there is no other such signal, and handing it down would kill.
  const fromTerminal = process.platform === "win32" || isatty(0) ? ["SIGINT", "SIGQUIT", "SIGBREAK"] : [];
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK"].filter((name) => name in constants.signals);
  for (const signal of signals) {
    let handedAt = -sameSignalMs;
    process.on(signal, () => {
      const now = performance.now();
      if (fromTerminal.includes(signal) || now - handedAt < sameSignalMs) return;
      handedAt = now;
      child.kill(signal);
    });
  }
  child = start();
  whenNpmIsGone(() => child.kill("SIGTERM"));
  child.on("error", (error) => {
    process.stderr.write(`odograph: Bun could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Our parent may have had us ignore it.
    setTimeout(() => process.exit(128 + constants.signals[signal]), sameSignalMs);
  });
}

function ofThisSystem() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const processor = process.arch === "arm64" ? "aarch64" : process.arch;
  const file = process.platform === "win32" ? "bun.exe" : "bun";
  return `@oven/bun-${system}-${processor}${isMusl() ? "-musl" : ""}/bin/${file}`;
}

/** Node itself knows which C library it runs on. */
function isMusl() {
  if (process.platform !== "linux") return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function resolved(from, name) {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return null;
  }
}

function isProgram(path) {
  return existsSync(path) && statSync(path).size >= smallestBunBytes;
}
