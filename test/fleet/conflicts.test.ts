import { describe, expect, test } from "bun:test";
import { hashPassword } from "../../src/access/passwords.ts";
import type { AuditAction } from "../../src/domain/audit.ts";
import { loadFleet } from "../../src/fleet/apply/load.ts";
import { editFleet, type RecordEdit } from "../../src/fleet/edit/edit.ts";
import { type Removal, removeDevice } from "../../src/fleet/edit/remove-device.ts";
import { removeGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { removeUser } from "../../src/fleet/edit/remove-user.ts";
import { collectFleet } from "../../src/fleet/parse/parse.ts";
import { replacePassword } from "../../src/store/access/sign-ins.ts";
import type { Database } from "../../src/store/database.ts";
import { addAuditEntries } from "../../src/store/fleet/audit.ts";
import { type RevisedType, revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user, uuid } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const { acme, olga, ann, bob, van, truck, car, depot, rules } = smallFleet;
const fleet = Object.values(smallFleet);
const later = loadedAt + hourMs;
const advice = "(nothing was stored; correct the lines, or store them with --take-over)";

async function edited(
  database: Database,
  type: RecordEdit["type"],
  id: string,
  fields: RecordEdit["fields"],
): Promise<void> {
  const number = await accountNumber(database);
  const revision = (await revisionsOf(database, number, type, [id])).get(id)?.revision ?? 1;
  const request = {
    account: { number, id: acme.id },
    by: { kind: "user", id: olga.id } as const,
    changes: [{ type, id, revision, fields }],
    isPreview: false,
  };
  await editFleet(database, request, later);
}

function takeOver(database: Database, records: Iterable<FleetRecord>) {
  const file = collectFleet(() => "no frames");
  for (const [index, record] of [...records].entries()) file.add(index + 1, JSON.stringify(record));
  return loadFleet(database, file.finish(), later + hourMs, { takeOver: true });
}

const managedBy = async (database: Database, type: RevisedType, id: string) =>
  (await revisionsOf(database, await accountNumber(database), type, [id])).get(id)?.managedBy;

/** Loads a file that must be refused without a trace, and says why it was. */
async function conflict(database: Database, records: Iterable<FleetRecord>): Promise<string> {
  const before = await everyRow(database);
  const { code, message } = await failureOf(load(database, records, later + hourMs));
  expect(code).toBe("FLEET_FILE_INVALID");
  expect(message).toEndWith(` ${advice}`);
  expect(await everyRow(database)).toEqual(before);
  return message.slice(0, -advice.length - 1);
}

onEachEngine("a file that would undo what a person did in the portal", (engine) => {
  const copied = engine.copies(({ database }) => load(database, fleet));
  const loaded = async () => (await copied()).database;

  const said = (field: string, file: string, stored: string) => `the file says ${field} ${file}, stored is ${stored}`;
  const differs = (field: string) => `the file differs in ${field}`;
  const vehicle = { plate: "NEW", vehicle_year: 2020, tags: ["cold"], vin: "V1" };
  const ofVehicle = [said("plate", '"AC ME 1"', '"NEW"'), said("vin", "none", '"V1"')];
  const zone = said("time_zone", '"UTC"', '"Europe/Berlin"');
  const towing = { alert_type: "towing", enabled: false };
  /** What was changed, the file's line, what the portal says, and what the refusal names. */
  const cases: [string, (typeof fleet)[number], RecordEdit["fields"], string[]][] = [
    ["a vehicle", van, vehicle, [...ofVehicle, said("vehicle_year", "none", "2020"), differs("tags")]],
    ["who sees a vehicle", van, { user_ids: [bob.id] }, [differs("user_ids")]],
    [
      "a person",
      ann,
      { name: "Anna", status: "disabled" },
      [said("name", '"Ann"', '"Anna"'), said("status", '"active"', '"disabled"')],
    ],
    ["the account", acme, { name: "Acme 2", time_zone: "Europe/Berlin" }, [said("name", '"Acme"', '"Acme 2"'), zone]],
    [
      "a fence's name",
      depot,
      { name: "Yard", color: "red" },
      [said("name", '"Depot"', '"Yard"'), said("color", "none", '"red"')],
    ],
    [
      "a fence's shape and vehicles",
      depot,
      { radius_m: 300, device_ids: [car.id] },
      [differs("device_ids"), differs("geometry")],
    ],
    ["alert settings", rules, { rules: [towing] }, [differs("rules")]],
  ];

  // What differs is found in memory: on PostgreSQL a case with fields, one with lists and one with versions.
  const ofBoth = ["a vehicle", "a person", "a fence's shape and vehicles"];
  test.each(engine.name === "sqlite" ? cases : cases.filter(([name]) => ofBoth.includes(name)))(
    "%s: a line that says the same is no conflict; another is refused with what differs, unless it takes over",
    async (_, line, fields, message) => {
      const database = await loaded();
      const type = line.type as RevisedType;
      const id = "device_id" in line ? line.device_id : line.id;
      await edited(database, type, id, fields);
      const before = await everyRow(database);
      await load(
        database,
        fleet.map((record) => (record === line ? { ...record, ...fields } : record)),
        later + hourMs,
      );
      expect(await everyRow(database)).toEqual(before);
      expect(await managedBy(database, type, id)).toBe("portal");
      const what = type === "alert_settings" ? `the alert settings of device ${id} were` : `${type} ${id} was`;
      expect(await conflict(database, fleet)).toBe(
        `line ${fleet.indexOf(line) + 1}: ${what} changed in the portal: ${message.join(", ")}`,
      );

      await takeOver(database, fleet);
      expect(await managedBy(database, type, id)).toBe("file");
      const summary = await load(database, fleet, later + 2 * hourMs);
      for (const { added, changed } of Object.values(summary)) expect([added, changed]).toEqual([0, 0]);
    },
  );

  test("a record that the portal added belongs to it as well", async () => {
    const database = await loaded();
    const added = device(51, { plate: "P" });
    const request = {
      account: { number: await accountNumber(database), id: acme.id },
      by: { kind: "user", id: olga.id } as const,
      changes: [{ type: "device" as const, id: added.id, revision: null, fields: added }],
      isPreview: false,
    };
    await editFleet(database, request, later);
    await load(database, [added], later + hourMs);
    expect(await conflict(database, [{ ...added, plate: "F" }])).toContain('the file says plate "F", stored is "P"');
  });

  test("all conflicts are listed, in the order of lines; of many, ten", async () => {
    const database = await loaded();
    const many = Array.from({ length: 13 }, (_, index) => device(100 + index));
    await load(database, many);
    for (const { id } of many) await edited(database, "device", id, { plate: "P" });
    await edited(database, "user", bob.id, { name: "Rob" });
    const message = (await conflict(database, [...many.toReversed(), bob])).split("; ");
    expect(message).toHaveLength(11);
    for (const [index, { id }] of many.toReversed().slice(0, 10).entries()) {
      expect(message[index]).toStartWith(`line ${index + 1}: device ${id} `);
    }
    expect(message[10]).toBe("and 4 more");
  });

  test("other lines of such a file are not stored either, and without the conflict they are", async () => {
    const database = await loaded();
    await edited(database, "device", van.id, { plate: "NEW" });
    const other = { ...truck, plate: "FILE" };
    await conflict(database, [van, other]);
    expect((await load(database, [other], later + hourMs)).devices).toMatchObject({ changed: 1 });
    expect(await managedBy(database, "device", truck.id)).toBe("file");
  });

  test("a history that leaves what the portal said about later alone is no conflict", async () => {
    const database = await loaded();
    const march = new Date(loadedAt).toISOString();
    const history = [depot, { ...depot, radius_m: 150, valid_from: march }];
    await load(database, history, later);
    await edited(database, "geofence", depot.id, { radius_m: 300 });
    expect((await load(database, history, later + hourMs)).geofences).toMatchObject({ changed: 0 });
    expect(await conflict(database, [depot, { ...depot, radius_m: 151, valid_from: march }])).toContain("geometry");
  });

  test("what only those who run the server say of an account is theirs, no matter who manages its name", async () => {
    const database = await loaded();
    await edited(database, "account", acme.id, { name: "Acme 2" });
    const limits = { ...acme, name: "Acme 2", limits: { per_second: 30, per_day: 3000, account_per_day: 5000 } };
    expect((await load(database, [limits], later + hourMs)).accounts).toMatchObject({ changed: 1 });
    expect(await managedBy(database, "account", acme.id)).toBe("portal");
    expect(await conflict(database, [{ ...limits, name: "Acme", status: "suspended" }])).toContain('name "Acme"');
  });
});

onEachEngine("a password that a person has chosen", (engine) => {
  const first = "correct horse";
  const chosen = "battery staple";
  const filed = { ...ann, password: first };

  const withChosen = engine.copies(async ({ database }) => {
    await load(database, [acme, filed]);
    const row = await database.get<{ hash: string }>(sql`select password_hash as hash from users where id = ${ann.id}`);
    const next = await hashPassword(chosen);
    await database.transaction((tx) => replacePassword(tx, ann.id, { checked: row?.hash ?? "", next }, later));
    return next;
  });
  const message = `line 1: the person of user ${ann.id} has chosen another password in the portal; leave it out of the line`;

  test("is not undone by a file, and neither is shown", async () => {
    const { database } = await withChosen();
    expect(await conflict(database, [filed])).toBe(message);
    const hash = await hashPassword(first);
    expect(await conflict(database, [{ ...ann, password_hash: hash }])).toBe(message);
  });

  test("stays the person's while the file manages name and e-mail", async () => {
    const { database, prepared: next } = await withChosen();
    expect(await managedBy(database, "user", ann.id)).toBe("file");
    for (const line of [
      { ...ann, name: "Anna" },
      { ...ann, name: "Anne", password: chosen },
    ]) {
      expect((await load(database, [line], later + hourMs)).users).toMatchObject({ changed: 1 });
    }
    expect((await load(database, [{ ...ann, name: "Anne", password_hash: next }])).users).toMatchObject({
      unchanged: 1,
    });
    expect(await conflict(database, [filed])).toContain("has chosen another password");
  });

  test("gives way to a file that takes over, and is the file's from then on", async () => {
    const { database } = await withChosen();
    await takeOver(database, [filed]);
    expect((await load(database, [{ ...ann, password: "third password" }])).users).toMatchObject({ changed: 1 });
  });

  test("of the file is the file's until then", async () => {
    const { database } = await engine.fresh();
    await load(database, [acme, filed]);
    expect((await load(database, [{ ...ann, password: chosen }])).users).toMatchObject({ changed: 1 });
  });

  test("in a record of the portal's is never shown", async () => {
    const { database } = await engine.fresh();
    await load(database, [acme, olga, filed]);
    await edited(database, "user", ann.id, { name: "Anna" });
    expect(await conflict(database, [{ ...ann, name: "Anna", password: chosen }])).toBe(
      `line 1: user ${ann.id} was changed in the portal: the file differs in password`,
    );
  });
});

onEachEngine("a record that was removed and kept", (engine) => {
  const lines = { device: van, user: ann, geofence: depot };
  const remove = {
    device: (database: Database, removal: Removal) => removeDevice(database, removal, later),
    user: (database: Database, removal: Removal) => removeUser(database, removal, later),
    geofence: (database: Database, removal: Removal) => removeGeofence(database, { ...removal, revision: 1 }, later),
  };

  const copied = engine.copies(({ database }) => load(database, fleet));
  const removedFrom = async (type: keyof typeof lines) => {
    const { database } = await copied();
    const by = { kind: "user", id: olga.id } as const;
    const accountId = await accountNumber(database);
    const removal = { accountId, id: lines[type].id, by, revision: 1, history: "keep", isPreview: false } as const;
    await remove[type](database, removal);
    return database;
  };

  test.each(["device", "user", "geofence"] as const)("%s: comes back only by a file that takes over", async (type) => {
    const database = await removedFrom(type);
    const { id } = lines[type];
    const line = fleet.indexOf(lines[type] as never) + 1;
    const message = `line ${line}: ${type} ${id} was removed in the portal, and the file would put it back`;
    expect(await conflict(database, fleet)).toStartWith(message);

    await takeOver(database, fleet);
    const texts = recordsIn(await exportedText(database));
    expect(texts).toContainEqual(expect.objectContaining({ type, id, name: lines[type].name }));
    expect(await managedBy(database, type, id)).toBe("file");
    const last = await database.all(
      sql`select action, actor from audit_log where id = ${id} order by at desc, entry_id desc`,
    );
    expect(last[0]).toEqual({ action: `${type}.restored`, actor: "file" });
    // From then on the file may change it again.
    await load(database, [{ ...lines[type], name: "Another" }], later + 2 * hourMs);
  });

  test("is not exported, and what named it is no conflict without it", async () => {
    for (const type of ["device", "user", "geofence"] as const) {
      const database = await removedFrom(type);
      const file = recordsIn(await exportedText(database));
      expect(JSON.stringify(file)).not.toContain(lines[type].id);
      const before = await everyRow(database);
      await load(database, file, later + hourMs);
      expect(await everyRow(database)).toEqual(before);
    }
  });
});

onEachEngine("a record that was erased", (engine) => {
  const copied = engine.copies(({ database }) => load(database, [acme, olga]));
  const erased = async (...actions: AuditAction[]) => {
    const { database } = await copied();
    const number = await accountNumber(database);
    for (const [index, action] of actions.entries()) {
      const entry = { by: { kind: "user", id: olga.id } as const, action, id: uuid(70) };
      await database.transaction((tx) => addAuditEntries(tx, number, [entry], later + index));
    }
    return database;
  };

  describe.each([
    ["device", device(70)],
    ["user", user(70)],
    ["geofence", circle(70)],
  ] as const)("%s", (type, line) => {
    test("does not come back by a file, unless it takes over", async () => {
      const database = await erased(`${type}.added`, type === "geofence" ? "geofence.removed" : `${type}.erased`);
      expect(await conflict(database, [line])).toBe(
        `line 1: ${type} ${uuid(70)} was erased, and the file would add it anew`,
      );
      await takeOver(database, [line]);
      // From then on it is the file's, and may be changed by it.
      await load(database, [{ ...line, name: "Another" }], later + 2 * hourMs);
      expect(await managedBy(database, type, uuid(70))).toBe("file");
    });
  });

  test("another record with the same id in another type is another record", async () => {
    const database = await erased("device.erased");
    await load(database, [user(70)], later + hourMs);
  });
});
