import { readdirSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, serverOwner } from "./postgres-server.mjs";
import { createSupervisedDirectory } from "./supervised-directory.mjs";

/** Where Debian has PostgreSQL's server and its tools, of the newest version; null if they are not installed. */
export function debianPostgres(): string | null {
  const versions = "/usr/lib/postgresql";
  try {
    const newest = readdirSync(versions).toSorted((one, other) => Number(other) - Number(one));
    const found = newest.map((version) => join(versions, version, "bin"));
    return found.find((bin) => ["postgres", "pg_dump"].every((tool) => readdirSync(bin).includes(tool))) ?? null;
  } catch {
    return null;
  }
}

export interface ToolsPostgres {
  readonly port: number;
  /** Everybody may sign in as anybody: `postgres` is the superuser. */
  url(database: string, role?: string): string;
  readonly data: string;
  /** Where it writes its log to, as `archive_command` says. */
  readonly archive: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

const steps = (bin: string) => `
data=$directory/data
step_initdb() {
  mkdir "$directory/wal" && "${bin}/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C --no-sync || return 1
  printf '%s\\n' 'fsync = off' "unix_socket_directories = '$directory'" "listen_addresses = '127.0.0.1'" "port = $1" \\
    >>"$data/postgresql.conf"
}
step_start() { "${bin}/pg_ctl" -D "$data" -l "$directory/server.log" -w -t 60 start; }
step_stop() { "${bin}/pg_ctl" -D "$data" -m fast -w stop; }
before_removal() { "${bin}/pg_ctl" -D "$data" -m immediate -w stop 2>/dev/null; }
`;

/** A server of Debian's, whose version its tools are for: those of the npm package's server are not in the package. */
export async function startDebianPostgres(bin: string, settings: (archive: string) => string): Promise<ToolsPostgres> {
  const owner = serverOwner();
  const home = await createSupervisedDirectory({ owner, steps: steps(bin) });
  const port = await freePort();
  const step = async (name: string, argument = "") => {
    if ((await home.step(name, argument)) === 0) return;
    throw new Error(`${name}: ${await Bun.file(join(home.directory, "server.log")).text()}`);
  };
  const data = join(home.directory, "data");
  const archive = join(home.directory, "wal");
  await step("initdb", String(port));
  await appendFile(join(data, "postgresql.conf"), settings(archive));
  await step("start");
  return {
    port,
    data,
    archive,
    url: (database, role = "odograph") => `postgres://${role}@127.0.0.1:${port}/${database}`,
    async start() {
      if (owner !== null) Bun.spawnSync(["chown", "-R", `${owner.uid}:${owner.gid}`, data]);
      await step("start");
    },
    stop: () => step("stop"),
    remove: () => home.remove(),
  };
}
