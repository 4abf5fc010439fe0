import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user, uuid } from "../support/fleet.ts";

const unknown = uuid(99);
const { acme, ann, bob, car, depot, olga, rita, rival, rivalVan, rivalYard, rules, truck, van } = smallFleet;

function settings(geofence_ids: readonly string[], device_id: string = van.id): FleetRecord {
  return { ...rules, device_id, rules: [{ alert_type: "sos" }, { alert_type: "geofence_enter", geofence_ids }] };
}

/** What is loaded into a store that holds the small fleet; the message that tells why it does not fit. */
const wrong: readonly [string, readonly FleetRecord[], string][] = [
  [
    "a user of an unknown account",
    [acme, user(50, { account_id: unknown })],
    `line 2: field "account_id": expected the id of an account that is in this file or stored, got "${unknown}"`,
  ],
  [
    "a device of an unknown account",
    [device(50), device(51, { account_id: unknown })],
    `line 2: field "account_id": expected the id of an account that is in this file or stored, got "${unknown}"`,
  ],
  [
    "a fence of an unknown account",
    [circle(50, { account_id: unknown })],
    `line 1: field "account_id": expected the id of an account that is in this file or stored, got "${unknown}"`,
  ],
  [
    "a user that moves to another account",
    [acme, { ...ann, account_id: rival.id }],
    'line 2: field "account_id": this user belongs to another account, and cannot move',
  ],
  [
    "a device that moves to another account",
    [acme, { ...van, account_id: rival.id, user_ids: [] }],
    'line 2: field "account_id": this device belongs to another account, and cannot move',
  ],
  [
    "a fence that moves to another account",
    [acme, { ...depot, account_id: rival.id, device_ids: [] }],
    'line 2: field "account_id": this geofence belongs to another account, and cannot move',
  ],
  [
    "an e-mail that is taken, in other letters",
    [user(50), user(51, { email: "ANN@Acme.Test" })],
    'line 2: field "email": ANN@Acme.Test belongs to another user already',
  ],
  [
    "an e-mail that is taken in another account",
    [user(50, { email: rita.email })],
    'line 1: field "email": rita@rival.test belongs to another user already',
  ],
  ["a second owner", [acme, user(50, { role: "owner" })], 'line 2: field "role": the account has an owner already'],
  [
    "a sub-account that becomes a second owner",
    [{ ...ann, role: "owner" }],
    'line 1: field "role": the account has an owner already',
  ],
  [
    "an IMEI that is taken",
    [device(50), device(51, { imei: van.imei })],
    `line 2: field "imei": ${van.imei} belongs to another device already`,
  ],
  [
    "an IMEI that is taken in another account",
    [{ ...van, imei: rivalVan.imei }],
    `line 1: field "imei": ${rivalVan.imei} belongs to another device already`,
  ],
  [
    "an unknown user of a device",
    [{ ...truck, user_ids: [ann.id, unknown] }],
    `line 1: field "user_ids[1]": expected the id of a user of the device's account, got "${unknown}"`,
  ],
  [
    "another account's user of a device",
    [acme, { ...truck, user_ids: [ann.id, bob.id, rita.id] }],
    `line 2: field "user_ids[2]": expected the id of a user of the device's account, got "${rita.id}"`,
  ],
  [
    "an unknown device of a fence",
    [acme, olga, { ...depot, device_ids: [van.id, unknown] }],
    `line 3: field "device_ids[1]": expected the id of a device of the fence's account, got "${unknown}"`,
  ],
  [
    "another account's device of a fence",
    [{ ...depot, device_ids: [rivalVan.id] }],
    `line 1: field "device_ids[0]": expected the id of a device of the fence's account, got "${rivalVan.id}"`,
  ],
  [
    "settings of an unknown device",
    [acme, settings([], unknown)],
    `line 2: field "device_id": expected the id of a device that is in this file or stored, got "${unknown}"`,
  ],
  [
    "settings with an unknown fence",
    [settings([depot.id, unknown])],
    `line 1: field "rules[1].geofence_ids[1]": expected the id of a geofence of the device's account, got "${unknown}"`,
  ],
  [
    "settings with another account's fence",
    [settings([rivalYard.id])],
    `line 1: field "rules[1].geofence_ids[0]": expected the id of a geofence of the device's account, got "${rivalYard.id}"`,
  ],
];

onEachEngine("a line that does not fit what is stored", (engine) => {
  test("is named with its number and its field, and nothing of its file is stored", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const before = await everyRow(database);
    for (const [name, records, message] of wrong) {
      const failure = await failureOf(load(database, [...records, device(60)]));
      expect([name, failure.code, failure.message]).toEqual([name, "FLEET_FILE_INVALID", message]);
    }
    expect(await everyRow(database)).toEqual(before);
  });
});

