import { expect, test } from "bun:test";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user } from "../support/fleet.ts";

const { olga, ann, bob, rita, van, truck, car, rivalVan } = smallFleet;

type Counter = "revision" | "devices_revision";

async function revisions(database: Database, counter: Counter = "revision"): Promise<Record<string, number>> {
  const rows = await database.all<{ readonly name: string } & Readonly<Record<Counter, number>>>(sql`
    select u.name, coalesce(r.revision, 0) as revision, coalesce(r.devices_revision, 0) as devices_revision
    from users u left join viewer_revisions r on r.account_id = u.account_id
      and r.user_id = case when u.role = 'owner' then ${accountViewer} else u.id end order by u.name`);
  return Object.fromEntries(rows.map((row) => [row.name, row[counter]]));
}

/** The fleet with the van, the truck, the car and the rival's van on the live map. */
async function liveFleet(database: Database): Promise<void> {
  await load(database, Object.values(smallFleet));
  await database.transaction((tx) =>
    tx.run(sql`
      insert into latest_positions (account_id, device, revision, last_seen_at, recorded_at, received_at, fields_json)
      select account_id, device, 1, 5, 5, 5, '[]' from devices`),
  );
}

const changes: readonly [string, FleetRecord[], readonly string[]][] = [
  ["a new name is seen by the owner and those who see the device", [{ ...van, name: "Bus" }], ["Ann", "Olga"]],
  ["a new plate is seen by the owner and those who see the device", [{ ...truck, plate: "X" }], ["Ann", "Bob", "Olga"]],
  [
    "a new tracker is seen by the owner and those who see the device",
    [{ ...van, imei: "356307042999999" }],
    ["Ann", "Olga"],
  ],
  ["a device that nobody else sees is the owner's affair", [{ ...car, name: "Coupe" }], ["Olga"]],
  ["an assignment is seen by whom it is given to", [{ ...car, user_ids: [bob.id] }], ["Bob"]],
  ["an assignment that ends is seen by whom it is taken from", [{ ...truck, user_ids: [bob.id] }], ["Ann"]],
  ["an assignment that moves is seen by both", [{ ...van, user_ids: [bob.id] }], ["Ann", "Bob"]],
  [
    "several changes of what one sees",
    [
      { ...van, name: "Bus" },
      { ...truck, name: "Lorry" },
    ],
    ["Ann", "Bob", "Olga"],
  ],
  ["another account's device is seen by nobody here", [{ ...rivalVan, name: "Bus" }], ["Rita"]],
  [
    "another owner sees another fleet",
    [
      { ...olga, role: "sub_account" },
      { ...ann, role: "owner" },
    ],
    ["Ann", "Olga"],
  ],
  ["a status is not on the live map", [{ ...van, status: "blocked", tags: ["cold"] }], []],
  ["a new device has no position yet", [device(50, { user_ids: [ann.id] })], []],
  ["a person's own record is not on the live map", [{ ...ann, status: "disabled" }, user(50)], []],
  ["the same again", [van, truck, car, olga, ann, bob, rita], []],
];

/** Of the devices everything is shown, and a device need not have sent anything. */
const deviceChanges: readonly [string, FleetRecord[], readonly string[]][] = [
  ["a new name", [{ ...van, name: "Bus" }], ["Ann", "Olga"]],
  ["a status and tags", [{ ...truck, status: "blocked", tags: ["cold"] }], ["Ann", "Bob", "Olga"]],
  ["a device that nobody else sees", [{ ...car, vin: "W1V9076331P412073" }], ["Olga"]],
  ["an assignment", [{ ...car, user_ids: [bob.id] }], ["Bob"]],
  ["an assignment that ends", [{ ...truck, user_ids: [bob.id] }], ["Ann"]],
  ["an assignment that moves", [{ ...van, user_ids: [bob.id] }], ["Ann", "Bob"]],
  ["a name with an assignment that moves", [{ ...van, name: "Bus", user_ids: [bob.id] }], ["Ann", "Bob", "Olga"]],
  ["another account's device", [{ ...rivalVan, name: "Bus" }], ["Rita"]],
  [
    "another owner",
    [
      { ...olga, role: "sub_account" },
      { ...ann, role: "owner" },
    ],
    ["Ann", "Olga"],
  ],
  ["a person's own record", [{ ...ann, status: "disabled" }], []],
  ["the same again", [van, truck, car, olga, ann, bob, rita], []],
  // The last one: what is new cannot be taken back.
  ["a new device", [device(51, { user_ids: [ann.id] })], ["Ann", "Olga"]],
];

/** Each change, taken back after it, moves the counters of those who see it, and of nobody else. */
async function holdTo(database: Database, cases: typeof changes, counter: Counter): Promise<void> {
  for (const [name, records, viewers] of cases) {
    const before = await revisions(database, counter);
    await load(database, records, loadedAt + hourMs);
    const after = await revisions(database, counter);
    const changed = Object.keys(before).filter((viewer) => after[viewer] !== before[viewer]);
    expect([name, changed]).toEqual([name, [...viewers]]);
    // Another role has other counters.
    const growing = name.startsWith("another owner") ? [] : changed;
    for (const viewer of growing) expect(after[viewer]).toBeGreaterThan(before[viewer] ?? 0);
    await load(database, Object.values(smallFleet), loadedAt + hourMs);
  }
}

onEachEngine("the devices change for exactly those who see it", (engine) => {
  test("whatever the change", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    await holdTo(database, deviceChanges, "devices_revision");
  });
});

onEachEngine("the live positions change for exactly those who see it", (engine) => {
  test("whatever the change", async () => {
    const { database } = await engine.fresh();
    await liveFleet(database);
    await holdTo(database, changes, "revision");
  });

  test("not for devices that never sent anything", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    await load(database, [{ ...van, name: "Bus", user_ids: [bob.id] }], loadedAt + hourMs);
    expect(Object.values(await revisions(database))).toEqual([0, 0, 0, 0]);
  });

  test("again with each change", async () => {
    const { database } = await engine.fresh();
    await liveFleet(database);
    const seen: (number | undefined)[] = [];
    for (const name of ["A", "B", "B", "C"]) {
      await load(database, [{ ...van, name }], loadedAt + hourMs);
      seen.push((await revisions(database)).Ann);
    }
    expect(seen).toEqual([1, 2, 2, 3]);
  });
});
