import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { until } from "./patience.ts";
import { copyTree, freePort, nativeDirectory, unprivilegedUser } from "./postgres-server.mjs";
import { createSupervisedDirectory } from "./supervised-directory.mjs";

type ServerName = "primary" | "replica" | "standby";
const serverNames: readonly ServerName[] = ["primary", "replica", "standby"];

/** One of the servers. */
export interface ServerUnderTest {
  readonly url: string;
  start(): Promise<void>;
  /** Ends all its connections. */
  stop(): Promise<void>;
  /** It stays connected and does nothing. */
  freeze(): void;
  thaw(): void;
  /** Processor time of it and of those that it has running, in milliseconds. */
  cpuMs(): Promise<number>;
}

export interface ReplicaUnderTest extends ServerUnderTest {
  /** It is connected, and receives what it does not show. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  promote(): Promise<void>;
  /** Makes it a replica again, from the primary's first file on, of the primary or of the standby. It must be stopped. */
  rebuild(of?: "primary" | "standby"): Promise<void>;
  /** Resolves when it shows what the primary has stored by now. */
  isLevel(): Promise<void>;
}

export interface ReplicatedPostgres {
  readonly primary: ServerUnderTest;
  readonly replica: ReplicaUnderTest;
  /** Another replica, which is there when it is built and started. */
  readonly standby: ReplicaUnderTest;
  /** The same server, another database of it. */
  databaseUrls(name: string): Readonly<Record<ServerName, string>>;
  /** All are gone, with their files; also when this process ends. */
  remove(): Promise<void>;
}

// The replica begins as a copy of the primary's files before its first start, and gets all the rest from the primary, which
// drops nothing of its log. The package has no pg_basebackup.
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "max_connections=100",
  "shared_buffers=64MB",
  "listen_addresses=127.0.0.1",
  "wal_keep_size=4GB",
  "max_wal_size=4GB",
  "wal_retrieve_retry_interval=100ms",
];

const steps = (native: string) => `
native='${native.replaceAll("'", "'\\''")}'
[ -n "$native" ] || native=$directory/native
step_initdb() {
  printf '%s\\n' "$1" >"$directory/password"
  "$native/bin/initdb" -D "$directory/initial" -U odograph -A scram-sha-256 --pwfile="$directory/password" -E UTF8 \\
    --locale=C --no-sync ${settings.map((setting) => `-c ${setting}`).join(" ")} \\
    -c unix_socket_directories="$directory" && cp -R "$directory/initial" "$directory/primary"
}
step_build() {
  data=$directory/\${1% *}
  rm -rf "$data" && cp -R "$directory/initial" "$data" || return 1
  : >"$data/standby.signal"
  printf "primary_conninfo = 'host=127.0.0.1 port=%s user=odograph password=%s'\\n" \\
    "\${1#* }" "$(cat "$directory/password")" >>"$data/postgresql.auto.conf"
}
step_start() {
  data=$directory/\${1% *}
  "$native/bin/postgres" -D "$data" -p "\${1#* }" >>"$data.log" 2>&1 </dev/null &
  server=$!
  until [ "$(sed -n 8p "$data/postmaster.pid" 2>/dev/null)" = 'ready   ' ]; do
    kill -0 "$server" 2>/dev/null || return 1
    sleep 0.02
  done
}
end_server() {
  server=$(sed -n 1p "$directory/$1/postmaster.pid" 2>/dev/null) || return 0
  [ -n "$server" ] || return 0
  kill -"$2" "$server" 2>/dev/null
  kill -CONT "$server" 2>/dev/null
  wait "$server" 2>/dev/null
  return 0
}
step_stop() { end_server "$1" INT; }
before_removal() {
  end_server replica QUIT
  end_server standby QUIT
  end_server primary QUIT
}
`;

