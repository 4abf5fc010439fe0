import { expect, test } from "bun:test";
import { SQL } from "bun";
import { BesideServer, foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { removeDevice } from "../../src/fleet/edit/remove-device.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import type { Database } from "../../src/store/database.ts";
import { purgedTables } from "../../src/store/erase/notes.ts";
import { forgetByTypes, type StatedColumn, statedColumns } from "../../src/store/postgres/purge.ts";
import { plainSql } from "../../src/store/sql.ts";
import { tablesOf } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, eraseDevice, foundInTables } from "../support/erasing.ts";
import { load, smallFleet, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { scaledMs } from "../support/patience.ts";
import { noReport } from "../support/random-drive.ts";

const seed = announcedSeed("erasing, and what it leaves in the files");
const { acme, ann, olga, rival, rita, van } = smallFleet;

async function loadVan(database: Database): Promise<void> {
  await loadIngestFleet(database);
  await load(database, [{ ...van, name: "Vanessa", plate: "VAN 4711" }]);
  await take(database, [inOrder(randomFleet(seed, 200))]);
}

/** What PostgreSQL's statistics say of any column. */
async function statistics(database: Database): Promise<string> {
  const rows = await database.all<{ text: string }>(plainSql("select s::text as text from pg_stats s"));
  return rows.map(({ text }) => text).join("\n");
}

onEachEngine("what was erased", (engine) => {
  test("is purged from every table that says something of an account", async () => {
    const { database } = await engine.fresh();
    const named = ["account_id", "user_id", "device", "key_id"];
    for (const [name, { columns }] of await tablesOf(database)) {
      // How far an upgrade is: numbers of the last row.
      if (name === "carried_over" || !columns.some((column) => named.includes(column.name))) continue;
      expect(purgedTables).toContain(name);
    }
  });

  if (engine.name !== "postgres") return;
  const withVan = engine.copies(({ database }) => loadVan(database));

  test("is not called purged while an open reader holds an earlier state", async () => {
    const { database, target } = await withVan();
    const accountId = await accountNumber(database);
    const reader = new SQL("url" in target ? target.url : "", { max: 1 });
    try {
      await reader.unsafe("begin isolation level repeatable read");
      await reader.unsafe("select count(*) from devices");
      expect(await eraseDevice(database, { accountId, id: van.id })).toMatchObject({ devices: 1, isPurged: false });
      const [row] = await reader.unsafe(`select plate from devices where id = '${van.id}'`);
      expect(row.plate).toBe("VAN 4711");
      await reader.unsafe("commit");
    } finally {
      await reader.close({ timeout: 0 });
    }
    expect(await eraseMarked(database, foreground)).toMatchObject({ isPurged: true });
  });

  test("is not in the statistics, also of tables that have become empty", async () => {
    const { database } = await withVan();
    // There they are on the workers, where this connection does not see them.
    if (database.isDistributed) return;
    await database.transaction((tx) => tx.run(plainSql("analyze")));
    const texts = [vanImei, "Vanessa", "VAN 4711", ann.email, olga.email, acme.name];
    const before = await statistics(database);
    for (const text of texts) expect(before).toContain(text);
    const accountId = await accountNumber(database);
    await eraseDevice(database, { accountId, id: van.id });
    const between = await statistics(database);
    for (const text of texts.slice(0, 3)) expect(between).not.toContain(text);
    for (const id of [acme.id, rival.id]) await eraseAccount(database, id, command, Date.now());
    expect(await eraseMarked(database, foreground)).toMatchObject({ accounts: 2, isPurged: true });
    const after = await statistics(database);
    for (const text of [...texts, rival.name, rita.email]) expect(after).not.toContain(text);
    // The tables work as before.
    await loadVan(database);
    const [trip] = await database.all(plainSql("select id from trips limit 1"));
    expect(trip).toBeDefined();
  });

  test("is forgotten by servers before version 18, too, and the columns stay what they are", async () => {
    const { database, target } = await withVan();
    await database.transaction((tx) => tx.run(plainSql("analyze")));
    const described = () =>
      database.all(
        plainSql(`select attrelid::regclass::text as name, attname, atttypid, atttypmod, attcollation, attstorage, attnotnull
          from pg_attribute where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
          and attnum > 0 order by 1, attnum`),
      );
    const before = await described();
    const client = new SQL("url" in target ? target.url : "", { max: 1 });
    try {
      for (const name of ["unknown_devices", "devices", "record_revisions", "frame_blocks", "alerts"]) {
        const columns: StatedColumn[] = await client.unsafe(statedColumns, [name]);
        if (columns.length === 0) continue;
        expect(await forgetByTypes(client, name, columns)).toBe(true);
        expect(await client.unsafe(statedColumns, [name])).toHaveLength(0);
      }
    } finally {
      await client.close({ timeout: 0 });
    }
    expect(await described()).toEqual(before);
    expect(await statistics(database)).not.toContain("Vanessa");
  });
});

test("beside a server, erasing rests longer than a waiting writer sleeps, and as long as it has worked", async () => {
  let isServed = false;
  const pace = new BesideServer(() => isServed);
  const restMs = async () => {
    const began = performance.now();
    await pace.rest();
    return performance.now() - began;
  };
  // Without a server it gives others of this process a turn, and no more: fifty rests are not fifty sleeps.
  const began = performance.now();
  for (let rest = 0; rest < 50; rest++) await pace.rest();
  expect(performance.now() - began).toBeLessThan(scaledMs(50 * 50));
  isServed = true;
  expect(await restMs()).toBeGreaterThan(50);
  const working = performance.now();
  while (performance.now() - working < 120);
  expect(await restMs()).toBeGreaterThanOrEqual(115);
});

onEachEngine("erasing a device", (engine) => {
  test("ends however fast others add to the log of changes", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    await take(database, [inOrder(randomFleet(seed, 100))]);
    const accountId = await accountNumber(database);
    const removal = { accountId, id: uuid(21), by: command, revision: null, history: "erase" } as const;
    await removeDevice(database, { ...removal, isPreview: false }, Date.now());
    const writer = newWriter(database);
    let rests = 0;
    const rest = async () => {
      if (++rests > 100) throw new Error("it does not end");
      const at = Date.UTC(2026, 5, 1) + rests * 60_000;
      const frame = {
        ...noReport,
        imei: truckImei,
        recordedAt: at,
        receivedAt: at,
        latitude: 52 + rests / 100,
        longitude: 13,
      };
      await take(database, [[frame as never]], writer);
    };
    expect(await eraseMarked(database, { isStopped: false, rest })).toMatchObject({ devices: 1 });
    expect(await foundInTables(database, [vanImei])).toEqual([]);
  });
});
