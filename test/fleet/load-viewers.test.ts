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

const owners = [
  { ...olga, role: "sub_account" },
  { ...ann, role: "owner" },
];

/** Who sees it on the live map, and who in the list of devices, which shows all of a device, whether it sent anything or not. */
const changes: readonly [string, FleetRecord[], live: readonly string[], listed: readonly string[]][] = [
  ["a new name", [{ ...van, name: "Bus" }], ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a new plate", [{ ...truck, plate: "X" }], ["Ann", "Bob", "Olga"], ["Ann", "Bob", "Olga"]],
  ["a new tracker", [{ ...van, imei: "356307042999999" }], ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a device that nobody else sees", [{ ...car, name: "Coupe" }], ["Olga"], ["Olga"]],
  ["an assignment", [{ ...car, user_ids: [bob.id] }], ["Bob"], ["Bob"]],
  ["an assignment that ends", [{ ...truck, user_ids: [bob.id] }], ["Ann"], ["Ann"]],
  ["an assignment that moves", [{ ...van, user_ids: [bob.id] }], ["Ann", "Bob"], ["Ann", "Bob"]],
  [
    "a name with an assignment that moves",
    [{ ...van, name: "Bus", user_ids: [bob.id] }],
    ["Ann", "Bob", "Olga"],
    ["Ann", "Bob", "Olga"],
  ],
  [
    "several changes of what one sees",
    [
      { ...van, name: "Bus" },
      { ...truck, name: "Lorry" },
    ],
    ["Ann", "Bob", "Olga"],
    ["Ann", "Bob", "Olga"],
  ],
  ["another account's device", [{ ...rivalVan, name: "Bus" }], ["Rita"], ["Rita"]],
  ["another owner", owners, ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a status and tags", [{ ...truck, status: "blocked", tags: ["cold"] }], [], ["Ann", "Bob", "Olga"]],
  ["what the vehicle is", [{ ...car, vin: "W1V9076331P412073" }], [], ["Olga"]],
  ["a person's own record", [{ ...ann, status: "disabled" }, user(50)], [], []],
  ["the same again", [van, truck, car, olga, ann, bob, rita], [], []],
  // The last one: what is new cannot be taken back.
  ["a new device", [device(51, { user_ids: [ann.id] })], [], ["Ann", "Olga"]],
];

onEachEngine("what is seen changes for exactly those who see it", (engine) => {
  test("on the live map and in the list, whatever the change", async () => {
    const { database } = await engine.fresh();
    await liveFleet(database);
    // Each change is taken back after it.
    for (const [name, records, live, listed] of changes) {
      const counters = ["revision", "devices_revision"] as const;
      const before = await Promise.all(counters.map((counter) => revisions(database, counter)));
      await load(database, records, loadedAt + hourMs);
      for (const [index, counter] of counters.entries()) {
        const [old, after] = [before[index] ?? {}, await revisions(database, counter)];
        const changed = Object.keys(old).filter((viewer) => after[viewer] !== old[viewer]);
        expect([name, counter, changed]).toEqual([name, counter, [...(counter === "revision" ? live : listed)]]);
        // Another role has other counters.
        const growing = name === "another owner" ? [] : changed;
        for (const viewer of growing) expect(after[viewer]).toBeGreaterThan(old[viewer] ?? 0);
      }
      await load(database, Object.values(smallFleet), loadedAt + hourMs);
    }
  });

  test("not on the live map for devices that never sent anything", async () => {
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
