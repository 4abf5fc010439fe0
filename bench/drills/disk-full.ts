/**
 * The disk of the database is full, and free again: on SQLite; on PostgreSQL the disk of its tables, so that it goes on
 * without storing anything; and the disk of its log, so that it ends by itself and is started again when there is room. The
 * nodes are not. It needs root, to mount a small file system.
 *
 *     node_modules/.bin/bun bench/drills/disk-full.ts [--seconds 8] [--only sqlite|tables|log]
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { serverOwner } from "../../test/support/postgres-server.mjs";
import { readOptions } from "../support/options.ts";
import { type DrillDatabase, startDatabase } from "./support/database.ts";
import { drillOnPostgres, drillOnSqlite } from "./support/postgres-drill.ts";
import { SmallDisk, withOwnMounts } from "./support/small-disk.ts";

const options = readOptions(import.meta.url, { seconds: 8, only: "" });
await withOwnMounts();

const fullMs = options.seconds * 1000;
/** A server that has ended by itself is started again as soon as there is room. */
const endPatienceMs = 30_000;
const drills = { sqlite: onSqlite, tables: onFullTables, log: onFullLog };
for (const [name, drill] of Object.entries(drills)) {
  if (options.only !== "" && options.only !== name) continue;
  process.exitCode = Math.max(await drill(), Number(process.exitCode ?? 0));
}

async function onSqlite(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "odograph-drill-"));
  process.env.ODOGRAPH_DATA = directory;
  const disk = new SmallDisk(directory, 96, null);
  try {
    return await drillOnSqlite(directory, (drill) =>
      drill.go({
        name: `the disk is full for ${fullMs / 1000} s`,
        isReadable: true,
        run: (returned) => fillFor(disk, returned),
      }),
    );
  } finally {
    disk.unmount();
    rmSync(directory, { recursive: true });
  }
}

async function onFullTables(): Promise<number> {
  const { database, disk } = await databaseOnDisk("data", 160);
  return drillOnPostgres({ database, nodes: 2, end: async () => disk.unmount() }, (drill) =>
    drill.go({
      name: `its tables have no room for ${fullMs / 1000} s, its log has`,
      isReadable: true,
      run: (returned) => fillFor(disk, returned),
    }),
  );
}

async function onFullLog(): Promise<number> {
  const { database, disk } = await databaseOnDisk("log", 24);
  return drillOnPostgres({ database, nodes: 2, end: async () => disk.unmount() }, (drill) =>
    drill.go({
      name: `its log has no room: until PostgreSQL ends by itself, and for ${fullMs / 1000} s more`,
      run: async (returned) => {
        disk.fill();
        const patience = performance.now() + endPatienceMs;
        while (database.isRunning && performance.now() < patience) {
          disk.fill();
          await writeToLog(database);
        }
        const hasEnded = !database.isRunning;
        console.log(`  PostgreSQL ${hasEnded ? "ended by itself" : `still runs after ${endPatienceMs / 1000} s`}`);
        await Bun.sleep(fullMs);
        disk.free();
        if (hasEnded) {
          await database.reap();
          await database.mustStart();
        }
        returned();
      },
    }),
  );
}

/** What other databases of the server may do: it brings the end of the log's last file nearer. */
async function writeToLog(database: DrillDatabase): Promise<void> {
  const client = new SQL(database.url(), { max: 1, connectionTimeout: 1 });
  try {
    await client.unsafe("select pg_logical_emit_message(true, 'drill', repeat('x', 500000))");
  } catch {
    // It is down, or about to end.
    await Bun.sleep(100);
  } finally {
    await client.close({ timeout: 0 });
  }
}

async function fillFor(disk: SmallDisk, returned: () => void): Promise<void> {
  disk.fill();
  await Bun.sleep(fullMs);
  disk.free();
  returned();
}

/** Only one of the two is on the small file system. */
async function databaseOnDisk(
  part: "data" | "log",
  megabytes: number,
): Promise<{ readonly database: DrillDatabase; readonly disk: SmallDisk }> {
  let disk: SmallDisk | null = null;
  const prepare = (home: string) => {
    disk = new SmallDisk(join(home, part), megabytes, serverOwner());
  };
  // A log whose old files are not used again soon needs new ones all the time.
  const settings = part === "log" ? ["min_wal_size=2MB", "max_wal_size=1GB"] : ["min_wal_size=4MB", "max_wal_size=8MB"];
  const database = await startDatabase({ settings, prepare, hasOwnLogDirectory: true });
  if (disk === null) throw new Error("the file system was not made");
  return { database, disk };
}
