import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { eraseRemovedDevice, removeDevice } from "../../src/fleet/edit/remove-device.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { countRows } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import {
  command,
  eraseDevice,
  everythingStored,
  foundInFiles,
  foundInTables,
  keepAndHide,
} from "../support/erasing.ts";
import { device, load, smallFleet, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { home, loadIngestFleet, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { noReport, randomDrive } from "../support/random-drive.ts";

const seed = announcedSeed("erasing a device");
const drive = (imei: string, more = 0) =>
  inOrder(randomDrive({ imei, seed: seed + more, count: 240, beginAt: newYear, ...home }));
const vanFrames = drive(vanImei);
const truckFrames = drive(truckImei, 1);
/** Its time is not believed, so it is kept apart. */
const untimely = {
  ...noReport,
  imei: vanImei,
  recordedAt: Date.UTC(1999, 0, 1),
  receivedAt: newYear,
  latitude: 1.234567,
};

const inAcme = async (database: Database, id: string) => ({ accountId: await accountNumber(database), id });
const vanId = uuid(21);
/** Texts that nothing but the van has. Coordinates with all their digits are as good as a name. */
const ofVan = [vanImei, "Vanessa", "VAN 4711", ...placesOf(vanFrames)];

/** Without those where the truck was, too: both begin at home. */
function placesOf(frames: readonly IncomingFrame[]): string[] {
  const textsOf = (all: readonly IncomingFrame[]) =>
    all.flatMap(({ latitude, longitude }) => [String(latitude), String(longitude)]).filter((text) => text.length > 9);
  const ofTruck = textsOf(truckFrames).join(" ");
  return [...new Set(textsOf(frames))].filter((text) => !ofTruck.includes(text));
}

/** A van with everything that a vehicle may have, a truck beside it, and Ann who sees both. */
async function loadVan(database: Database): Promise<void> {
  await loadIngestFleet(database);
  await load(database, [
    { ...smallFleet.van, name: "Vanessa", plate: "VAN 4711", vin: "WVVVANESSA4711000", tags: ["cold"] },
  ]);
  const mixed = inOrder([...vanFrames, ...truckFrames]);
  // In many small messages: the newest frames are moved into blocks again and again.
  const batches = Array.from({ length: Math.ceil(mixed.length / 40) }, (_, index) =>
    mixed.slice(index * 40, index * 40 + 40),
  );
  await take(database, [...batches, [untimely]]);
}

onEachEngine("a device that is erased", (engine) => {
  const withVan = engine.copies(({ database }) => loadVan(database));

  test("leaves nothing but its id: in the audit log and in the list of removals", async () => {
    const store = await withVan();
    const { database } = store;
    expect(await foundInTables(database, ofVan)).not.toBeEmpty();
    const frames = await countRows(database, "readings");
    expect(frames).toBeGreaterThan(0);
    const erased = await eraseDevice(database, await inAcme(database, vanId));
    expect(erased).toEqual({ devices: 1, accounts: 0, isPurged: true });
    expect(await foundInTables(database, ofVan)).toEqual([]);
    if (engine.name === "sqlite") expect(await foundInFiles(store, ofVan)).toEqual([]);
    const left = await foundInTables(database, [vanId]);
    expect([...new Set(left.map((row) => row.split(" ")[0]))].sort()).toEqual(["audit_log", "viewer_records"]);
    expect(left.filter((row) => row.startsWith("viewer_records")).every((row) => /"removed":(1|true)/.test(row))).toBe(
      true,
    );
    // The truck is whole.
    expect(await rederiveAll(database)).toMatchObject({ ...nothingChanged, frames: truckFrames.length });
  });

  test("leaves nothing if it was hidden for a while before", async () => {
    const store = await withVan();
    const { database } = store;
    const van = await inAcme(database, vanId);
    await keepAndHide(database, van);
    await eraseRemovedDevice(database, { ...van, by: command }, Date.now());
    await eraseMarked(database, foreground);
    expect(await foundInTables(database, ofVan)).toEqual([]);
    if (engine.name === "sqlite") expect(await foundInFiles(store, ofVan)).toEqual([]);
  });

  test("is finished by the next one, whenever the first is killed", async () => {
    const { database, open } = await withVan();
    const removal = { ...(await inAcme(database, vanId)), by: command, revision: null, history: "erase" } as const;
    await removeDevice(database, { ...removal, isPreview: false }, Date.now());
    const other = await open();
    for (let rests = 0, isDone = false; !isDone; rests += 3) {
      let left = rests;
      const dying = {
        isStopped: false,
        rest: async () => void (--left < 0 && (await Promise.reject(new Error("killed")))),
      };
      isDone = await eraseMarked(other, dying).then(
        () => true,
        () => false,
      );
      // Nobody sees anything of it meanwhile.
      expect(await database.all(sql`select 1 from devices where id = ${vanId} and removed_at is null`)).toEqual([]);
    }
    expect(await foundInTables(database, ofVan)).toEqual([]);
  });

  test("takes no frame in any more, however it arrives", async () => {
    const { database } = await withVan();
    const writer = newWriter(database);
    const [last] = [vanFrames.at(-1)];
    const late = Array.from({ length: 20 }, (_, index) => ({
      ...last,
      imei: vanImei,
      recordedAt: newYear + 9e8 + index * 1000,
      receivedAt: newYear + 9e8,
    }));
    await take(database, [[{ ...noReport, ...late[0] } as never]], writer);
    const sending = Promise.all(
      late.slice(1).map((frame) => take(database, [[{ ...noReport, ...frame } as never]], writer)),
    );
    const erasing = eraseDevice(database, await inAcme(database, vanId));
    await sending;
    await erasing;
    const outcomes = await take(database, [[{ ...noReport, ...late[5] } as never]], writer);
    expect(outcomes).toEqual([{ refused: "unknown_device" }]);
    expect(await foundInTables(database, ofVan)).toEqual([]);
  });

  test("may come back in another account or the same, and sees nothing of its earlier life", async () => {
    const { database } = await withVan();
    // A node that remembers the van.
    const writer = newWriter(database);
    const last = vanFrames.at(-1);
    await take(database, [[{ ...noReport, ...last, recordedAt: (last?.recordedAt ?? 0) + 1000 } as never]], writer);
    await eraseDevice(database, await inAcme(database, vanId));
    const rival = await accountNumber(database, smallFleet.rival.id);
    await load(database, [device(99, { account_id: smallFleet.rival.id, imei: vanImei })]);
    const number = await database.get<{ device: number }>(
      sql`select device from device_directory where id = ${uuid(99)}`,
    );
    expect(number?.device).toBeGreaterThan(4);
    await writer.submit(rival, vanFrames.slice(0, 120));
    const rows = (await everythingStored(database)).filter(
      (row) => row.startsWith("trips") && row.includes(`"account_id":${rival},`),
    );
    const fresh = await engine.fresh();
    await loadIngestFleet(fresh.database);
    await load(fresh.database, [device(99, { account_id: smallFleet.rival.id, imei: vanImei.replace(/.$/, "0") })]);
    const other = await accountNumber(fresh.database, smallFleet.rival.id);
    await newWriter(fresh.database).submit(
      other,
      vanFrames.slice(0, 120).map((frame) => ({ ...frame, imei: vanImei.replace(/.$/, "0") })),
    );
    const expected = (await everythingStored(fresh.database)).filter(
      (row) => row.startsWith("trips") && row.includes(`"account_id":${other},`),
    );
    const withoutNumbers = (all: string[]) => all.map((row) => row.replaceAll(/"device":\d+/g, ""));
    expect(withoutNumbers(rows)).toEqual(withoutNumbers(expected));
  });
});
