import { expect, test } from "bun:test";
import type { Database, Engine } from "../../src/store/database.ts";
import { namelessDevices, trackerDevices } from "../../src/store/fleet/tracker-names.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { eraseDevice, keepAndHide } from "../support/erasing.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { failureOf } from "../support/failures.ts";
import { load } from "../support/fleet.ts";
import { startServer } from "../support/ingest-server.ts";
import { runOdograph } from "../support/program.ts";
import { rawStore } from "../support/raw-store.ts";
import { placeFixture } from "../support/store-fixture.ts";

interface StoredDevice {
  readonly device: number;
  readonly id: string;
  readonly account_id: number;
}

const [first, second, third] = ["035123456789012", "35123456789012", "0035123456789012"] as const;

/** A store of versions before 1.4, as that left it: its oldest devices have IMEIs that a tracker cannot tell apart, and one the name. */
async function storeWithPair(engine: Engine, store: EmptyStore): Promise<readonly StoredDevice[]> {
  await placeFixture("1.4.0", engine, store);
  const raw = rawStore(store);
  const oldest = "select device, id, account_id from device_directory where erasing_at is null order by device limit 3";
  const devices = (await raw.all<StoredDevice>(oldest)).map(({ device, id, account_id }) => ({
    device: Number(device),
    id,
    account_id: Number(account_id),
  }));
  for (const [index, { device, account_id }] of devices.entries()) {
    for (const name of ["device_directory", "devices"])
      await raw.run(`update ${name} set imei = '${[first, second, third][index]}' where device = ${device}`);
    await raw.run(`delete from tracker_names where device = ${device}`);
    if (index > 0) continue;
    await raw.run(
      `insert into tracker_names (tracker_key, account_id, device) values ('${second}', ${account_id}, ${device})`,
    );
  }
  await raw.close();
  return devices;
}

const callsOf = async (database: Database) =>
  (await trackerDevices(database, new Set([first]))).get(first)?.imei ?? null;

const taken = async (database: Database) =>
  (await namelessDevices(database, 10)).map(({ imei, held_by }) => [imei, held_by]);

onEachEngine("a store with IMEIs that differ in leading zeros, from before 1.4", (engine) => {
  test("is opened: the oldest device has the tracker, and the others are reported until they are mended", async () => {
    const store = await engine.empty();
    const [, loser] = await storeWithPair(engine.name, store);
    const { logged, stop } = await startServer({ env: store.env });
    await logged('"kind":"tracker_names_taken"');
    const log = (await stop()).stderr.split("\n").filter((line) => line.includes('"tracker_names_taken"'));
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: "warn",
        devices: 2,
        imei: third,
        heldBy: first,
        advice: expect.stringContaining("`odograph trackers taken`"),
      },
    ]);
    const listed = await runOdograph(["trackers", "taken", "--json"], { env: store.env });
    expect([listed.code, JSON.parse(listed.stdout)]).toMatchObject([
      0,
      [
        { imei: third, held_by: first },
        { imei: second, held_by: first, device_id: loser?.id },
      ],
    ]);
    const database = await store.open();
    expect(await callsOf(database)).toBe(first);
    // Frames that come with a token are those of the IMEI as it is written.
    const exact = await database.all(sql`select imei from device_directory where imei in (${second}, ${third})`);
    expect(exact).toHaveLength(2);
  });

  test("can be loaded and edited as it is; a device that is renamed has its tracker again", async () => {
    const store = await engine.empty();
    const [holder, loser] = await storeWithPair(engine.name, store);
    if (holder === undefined || loser === undefined) throw new Error("no devices");
    const database = await store.open();
    const records = recordsIn(await exportedText(database));
    await load(database, records, Date.UTC(2027, 0, 1));
    expect(await taken(database)).toEqual([
      [third, first],
      [second, first],
    ]);
    // Another name that the first has is refused; the one that it has itself stays as it is.
    const line = records.find(({ id }) => id === loser.id);
    const again = (fields: Record<string, unknown>) => load(database, [{ ...line, ...fields }], Date.now());
    await again({ plate: "NEW 1" });
    expect((await failureOf(again({ tracker_id: second }))).message).toContain("belongs to another device already");
    expect((await failureOf(again({ imei: first }))).message).toContain("belongs to another device already");
    await again({ imei: "356307042999111" });
    expect((await trackerDevices(database, new Set(["356307042999111"]))).size).toBe(1);
    expect(await taken(database)).toEqual([[third, first]]);
    expect(await callsOf(database)).toBe(first);
  });

  test("takes no name for another device that one without a tracker has as its IMEI", async () => {
    const store = await engine.empty();
    const [holder] = await storeWithPair(engine.name, store);
    const database = await store.open();
    const line = recordsIn(await exportedText(database)).find(({ id }) => id === holder?.id);
    const renamed = { ...line, imei: "356307042999111" };
    const added = { ...line, id: "0b5f1c1e-0000-4000-8000-000000000991", imei: "356307042999222" };
    const before = await everyRow(database);
    for (const [records, refused] of [
      [[{ ...line, imei: second }], `line 1: field "imei": ${second}`],
      [[renamed, { ...added, imei: second }], `line 2: field "imei": ${second}`],
      [[renamed, { ...added, tracker_id: second }], `line 2: field "tracker_id": ${second}`],
    ] as const) {
      const { code, message } = await failureOf(load(database, records, Date.now()));
      expect([code, message]).toEqual(["FLEET_FILE_INVALID", `${refused} belongs to another device already`]);
    }
    expect(await everyRow(database)).toEqual(before);
    // The file of the whole fleet can be loaded again.
    await load(database, recordsIn(await exportedText(database)), Date.now());
    expect(await callsOf(database)).toBe(first);
  });

  test("gives the tracker to the next when the first is renamed, removed or erased", async () => {
    const store = await engine.empty();
    const [holder, loser, last] = await storeWithPair(engine.name, store);
    if (holder === undefined || loser === undefined || last === undefined) throw new Error("no devices");
    const database = await store.open();
    const line = recordsIn(await exportedText(database)).find(({ id }) => id === holder.id);
    await load(database, [{ ...line, imei: "356307042999111" }], Date.now());
    expect(await callsOf(database)).toBe(second);
    await keepAndHide(database, { accountId: loser.account_id, id: loser.id });
    expect(await callsOf(database)).toBe(third);
    await eraseDevice(database, { accountId: last.account_id, id: last.id });
    expect(await callsOf(database)).toBe(null);
    expect(await taken(database)).toEqual([]);
    const none = await runOdograph(["trackers", "taken"], { env: store.env });
    expect([none.code, none.stdout]).toEqual([0, "every device has its tracker\n"]);
  });
});
