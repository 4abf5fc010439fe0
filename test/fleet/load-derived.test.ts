import { expect, test } from "bun:test";
import { fromTheBeginning } from "../../src/domain/versions.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedTables, dirtyDevices } from "../support/derived-tables.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import {
  alertSettings,
  carImei,
  devices,
  fences,
  home,
  loadIngestFleet,
  randomFleet,
  truckImei,
  vanImei,
} from "../support/ingest-fleet.ts";
import { forgetFrames, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";

const { town, ring } = fences;
const [van, truck, car] = devices;
const { acme, olga, ann, bob } = smallFleet;
const later = loadedAt + hourMs;
const newYear = Date.UTC(2026, 0, 1);
const spring = Date.UTC(2026, 1, 1);

async function fleetRevisions(database: Database): Promise<Record<string, number>> {
  const rows = await database.all<{ name: string; fleet_revision: number }>(
    sql`select a.name, r.revision as fleet_revision from accounts a join fleet_revisions r on r.account_id = a.account_id`,
  );
  return Object.fromEntries(rows.map(({ name, fleet_revision }) => [name, fleet_revision]));
}

/** The fleet as it is at first, without frames. Far quicker than another store. */
async function beginAnew(database: Database): Promise<void> {
  await forgetFrames(database);
  await database.transaction(async (tx) => {
    const histories = [sql`geofence_assignments`, sql`geofence_versions`, sql`geofences`, sql`alert_settings_versions`];
    for (const table of histories) await tx.run(sql`delete from ${table}`);
  });
  await loadIngestFleet(database);
}

/** As the command does after loading. */
async function derivePending(database: Database): Promise<void> {
  await newWriter(database).schedule.deriveLeft();
}

const from = (at: number) => new Date(at).toISOString();

/** What a change of the fleet concerns, from when. Each is made to a fleet of which all devices have frames. */
const changes: readonly [string, FleetRecord[], Record<string, number>][] = [
  ["a new fence, for all time", [circle(50, { device_ids: [car.id] })], { Car: 0 }],
  ["another shape, for all its devices", [{ ...town, radius_m: 500 }], { Car: later, Truck: later, Van: later }],
  [
    "a fence that is taken away, for whom it is taken from and who keeps it",
    [{ ...ring, device_ids: [van.id] }],
    { Truck: later, Van: later },
  ],
  [
    "a fence that is given, for whom it is given to",
    [{ ...ring, device_ids: [van.id, truck.id, car.id] }],
    { Car: later, Truck: later, Van: later },
  ],
  [
    "an edit with a moment, from that moment",
    [{ ...ring, device_ids: [car.id], valid_from: from(spring) }],
    { Car: spring, Truck: spring, Van: spring },
  ],
  ["a fence's new name, which alerts tell", [{ ...ring, name: "Belt" }], { Truck: 0, Van: 0 }],
  ["a fence's colour and description", [{ ...ring, color: "red", description: "Round" }], {}],
  ["the first settings, for all time", [{ ...alertSettings, device_id: truck.id }], { Truck: 0 }],
  ["other settings, from now on", [{ ...alertSettings, rules: [] }], { Van: later }],
  [
    "settings with a moment, from that moment",
    [{ ...alertSettings, rules: [], valid_from: from(spring) }],
    { Van: spring },
  ],
  ["a tank of another size, for all time", [{ ...van, fuel_tank_capacity_l: 100 }], { Van: 0 }],
  [
    "another time zone, for all devices of the account and all time",
    [{ ...acme, time_zone: "Europe/Berlin" }],
    { Car: 0, Truck: 0, Van: 0 },
  ],
  [
    "another time zone and a fence from a moment, for all time",
    [
      { ...acme, time_zone: "Asia/Kolkata" },
      { ...ring, device_ids: [car.id], valid_from: from(spring) },
    ],
    { Car: 0, Truck: 0, Van: 0 },
  ],
  ["who sees a device", [{ ...truck, user_ids: [] }], {}],
  ["a device's name, plate and tracker", [{ ...truck, name: "Lorry", plate: "X", imei: "356307042777777" }], {}],
  ["a new device", [device(60)], {}],
  [
    "a new owner",
    [
      { ...olga, role: "sub_account" },
      { ...ann, role: "owner" },
    ],
    {},
  ],
];

const unchanged: readonly FleetRecord[] = [acme, olga, ann, bob, ...devices, ...Object.values(fences), alertSettings];

onEachEngine("loading a fleet that has frames", (engine: EngineUnderTest) => {
  // What is derived is decided in memory: on PostgreSQL one of each kind of change shows that it is stored.
  const derived = engine.name === "sqlite" ? changes : changes.filter((_, index) => index % 4 === 1);

  test("notes exactly the devices whose facts can change, and from when", async () => {
    const { database } = await engine.fresh();
    for (const [name, records, expected] of changes) {
      await beginAnew(database);
      await take(database, [randomFleet(1, 2, later + 1)]);
      const before = await fleetRevisions(database);
      await load(database, records, later);
      expect([name, await dirtyDevices(database)]).toEqual([name, expected]);
      const { Acme = 0, Rival = 0 } = before;
      expect([name, await fleetRevisions(database)]).toEqual([name, { Acme: Acme + 1, Rival }]);
    }
  });

  test("notes nothing of an edit from now on where all frames are older", async () => {
    const { database } = await engine.fresh();
    for (const [name, records, expected] of derived) {
      await beginAnew(database);
      await take(database, [randomFleet(1, 2)]);
      await load(database, records, later);
      const concerned = Object.entries(expected).filter(([, since]) => since === fromTheBeginning);
      expect([name, await dirtyDevices(database)]).toEqual([name, Object.fromEntries(concerned)]);
    }
  });

  test("leaves everything as it is where nothing is said that is new", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    await take(database, [randomFleet(1, 2)]);
    const before = await fleetRevisions(database);
    await load(database, unchanged, later);
    expect(await dirtyDevices(database)).toEqual({});
    expect(await fleetRevisions(database)).toEqual(before);
  });

  test("gives what a fleet that was so from the beginning gives, whatever was changed", async () => {
    const frames = randomFleet(4, 150);
    const { database } = await engine.fresh();
    for (const [name, records, concerned] of derived) {
      if (Object.keys(concerned).length === 0) continue;
      await beginAnew(database);
      await take(database, [frames]);
      await load(database, records, later);
      await derivePending(database);
      expect([name, await rederiveAll(database)]).toMatchObject([name, nothingChanged]);
      const changed = await derivedTables(database);
      await forgetFrames(database);
      await take(database, [frames]);
      expect([name, await derivedTables(database)]).toEqual([name, changed]);
    }
  });

  test("does not change the past with an edit that holds from a moment", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const moment = newYear + 30 * hourMs;
    const past = randomFleet(2, 300, newYear);
    const since = randomFleet(3, 300, moment + hourMs);
    await take(database, [past.filter(({ recordedAt }) => (recordedAt ?? 0) < moment), since]);
    const until = async () => {
      const { geofence_events, alerts } = await derivedTables(database);
      return [...geofence_events, ...alerts].filter(({ occurred_at }) => Number(occurred_at) < moment);
    };
    const before = await until();
    expect(before.length).toBeGreaterThan(0);
    await load(database, [{ ...town, radius_m: 700, valid_from: from(moment) }], later);
    await derivePending(database);
    expect(await until()).toEqual(before);
  });

  test("while frames come in gives what its last state gives", async () => {
    const { database, open } = await engine.fresh();
    await loadIngestFleet(database);
    const node = await open();
    const frames = inOrder(randomFleet(6, 300));
    await take(database, [frames.slice(0, 30)]);
    let isDone = false;
    const loading = (async () => {
      for (let count = 0; !isDone; count++) {
        const size = 300 + (count % 7) * 300;
        const given = count % 2 === 0 ? [van.id, truck.id, car.id] : [van.id];
        const valid_from = from(newYear + (count % 3) * hourMs);
        const users = count % 2 === 0 ? [ann.id, bob.id] : [bob.id];
        const edited = { ...town, radius_m: size, device_ids: given, valid_from };
        await load(node, [edited, { ...truck, user_ids: users }], later + count);
      }
    })();
    const writer = newWriter(database);
    for (let begin = 30; begin < frames.length; begin += 20) {
      await take(database, [frames.slice(begin, begin + 20)], writer);
    }
    isDone = true;
    await loading;
    await derivePending(database);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("while the first frames of its devices come in misses none of them", async () => {
    const { database, open } = await engine.fresh();
    await loadIngestFleet(database);
    const node = await open();
    for (let round = 0; round < 12; round++) {
      await forgetFrames(database);
      const edited = { ...town, radius_m: 300 + round * 17, valid_from: from(newYear) };
      await Promise.all([take(database, [randomFleet(round, 60)]), load(node, [edited], later + round)]);
      await derivePending(database);
      expect([round, await rederiveAll(database)]).toMatchObject([round, nothingChanged]);
    }
  });

  test("takes a fence from the live position of a device it is taken from", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const standing = [vanImei, truckImei, carImei].flatMap((imei) =>
      Array.from({ length: 5 }, (_, index) => {
        const at = newYear + index * 60_000;
        return { ...noReport, ...home, imei, recordedAt: at, receivedAt: at, speed_kmh: 0, ignition: false };
      }),
    );
    await take(database, [standing]);
    const inside = async () => {
      const rows = await database.all<{ name: string; geofence_ids_json: string }>(sql`
        select d.name, p.geofence_ids_json from latest_positions p
        join devices d on d.account_id = p.account_id and d.device = p.device order by d.name`);
      return rows.map(({ name, geofence_ids_json }) => [name, JSON.parse(geofence_ids_json).includes(town.id)]);
    };
    const viewers = async () =>
      await database.all(sql`select user_id, revision from viewer_revisions order by user_id`);
    expect(await inside()).toEqual([
      ["Car", true],
      ["Truck", true],
      ["Van", true],
    ]);
    const before = await viewers();
    await load(database, [{ ...town, device_ids: [van.id] }], later);
    await derivePending(database);
    expect(await inside()).toEqual([
      ["Car", false],
      ["Truck", false],
      ["Van", true],
    ]);
    expect(await viewers()).not.toEqual(before);
  });
});
