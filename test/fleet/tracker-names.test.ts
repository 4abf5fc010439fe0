import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { editFleet, type RecordEdit } from "../../src/fleet/edit/edit.ts";
import { restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import { eraseAccount } from "../../src/fleet/erase/erase-account.ts";
import { linesOfAccount } from "../../src/fleet/erase/written-out.ts";
import type { Database } from "../../src/store/database.ts";
import { expectedTrackers, expectTracker } from "../../src/store/fleet/expected-trackers.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { trackerDevices } from "../../src/store/fleet/tracker-names.ts";
import { saveUnknownDevices, unknownDevicesOf } from "../../src/store/fleet/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, eraseDevice, foundInTables, keepAndHide } from "../support/erasing.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { failureOf } from "../support/failures.ts";
import { device, type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const { acme, olga, van, truck, car, rival, rivalVan } = smallFleet;
const phone = "013812345678";
const later = loadedAt + hourMs;

async function edited(database: Database, id: string, fields: RecordEdit["fields"]): Promise<void> {
  const number = await accountNumber(database);
  const revision = (await revisionsOf(database, number, "device", [id])).get(id)?.revision ?? 1;
  const changes = [{ type: "device" as const, id, revision, fields }];
  const by = { kind: "user", id: olga.id } as const;
  await editFleet(database, { account: { number, id: acme.id }, by, changes, isPreview: false }, later);
}

/** Loads what must be refused without a trace, and says why it was. */
async function refused(database: Database, records: Iterable<FleetRecord>): Promise<string> {
  const before = await everyRow(database);
  const { message } = await failureOf(load(database, records, later));
  expect(await everyRow(database)).toEqual(before);
  return message;
}

/** Those that are not the IMEI. */
const keys = (database: Database) =>
  database.all<{ imei: string; tracker_key: string }>(sql`
    select d.imei, n.tracker_key from tracker_names n join device_directory d on d.device = n.device
    where n.tracker_key <> d.imei order by n.tracker_key`);

onEachEngine("what a tracker calls itself", (engine) => {
  const vanOfPhone = { ...van, tracker_id: phone, tracker_protocol: "jt808", tracker_model: null };
  const copied = engine.copies(({ database }) => load(database, Object.values({ ...smallFleet, van: vanOfPhone })));
  const loaded = async () => (await copied()).database;

  test("belongs to one device of all accounts, however it is written, and is no IMEI of another", async () => {
    const database = await loaded();
    const ofRival = (fields: FleetRecord) => refused(database, [{ ...rivalVan, ...fields }]);
    for (const same of [phone, "13812345678", "00000000013812345678"]) {
      expect(await ofRival({ tracker_id: same })).toContain(`field "tracker_id": ${same} belongs to another device`);
    }
    for (const same of [van.imei, `0${van.imei}`]) {
      expect(await ofRival({ tracker_id: same })).toContain(`field "tracker_id": ${same} belongs to another device`);
    }
    // Without saying whose it is.
    expect(await ofRival({ tracker_id: phone })).not.toContain("Acme");
    await load(database, [{ ...car, tracker_id: "35630704200099" }], later);
    expect(await ofRival({ imei: "035630704200099" })).toContain('field "imei": 035630704200099 belongs to another');
    await load(database, [{ ...truck, tracker_id: "ST-901A" }], later);
    expect(await ofRival({ tracker_id: "st-901a" })).toContain("belongs to another device");
    // Its own IMEI is no other's.
    await load(database, [{ ...truck, tracker_id: truck.imei }], later);
    expect((await keys(database)).map(({ tracker_key }) => tracker_key)).toEqual(["13812345678", "35630704200099"]);
  });

  test("may be an IMEI that is written with more or fewer zeros: then it is taken as well", async () => {
    const database = await loaded();
    const ofRival = (fields: FleetRecord) => refused(database, [{ ...rivalVan, ...fields }]);
    const taken = (field: string, name: string) => `field "${field}": ${name} belongs to another device already`;
    await load(database, [{ ...car, imei: "35630704200099" }], later);
    for (const same of ["035630704200099", "0035630704200099"]) {
      expect(await ofRival({ imei: same })).toContain(`${taken("imei", same)}: leading zeros make no difference`);
      expect(await ofRival({ tracker_id: same })).toContain(taken("tracker_id", same));
    }
    await load(database, [{ ...car, imei: "0035630704200099" }], later);
    for (const same of ["35630704200099", "035630704200099"])
      expect(await ofRival({ imei: same })).toContain(taken("imei", same));
    // Its own device may write it in another way.
    await load(database, [{ ...car, imei: "035630704200099", tracker_id: "35630704200099" }], later);
    const twice = [device(90, { imei: "12345678901234" }), device(91, { imei: "012345678901234" })];
    expect(await refused(database, twice)).toContain(
      'line 2: field "imei": 012345678901234 is used by line 1 already: leading zeros make no difference',
    );
    // One takes what the other gives away in the same file.
    const free = { ...car, imei: "356307042000777" };
    await load(database, [{ ...rivalVan, imei: "35630704200099" }, free], later);
    const named = await trackerDevices(database, new Set(["035630704200099"]));
    expect(named.get("035630704200099")?.imei).toBe("35630704200099");
  });

  test("is one row of the store, so that a second is refused whatever a program does", async () => {
    const database = await loaded();
    const number = await accountNumber(database);
    const add = database.transaction((tx) =>
      tx.write(sql`insert into tracker_names (tracker_key, account_id, device) values ('13812345678', ${number}, 99)`),
    );
    await expect(add).rejects.toThrow(/unique/i);
  });

  test("is claimed by one line of a file, which may swap it between two devices", async () => {
    const database = await loaded();
    const twice = [
      { ...truck, tracker_id: "700" },
      { ...car, tracker_id: "0700" },
    ];
    expect(await refused(database, twice)).toContain('line 2: field "tracker_id": 0700 is used by line 1 already');
    const imeiLater = [{ ...truck, tracker_id: car.imei }, car];
    expect(await refused(database, imeiLater)).toContain(`line 1: field "tracker_id": ${car.imei} is used by line 2`);
    const imeiBefore = [car, { ...truck, tracker_id: car.imei }];
    expect(await refused(database, imeiBefore)).toContain(`line 2: field "tracker_id": ${car.imei} is used by line 1`);
    await load(database, [{ ...truck, tracker_id: "700" }], later);
    await load(
      database,
      [
        { ...truck, tracker_id: phone },
        { ...van, tracker_id: "700" },
      ],
      later,
    );
    expect(await keys(database)).toEqual([
      { imei: truck.imei, tracker_key: "13812345678" },
      { imei: van.imei, tracker_key: "700" },
    ]);
    // One takes as its id what the other had as its IMEI.
    await load(
      database,
      [
        { ...car, imei: "356307042999999" },
        { ...van, tracker_id: car.imei },
      ],
      later,
    );
    expect(await keys(database)).toContainEqual({ imei: van.imei, tracker_key: car.imei });
  });

  test("goes to one of two who want it at once, whether as an id or as an IMEI", async () => {
    const database = await loaded();
    const wishes: FleetRecord[][] = [
      [{ ...rivalVan, tracker_id: "4200000001" }],
      [{ ...car, tracker_id: "04200000001" }],
      [{ ...truck, tracker_id: "356307042777777" }],
      [device(90, { imei: "356307042777777" })],
      [device(91, { imei: "35630704277777" })],
      [{ ...device(92, { imei: "035630704277777" }), account_id: rival.id }],
    ];
    const outcomes = await Promise.allSettled(wishes.map((records) => load(database, records, later)));
    const isDone = outcomes.map(({ status }) => status === "fulfilled");
    const pairs = [0, 2, 4].map((first) => isDone[first] !== isDone[first + 1]);
    expect(pairs).toEqual([true, true, true]);
    const edits = await Promise.allSettled([car, truck].map(({ id }) => edited(database, id, { tracker_id: "4300" })));
    expect(edits.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is exported, and loading the export changes nothing, here or elsewhere", async () => {
    const database = await loaded();
    const text = await exportedText(database);
    const line = recordsIn(text).find(({ id }) => id === van.id);
    expect([line.tracker_id, line.tracker_protocol]).toEqual([phone, "jt808"]);
    const before = await everyRow(database);
    await load(database, recordsIn(text), later);
    expect(await everyRow(database)).toEqual(before);
    const other = await engine.fresh();
    await load(other.database, recordsIn(text), later);
    expect(await exportedText(other.database)).toBe(text);
    expect(await keys(other.database)).toEqual(await keys(database));
  });

  test("that a person has set is not undone by a file, unless it takes over", async () => {
    const database = await loaded();
    await edited(database, car.id, { tracker_id: "4400", tracker_protocol: "h02" });
    expect(await refused(database, [{ ...car, tracker_id: null }])).toContain("--take-over");
    await load(database, [car], later, undefined, true);
    expect((await keys(database)).map(({ tracker_key }) => tracker_key)).toEqual(["13812345678"]);
  });

  test("is free when its device is removed; who has it then keeps the device from being put back", async () => {
    const database = await loaded();
    const named = { accountId: await accountNumber(database), id: van.id };
    const called = async () => (await trackerDevices(database, new Set([phone]))).get(phone) ?? null;
    const ofVan = {
      imei: van.imei,
      account_id: named.accountId,
      tracker_protocol: "jt808" as const,
      tracker_model: null,
    };
    expect(await called()).toEqual(ofVan);
    await keepAndHide(database, named);
    expect(await called()).toBe(null);
    await load(database, [{ ...rivalVan, tracker_id: phone }], later);
    const restore = () => restoreDevice(database, { ...named, by: command }, later);
    const failure = await failureOf(restore());
    expect([failure.code, failure.message]).toEqual(["CONFLICT", expect.stringContaining(`tracker id ${phone} now`)]);
    expect(failure.message).toContain("another vehicle on this server");
    // As an IMEI it would be taken as well.
    await load(database, [rivalVan, { ...car, tracker_id: van.imei }], later);
    expect((await failureOf(restore())).message).toContain(`another vehicle has the IMEI ${van.imei} now`);
    await load(database, [car], later);
    await restore();
    expect(await called()).toEqual(ofVan);
    // A line of a file puts it back, too.
    await keepAndHide(database, named);
    await load(database, [{ ...van, tracker_id: phone }], later, undefined, true);
    expect(await called()).toEqual({ ...ofVan, tracker_protocol: null, tracker_model: null });
  });

  test("is erased with its device, also where it was noted, and with its account", async () => {
    const database = await loaded();
    const accountId = await accountNumber(database);
    const ofRival = await accountNumber(database, rival.id);
    const now = Date.now();
    const seen = { imei: "13812345678", protocol: "jt808" as const, firstSeenAt: now, lastSeenAt: now, count: 1 };
    await database.transaction(async (tx) => {
      await saveUnknownDevices(tx, ofRival, [seen]);
      await expectTracker(tx, accountId, phone, now);
      await expectTracker(tx, accountId, "4500", now);
      await expectTracker(tx, ofRival, "4600", now);
    });
    await eraseDevice(database, { accountId, id: van.id });
    expect(await foundInTables(database, ["13812345678"])).toEqual([]);
    expect((await expectedTrackers(database, accountId, now)).map(({ tracker }) => tracker)).toEqual(["4500"]);
    await database.transaction((tx) => saveUnknownDevices(tx, accountId, [{ ...seen, imei: "4700" }]));
    const lines = [];
    for await (const line of linesOfAccount(database, accountId, { type: "account" })) lines.push(line);
    expect(lines.filter(({ type }) => type === "expected_tracker")).toEqual([
      { type: "expected_tracker", tracker: "4500", entered_at: new Date(now).toISOString(), count: 0 },
    ]);
    expect(lines.filter(({ type }) => type === "unknown_device")).toMatchObject([{ imei: "4700", protocol: "jt808" }]);
    await eraseAccount(database, acme.id, command, now);
    await eraseMarked(database, foreground);
    expect(await database.all(sql`select tracker from expected_trackers`)).toEqual([{ tracker: "4600" }]);
    // Of an account that is gone, nothing is noted any more.
    expect(await database.transaction((tx) => expectTracker(tx, accountId, "4800", now))).toBe(null);
    expect(await unknownDevicesOf(database, accountId, now)).toEqual([]);
  });
});

onEachEngine("a tracker that calls", (engine) => {
  test("is the device with its IMEI or tracker id, filled up with zeros or not, of an account that is not suspended", async () => {
    const { database } = await engine.fresh();
    const named = { ...van, tracker_id: phone, tracker_protocol: "jt808", tracker_model: null };
    const blocked = { ...car, status: "blocked", tracker_id: "ABC" };
    const short = "12345678901234";
    const other = device(91, { imei: short });
    await load(database, [...Object.values({ ...smallFleet, van: named, car: blocked }), other]);
    const found = async (...names: string[]) => {
      const devices = await trackerDevices(database, new Set(names));
      return names.map((name) => devices.get(name)?.imei ?? null);
    };
    expect(await found(phone, "13812345678", "00000000013812345678", "abc", "356307042441013")).toEqual([
      van.imei,
      van.imei,
      van.imei,
      car.imei,
      null,
    ]);
    expect(await found(van.imei, `0${van.imei}`, `00000${van.imei}`)).toEqual([van.imei, van.imei, van.imei]);
    expect(await found(short, `0${short}`, `00${short}`)).toEqual([short, short, short]);
    expect(await found(rivalVan.imei, "removed", "")).toEqual([rivalVan.imei, null, null]);
    const many = Array.from({ length: 400 }, (_, index) => String(4_000_000_000 + index));
    const found400 = await trackerDevices(database, new Set([...many, phone, "abc"]));
    expect([...found400.keys()]).toEqual([phone, "abc"]);
    await load(database, [{ ...acme, status: "suspended" }], later);
    expect(await found(phone, van.imei, rivalVan.imei)).toEqual([null, null, rivalVan.imei]);
  });
});
