import { randomBytes } from "node:crypto";
import { chownSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { copyTree, freePort, nativeDirectory, serverOwner } from "../../../test/support/postgres-server.mjs";
import { createSupervisedDirectory } from "../../../test/support/supervised-directory.mjs";

// Unlike the tests' server it syncs its files, as in production. A killed process loses nothing that it gave to the
// operating system, so a drill does not show what a power cut does: that it syncs is PostgreSQL's own promise.
const settings = ["fsync=on", "max_connections=200", "shared_buffers=64MB", "listen_addresses='127.0.0.1'"];

const steps = `
step_initdb() {
  printf '%s\\n' "\${1%% *}" >"$directory/password"
  "$directory/native/bin/initdb" -D "$directory/data" -U odograph -A scram-sha-256 --pwfile="$directory/password" \\
    -E UTF8 --locale=C \${1#* }
}
step_copy() {
  cp -R "$directory/data" "$directory/standby" && : >"$directory/standby/standby.signal" &&
    printf "primary_conninfo = 'host=127.0.0.1 port=%s user=odograph password=%s application_name=standby'\\n" \\
      "$1" "$(cat "$directory/password")" >>"$directory/standby/postgresql.conf"
}
step_start() {
  data=$directory/\${1#* }
  PGPASSFILE="$directory/passfile" "$directory/native/bin/postgres" -D "$data" -p "\${1%% *}" -c unix_socket_directories="$directory" \\
    >>"$directory/server.log" 2>&1 </dev/null &
  server=$!
  servers="$servers $server"
  until [ "$(sed -n '1p;8p' "$data/postmaster.pid" 2>/dev/null | tr -d '\\n ')" = "\${server}ready" ]; do
    kill -0 "$server" 2>/dev/null || return 1
    sleep 0.01
  done
}
step_reap() {
  wait "$1"
  return 0
}
step_promote() {
  "$directory/native/bin/pg_ctl" promote -D "$directory/$1" -t 60
}
before_removal() {
  for one in $servers; do kill -CONT "$one"; kill -QUIT "$one" && wait "$one"; done 2>/dev/null
}
`;

type Home = Awaited<ReturnType<typeof createSupervisedDirectory>>;

/** A PostgreSQL whose processes a drill may kill, freeze and start again. Its files go with this process. */
export class DrillDatabase {
  readonly #home: Home;
  /** The name of its data directory inside of the home. */
  readonly #name: string;
  readonly port: number;
  readonly #password: string;
  #postmaster = 0;

  constructor(home: Home, name: string, port: number, password: string) {
    this.#home = home;
    this.#name = name;
    this.port = port;
    this.#password = password;
  }

  /** The address of the server, or of something that leads to it. */
  url(port = this.port): string {
    return `postgres://odograph:${this.#password}@127.0.0.1:${port}/postgres`;
  }

  /** What it signs in with where it is a client itself: lines of `.pgpass`. */
  knowPasswords(lines: readonly string[]): void {
    const path = join(this.home, "passfile");
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    const owner = serverOwner();
    if (owner) chownSync(path, owner.uid, owner.gid);
  }

  get home(): string {
    return this.#home.directory;
  }

  get data(): string {
    return join(this.#home.directory, this.#name);
  }

  get log(): string {
    return readFileSync(join(this.#home.directory, "server.log"), "utf8");
  }

  /** Resolves when it accepts connections. False: it did not start, and the log says why. */
  async start(): Promise<boolean> {
    const isStarted = (await this.#home.step("start", `${this.port} ${this.#name}`)) === 0;
    // The file goes when the server ends.
    if (isStarted) this.#postmaster = Number(readFileSync(join(this.data, "postmaster.pid"), "utf8").split("\n")[0]);
    return isStarted;
  }

  async mustStart(): Promise<void> {
    if (!(await this.start())) throw new Error(`PostgreSQL did not start:\n${this.log.slice(-2_000)}`);
  }

  /** `kill -9` of the postmaster and all of its children. */
  async kill(): Promise<void> {
    const { postmaster, children } = this.processes();
    // The postmaster first, so that it starts nothing in place of the others.
    for (const pid of [postmaster, ...children]) signal(pid, "SIGKILL");
    await this.#reaped(postmaster, children);
  }

  /** What `pg_ctl stop -m fast` does: every connection is cut, then a checkpoint is written. */
  async stopFast(): Promise<void> {
    const { postmaster, children } = this.processes();
    signal(postmaster, "SIGINT");
    await this.#reaped(postmaster, children);
  }

  /** One process that serves a client; null if there is none. */
  backend(): number | null {
    const { children } = this.processes();
    return children.find((pid) => /odograph postgres 127/.test(commandOf(pid))) ?? null;
  }

  freeze(): void {
    const { postmaster, children } = this.processes();
    for (const pid of [postmaster, ...children]) signal(pid, "SIGSTOP");
  }

  thaw(): void {
    const { postmaster, children } = this.processes();
    for (const pid of [...children, postmaster]) signal(pid, "SIGCONT");
  }

  /** A standby becomes a primary. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    if ((await this.#home.step("promote", this.#name)) !== 0) throw new Error("the standby was not promoted");
  }

  /** Whether its postmaster runs. */
  get isRunning(): boolean {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${this.processes().postmaster}/status`, "utf8"));
    } catch {
      return false;
    }
  }

  /** Waits for a postmaster that has ended by itself. */
  async reap(): Promise<void> {
    const { postmaster, children } = this.processes();
    await this.#reaped(postmaster, children);
  }

  async remove(): Promise<void> {
    await this.#home.remove();
  }

  processes(): { readonly postmaster: number; readonly children: readonly number[] } {
    return { postmaster: this.#postmaster, children: childrenOf(this.#postmaster) };
  }

  /** A dead process that nobody waited for still has its number, which would keep the next server from starting. */
  async #reaped(postmaster: number, children: readonly number[]): Promise<void> {
    await this.#home.step("reap", String(postmaster));
    while (children.some((pid) => commandOf(pid) !== "")) await Bun.sleep(10);
  }
}

export interface DatabaseOptions {
  /** Further lines of `postgresql.conf`. */
  readonly settings?: readonly string[];
  /** Of the superuser. Any by default. */
  readonly password?: string;
  /** The directory of another PostgreSQL's `bin`, which every user may read. Ours by default. */
  readonly programs?: string;
  /** Called when the home exists and is still empty. */
  readonly prepare?: (home: string) => void;
  /** Its log, in short files, is beside its data, and so may be on another file system. */
  readonly hasOwnLogDirectory?: boolean;
}

/** Makes and starts a server on a free port of 127.0.0.1. */
export async function startDatabase(options: DatabaseOptions = {}): Promise<DrillDatabase> {
  const { home, password } = await makeHome(options);
  try {
    const database = new DrillDatabase(home, "data", await freePort(), password);
    await configure(database, [...settings, ...(options.settings ?? [])]);
    await database.mustStart();
    return database;
  } catch (error) {
    await home.remove();
    throw error;
  }
}

/** A directory with the program and an empty cluster, that goes with this process. */
async function makeHome(options: DatabaseOptions = {}): Promise<{ readonly home: Home; readonly password: string }> {
  const owner = serverOwner();
  const home = await createSupervisedDirectory({ owner, steps });
  try {
    options.prepare?.(home.directory);
    const native = join(home.directory, "native");
    if (owner !== null && !options.programs) copyTree(nativeDirectory(), native, owner);
    else symlinkSync(options.programs ?? nativeDirectory(), native);
    const password = options.password ?? randomBytes(16).toString("hex");
    const words = options.hasOwnLogDirectory
      ? `--no-sync --wal-segsize=1 -X ${join(home.directory, "log")}`
      : "--no-sync";
    if ((await home.step("initdb", `${password} ${words}`)) !== 0) throw new Error("initdb failed");
    return { home, password };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

/**
 * A primary and its streaming standby. What the primary has acknowledged is on the standby's disk as well, so a failover
 * loses nothing of it.
 */
export async function startWithStandby(): Promise<{
  readonly primary: DrillDatabase;
  readonly standby: DrillDatabase;
}> {
  const { home, password } = await makeHome();
  const primary = new DrillDatabase(home, "data", await freePort(), password);
  const standby = new DrillDatabase(home, "standby", await freePort(), password);
  try {
    await configure(primary, [...settings, "wal_keep_size=1GB", "wal_retrieve_retry_interval=100ms"]);
    // A copy of files that no server has used yet. All the rest comes from the primary.
    if ((await home.step("copy", `${primary.port}`)) !== 0) throw new Error("the standby could not be made");
    await configure(primary, ["synchronous_standby_names='standby'"]);
    await primary.mustStart();
    await standby.mustStart();
    return { primary, standby };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

async function configure(database: DrillDatabase, lines: readonly string[]): Promise<void> {
  await appendFile(join(database.data, "postgresql.conf"), `\n${lines.join("\n")}\n`);
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return null;
  }
}

/** Empty for a process that is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