const fleet = [acme, olga, ann, bob, van, truck, car, depot];

const yard = circle(33, { name: "Yard", device_ids: [truck.id] });

function rulesOf(of: { readonly id: string }, ...rules: FleetRecord[]): FleetRecord {
  return { type: "alert_settings", device_id: of.id, rules };
}

function speeding(...geofence_ids: string[]): FleetRecord {
  return { alert_type: "speeding", parameters: { limit_kmh: 50 }, geofence_ids };
}

async function warningsOf(database: Database, records: Iterable<FleetRecord>, now = loadedAt): Promise<string[]> {
  const warnings: string[] = [];
  await load(database, records, now, (warning) => warnings.push(warning));
  return warnings;
}

function cannotApply(line: number, rule: string, of: { id: string; imei: string }, ...fences: string[]): string {
  const what = `the ${rule} rule of device ${of.id} (IMEI ${of.imei})`;
  return `line ${line}: ${what} cannot apply: the device is assigned to none of its geofences (${fences.join(", ")})`;
}

onEachEngine("loading alert rules", (engine) => {
  test("warns of each rule whose device is assigned to none of its fences, and stores it all the same", async () => {
    const { database } = await engine.fresh();
    const rules = rulesOf(car, { alert_type: "sos" }, speeding(depot.id, yard.id), {
      alert_type: "geofence_exit",
      geofence_ids: [yard.id],
    });
    expect(await warningsOf(database, [...fleet, yard, rules])).toEqual([
      cannotApply(10, "speeding", car, depot.id, yard.id),
      cannotApply(10, "geofence_exit", car, yard.id),
    ]);
    const none = rulesOf(truck, { alert_type: "geofence_enter", geofence_ids: [] });
    expect(await warningsOf(database, [none])).toEqual([
      `line 1: the geofence_enter rule of device ${truck.id} (IMEI ${truck.imei}) cannot apply: it names no geofences`,
    ]);
    const stored = await everyRow(database);
    // Still true when the file is loaded again.
    expect(await warningsOf(database, [rules])).toHaveLength(2);
    expect(await everyRow(database)).toEqual(stored);
  });

  test("says nothing where one of a rule's fences has the device, wherever in the file that stands", async () => {
    const { database } = await engine.fresh();
    const rules = rulesOf(van, speeding(yard.id, depot.id), speeding(depot.id));
    const fences = new Set<FleetRecord>([depot, yard]);
    expect(await warningsOf(database, [...fleet.filter((line) => !fences.has(line)), rules, yard, depot])).toEqual([]);
    // Assigned by a line behind the rulesOf, to a fence that is stored without the device.
    const joined = { ...yard, device_ids: [truck.id, van.id] };
    const later = loadedAt + hourMs;
    expect(await warningsOf(database, [rulesOf(van, speeding(yard.id)), joined], later)).toEqual([]);
  });

  test("warns when a file takes the device out of the last fence of a rule that is stored", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, rulesOf(van, speeding(depot.id))]);
    const without = { ...depot, device_ids: [truck.id] };
    const later = loadedAt + hourMs;
    expect(await warningsOf(database, [acme, without], later)).toEqual([cannotApply(2, "speeding", van, depot.id)]);
    // Nothing changes any more, and the file says nothing of the van.
    expect(await warningsOf(database, [acme, without], later + hourMs)).toEqual([]);
    expect(await warningsOf(database, [depot], later + 2 * hourMs)).toEqual([]);
  });

  test("judges the newest rules alone, and not those that switch off the alerts of a crossing", async () => {
    const { database } = await engine.fresh();
    const history = [
      { ...rulesOf(van, speeding(yard.id)), valid_from: "2025-01-01" },
      { ...rulesOf(van, speeding(depot.id)), valid_from: "2025-06-01" },
    ];
    const off = rulesOf(car, { alert_type: "geofence_enter", enabled: false, geofence_ids: [depot.id] });
    expect(await warningsOf(database, [...fleet, yard, ...history, off])).toEqual([]);
  });

  test("names twenty, and counts the others", async () => {
    const { database } = await engine.fresh();
    const many = Array.from({ length: 25 }, (_, index) => device(100 + index));
    const warnings = await warningsOf(database, [
      ...fleet,
      ...many,
      ...many.map((one) => rulesOf(one, speeding(depot.id))),
    ]);
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toStartWith(`line 34: the speeding rule of device ${uuid(100)}`);
    expect(warnings.at(-1)).toBe("and 5 more alert rules that cannot apply");
  });
});
