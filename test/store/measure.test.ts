import { expect, test } from "bun:test";
import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureStore } from "../../src/store/measure.ts";
import { lastBackupFile } from "../../src/store/time-files.ts";
import { onEachEngine } from "../support/engines.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";

onEachEngine("a store", (engine) => {
  test("is measured with its log, and with what is free beside it where this machine knows", async () => {
    const { database, target: store, directory } = await engine.fresh();
    const measured = () => measureStore(database, { store, dataDirectory: directory });
    await loadIngestFleet(database);
    const before = await measured();
    await take(database, [randomFleet(3, 300)]);
    const after = await measured();
    expect(after.bytes).toBeGreaterThan(before.bytes);
    if (engine.name === "postgres") {
      expect(after.freeBytes).toBeNull();
      return;
    }
    const sizes = await Promise.all(["", "-wal", "-shm"].map((end) => stat(join(directory, `odograph.db${end}`))));
    expect(after.bytes).toBe(sizes.reduce((sum, { size }) => sum + size, 0));
    expect(after.freeBytes).toBeGreaterThan(0);
  });

  test("knows of a backup by whatever tool, from the time of a file", async () => {
    const { database, target: store, directory } = await engine.fresh();
    const backupAt = async () => (await measureStore(database, { store, dataDirectory: directory })).backupAt;
    // On PostgreSQL others make them, and need not say so.
    expect(await backupAt()).toBe(engine.name === "sqlite" ? 0 : null);
    await writeFile(lastBackupFile(directory), "");
    await utimes(lastBackupFile(directory), 1_790_000_000, 1_790_000_000);
    expect(await backupAt()).toBe(1_790_000_000_000);
  });
});
