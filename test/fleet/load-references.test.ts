import { expect, test } from "bun:test";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, type FleetRecord, load, smallFleet, user, uuid } from "../support/fleet.ts";

const unknown = uuid(99);
const { acme, ann, bob, depot, olga, rival, rivalVan, rivalYard, rita, rules, truck, van } = smallFleet;

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
  test("is told with its number and its field, and nothing of its file is stored", async () => {
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