/** Starts a primary and its streaming replica on free ports of 127.0.0.1. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const native = nativeDirectory();
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : null;
  const home = await createSupervisedDirectory({ owner, steps: steps(owner === null ? native : "") });
  const { directory } = home;
  if (owner !== null) copyTree(native, join(directory, "native"), owner);
  const step = async (name: string, argument: string) => {
    if ((await home.step(name, argument)) === 0) return;
    throw new Error(`${name} ${argument.split(" ")[0]}: ${serverNames.map((of) => logOf(directory, of))}`);
  };
  const password = randomBytes(16).toString("hex");
  const ports = { primary: await freePort(), replica: await freePort(), standby: await freePort() };
  const urlOf = (server: ServerName, database: string) =>
    `postgres://odograph:${password}@127.0.0.1:${ports[server]}/${database}`;
  const build = (name: ServerName, of: ServerName) => step("build", `${name} ${ports[of]}`);
  try {
    await step("initdb", password);
    await step("start", `primary ${ports.primary}`);
    await build("replica", "primary");
    await step("start", `replica ${ports.replica}`);
  } catch (error) {
    await home.remove();
    throw error;
  }

  const server = (name: ServerName): ServerUnderTest => {
    const url = urlOf(name, "postgres");
    const signal = (which: NodeJS.Signals) => {
      signalAll(join(directory, name), which);
    };
    return {
      url,
      start: () => step("start", `${name} ${ports[name]}`),
      async stop() {
        signal("SIGCONT");
        await step("stop", name);
      },
      freeze: () => signal("SIGSTOP"),
      thaw: () => signal("SIGCONT"),
      cpuMs: async () => cpuMsOf(processesOf(join(directory, name))),
    };
  };
  const standby = (name: ServerName): ReplicaUnderTest => {
    const ask = (text: string) => asked(urlOf(name, "postgres"), text);
    return {
      ...server(name),
      async pause() {
        await ask("select pg_wal_replay_pause()");
        // It is asked for first, and happens a moment later.
        await until(async () => (await ask("select pg_get_wal_replay_pause_state() as value")) === "paused");
      },
      resume: () => ask("select pg_wal_replay_resume()").then(() => {}),
      promote: () => ask("select pg_promote()").then(() => {}),
      rebuild: (of = "primary") => build(name, of),
      async isLevel() {
        const stored = await asked(urlOf("primary", "postgres"), "select pg_current_wal_flush_lsn()::text as value");
        await until(async () => Boolean(await ask(`select pg_last_wal_replay_lsn() >= '${stored}'::pg_lsn as value`)));
      },
    };
  };
  return {
    primary: server("primary"),
    replica: standby("replica"),
    standby: standby("standby"),
    databaseUrls: (name) => ({
      primary: urlOf("primary", name),
      replica: urlOf("replica", name),
      standby: urlOf("standby", name),
    }),
    async remove() {
      for (const name of serverNames) {
        signalAll(join(directory, name), "SIGCONT");
      }
      await home.remove();
    },
  };
}

/** The `value` of the one row that a statement gives. */
export async function asked(url: string, text: string): Promise<unknown> {
  const sql = new SQL({ url, max: 1 });
  try {
    const [row]: { value?: unknown }[] = await sql.unsafe(text);
    return row?.value;
  } finally {
    await sql.close();
  }
}

/** One may end between being found and being notified. */
function signalAll(data: string, signal: NodeJS.Signals): void {
  for (const pid of processesOf(data)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** The server first, so that it starts no others while they are signalled. */
function processesOf(data: string): number[] {
  let first: number;
  try {
    first = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return [];
  }
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]);
  const pairs = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, parent]) => parent === first).map(([pid]) => pid as number);
  return pairs.some(([pid]) => pid === first) ? [first, ...children] : [];
}

/** Linux only; elsewhere 0. */
function cpuMsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return ticks * 10;
}

function logOf(directory: string, name: string): string {
  try {
    return readFileSync(join(directory, `${name}.log`), "utf8").slice(-2_000);
  } catch {
    return "";
  }
}
