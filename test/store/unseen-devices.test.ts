import { expect, test } from "bun:test";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { Reader } from "../../src/store/database.ts";
import { alertSettingsOf } from "../../src/store/fleet/alert-settings.ts";
import { fleetDevicesById, saveDevices } from "../../src/store/fleet/device-writes.ts";
import { deviceIdentity, visibleDevice } from "../../src/store/fleet/devices.ts";
import { deviceGeofences } from "../../src/store/fleet/geofences.ts";
import { subAccount } from "../../src/store/fleet/users.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { noting } from "../support/altered.ts";
import { onEachEngine } from "../support/engines.ts";
import { isOnCluster } from "../support/postgres-databases.ts";
import { executedPlans, type PlanMode, type PlanNode } from "../support/postgres-plans.ts";
import { Seed } from "../support/seed.ts";

interface Named {
  readonly id: string;
  readonly imei: string;
  readonly device: number;
}

type LookUp = (reader: Reader, visibility: Visibility, named: Named) => unknown;

const lookUps: readonly (readonly [name: string, lookUp: LookUp])[] = [
  ["a device by id", (r, v, { id }) => visibleDevice(r, v, { id })],
  ["a device by IMEI", (r, v, { imei }) => visibleDevice(r, v, { imei })],
  ["the device of a filter by id", (r, v, { id }) => deviceIdentity(r, v, { id })],
  ["the device of a filter by IMEI", (r, v, { imei }) => deviceIdentity(r, v, { imei })],
  ["alert settings", (r, v, { id }) => alertSettingsOf(r, v, id)],
  ["the fences of a device", (r, v, { device }) => deviceGeofences(r, v, device)],
];

/** The steps that were taken, how often, and how many pages they touched. */
function stepsOf(plan: PlanNode): unknown {
  return {
    step: plan["Node Type"],
    index: plan["Index Name"],
    loops: plan["Actual Loops"],
    rows: plan["Actual Rows"],
    pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    below: plan.Plans?.map(stepsOf),
  };
}

onEachEngine("to a sub-account, a device of its account that it may not see", (engine) => {
  const prepared = engine.shared(async ({ database }) => {
    const seed = new Seed();
    const acme = seed.account();
    const anna = seed.user(acme);
    const ben = seed.user(acme);
    const seen = Array.from({ length: 20 }, () => seed.device(acme, { seenBy: [anna] }));
    const unseen = seed.device(acme, { seenBy: [ben] });
    // Behind it in every order, so that it is not the last of an index.
    for (let count = 0; count < 20; count++) seed.device(acme, { seenBy: [anna] });
    await seed.save(database);
    if (database.engine === "postgres") await database.transaction((tx) => tx.run(sql`analyze`));
    const unknown = {
      id: `${unseen.id.slice(0, -1)}${unseen.id.endsWith("0") ? "1" : "0"}`,
      imei: `${unseen.imei.slice(0, -1)}x`,
      device: 99_999_999,
    };
    return { database, anna, ben, seen, unseen, unknown };
  });

  test.each(lookUps)("is looked up in the same steps as one that does not exist: %s", async (_, lookUp) => {
    const { database, anna, unseen, unknown } = prepared();
    if (database.engine === "sqlite" || isOnCluster) return;
    for (const mode of ["force_generic_plan", "force_custom_plan"] as const satisfies PlanMode[]) {
      const stepsFor = async (named: Named) =>
        (await executedPlans(database, mode, (reader) => lookUp(reader, anna.visibility, named))).map(stepsOf);
      // Once before, so that what PostgreSQL notes at the first look at a row is noted.
      await stepsFor(unseen);
      const steps = await stepsFor(unseen);
      for (const imei of [unknown.imei, "000000000000000", "999999999999999"]) {
        expect(await stepsFor({ ...unknown, imei })).toEqual(steps);
      }
    }
  });

  test.each(lookUps.slice(0, 5))("is looked up among the assignments, not among the devices: %s", async (_, lookUp) => {
    const { database, anna, unseen } = prepared();
    if (database.engine === "postgres") return;
    const asked: Sql[] = [];
    await lookUp(
      noting(database, (statement) => asked.push(statement)),
      anna.visibility,
      unseen,
    );
    for (const statement of asked) {
      const plan = await database.all<{ detail: string }>(sql`explain query plan ${statement}`);
      expect(plan[0]?.detail).toMatch(
        /^SEARCH a USING (?:PRIMARY KEY \(account_id=\? AND user_id=\? AND id=\?\)|INDEX assignments_by_imei \(account_id=\? AND imei=\? AND user_id=\?\))$/,
      );
    }
  });

  test("is found by its new IMEI after two devices have traded theirs, and by no other", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const acme = seed.account();
    const anna = seed.user(acme);
    const one = seed.device(acme, { seenBy: [anna] });
    const other = seed.device(acme);
    await seed.save(database);
    const records = await fleetDevicesById(database, [one.id, other.id]);
    const traded = records.map((record) => ({ ...record, imei: record.id === one.id ? other.imei : one.imei }));
    await database.transaction((tx) => saveDevices(tx, traded, 1));
    expect(await visibleDevice(database, anna.visibility, { imei: one.imei })).toBeNull();
    expect((await visibleDevice(database, anna.visibility, { imei: other.imei }))?.id).toBe(one.id);
  });

  test("nor is another user distinguished from one that does not exist", async () => {
    const { database, anna, ben, unknown } = prepared();
    expect((await subAccount(database, anna.visibility, anna.id))?.id).toBe(anna.id);
    if (database.engine === "sqlite") return;
    const stepsFor = async (id: string) =>
      (await executedPlans(database, "force_generic_plan", (reader) => subAccount(reader, anna.visibility, id))).map(
        stepsOf,
      );
    await stepsFor(ben.id);
    expect(await stepsFor(ben.id)).toEqual(await stepsFor(unknown.id));
  });
});
