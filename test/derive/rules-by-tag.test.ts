import { expect, test } from "bun:test";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedTables, differencesOf, dirtyDevices } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import {
  alertSettings,
  carImei,
  devices,
  fences,
  home,
  newYear,
  people,
  randomFleet,
  truckImei,
} from "../support/ingest-fleet.ts";
import { newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";

const seed = announcedSeed("rules by tag");
const { acme } = smallFleet;
const [van, truck, car, rivalVan] = devices;
const fleet: FleetRecord[] = [...people, van, truck, { ...car, tags: ["fast"] }, rivalVan, ...Object.values(fences)];
const later = loadedAt + hourMs;

const limit = (limit_kmh: number): FleetRecord => ({ alert_type: "speeding", parameters: { limit_kmh } });
const ofTag = (tag: string, ...rules: FleetRecord[]) => ({ type: "alert_settings", account_id: acme.id, tag, rules });
const ofAll = (...rules: FleetRecord[]) => ({ type: "alert_settings", account_id: acme.id, rules });
const at = (moment: number) => ({ valid_from: new Date(moment).toISOString() });

/** Whose alert settings the change reported to the owner's followers. */
async function reportedSettings(database: Database): Promise<string[]> {
  const rows = await database.all<{ name: string }>(sql`
    select d.name from viewer_records r join devices d on d.account_id = r.account_id and d.id = r.id
    where r.user_id = ${accountViewer} and r.type = 'alert_settings' and r.changed_at = ${later} order by d.name`);
  return rows.map(({ name }) => name);
}

const spring = Date.UTC(2026, 1, 1);

/** What a change concerns, and from when; then whose settings are reported to followers. Of a fleet with these rules: */
const rules = [alertSettings, ofAll(limit(90)), ofTag("fast", limit(130))];
const changes: readonly [string, FleetRecord[], Record<string, number>, string[]][] = [
  [
    "rules for all: whom neither a tag nor its own rules judge",
    [ofAll(limit(80))],
    { Truck: later },
    ["Car", "Truck", "Van"],
  ],
  [
    "another type for all: everybody",
    [ofAll(limit(90), { alert_type: "idling", enabled: false })],
    { Car: later, Truck: later, Van: later },
    ["Car", "Truck", "Van"],
  ],
  ["rules for a tag: who has it", [ofTag("fast", limit(120))], { Car: later }, ["Car"]],
  ["from a moment on", [{ ...ofTag("fast", limit(120)), ...at(spring) }], { Car: spring }, ["Car"]],
  ["rules for a tag that nobody has: nobody", [ofTag("slow", limit(30))], {}, []],
  ["a tag that a vehicle gets: from now on", [{ ...truck, tags: ["fast"] }], { Truck: later }, ["Truck"]],
  ["a tag that a vehicle loses: from now on", [car], { Car: later }, ["Car"]],
  ["a tag without rules: nobody", [{ ...truck, tags: ["night"] }], {}, []],
  ["a tag whose rules its own rules hide: nobody is judged anew", [{ ...van, tags: ["fast"] }], {}, ["Van"]],
];

onEachEngine("rules by tag", (engine) => {
  // Some trackers report no speed, and some vehicles stand: one drives in any case.
  const drive = { imei: truckImei, from: home, beginAt: newYear - 2 * hourMs, minutes: 10, kmh: 50 };
  const frames = inOrder([...straightDrive(drive), ...randomFleet(seed, 60)]);
  const newFrames = inOrder(randomFleet(seed, 20, later));

  const judged = engine.copies(async ({ database }) => {
    await load(database, [...fleet, ...rules]);
    await take(database, [newFrames]);
  });

  test.each(changes)("concern exactly the devices that are judged anew: %s", async (_, records, expected, reported) => {
    const { database } = await judged();
    await load(database, records, later);
    expect(await dirtyDevices(database)).toEqual(expected);
    expect(await reportedSettings(database)).toEqual(reported);
  });

  test("give the same alerts whether they are loaded before the frames or after", async () => {
    const middle = frames[Math.floor(frames.length / 2)]?.recordedAt ?? 0;
    const history = [
      { ...ofAll(limit(10)), ...at(0) },
      { ...ofAll(limit(20)), ...at(middle) },
      ofTag("fast", limit(15), { alert_type: "idling", parameters: { after_s: 60 } }),
    ];
    const fastTruck = {
      ...truck,
      tags: ["fast"],
      tag_versions: [{ tags: [] }, { ...at(middle), tags: ["fast"] }],
    };
    const before = await engine.fresh();
    const whole = fleet.map((line) => (line === truck ? fastTruck : line));
    await load(before.database, [...whole, ...history, alertSettings]);
    await take(before.database, [frames]);
    const wanted = await derivedTables(before.database);
    expect(wanted.alerts.some(({ alert_type }) => alert_type === "speeding")).toBe(true);

    const after = await engine.fresh();
    await load(after.database, fleet);
    const writer = newWriter(after.database);
    await take(after.database, [frames.slice(0, 100)], writer);
    await load(after.database, [fastTruck, ...history, alertSettings], later);
    await take(after.database, [frames.slice(100)], writer);
    await writer.schedule.deriveLeft();
    expect(differencesOf(wanted, await derivedTables(after.database))).toEqual([]);
    expect(await rederiveAll(after.database)).toMatchObject(nothingChanged);
  });

  test("say when a silent vehicle is offline", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, ofTag("fast", { alert_type: "device_offline", parameters: { after_s: 3600 } })]);
    const began = loadedAt + 24 * hourMs;
    const drive = (imei: string) => straightDrive({ imei, from: home, beginAt: began, minutes: 5, kmh: 40 });
    await take(database, [drive(carImei), drive(truckImei)]);
    const lastSeen = drive(carImei).at(-1)?.receivedAt ?? 0;
    expect(await watchOffline(database, lastSeen + hourMs - 1)).toBe(0);
    expect(await watchOffline(database, lastSeen + hourMs)).toBe(1);
    expect(await watchOffline(database, lastSeen + 24 * hourMs)).toBe(1);
  });
});
