import { expect, test } from "bun:test";
import { type Visibility, visibilityOf } from "../../src/domain/visibility.ts";
import type { Database } from "../../src/store/database.ts";
import { visibleDevice, visibleDevices } from "../../src/store/fleet/devices.ts";
import { usersById } from "../../src/store/fleet/users.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";

const { olga, ann, bob, rita, van, truck, car, rivalVan } = smallFleet;
const devices = [van, truck, car, rivalVan];
const firstPage = { after: null, count: 100, status: null, search: null };

async function sightOf(database: Database, id: string): Promise<Visibility> {
  const [row] = await usersById(database, [id]);
  if (!row) throw new Error(`no user ${id}`);
  return visibilityOf({ id, accountId: row.account_id, role: row.role });
}

onEachEngine("a viewer", (engine) => {
  test("never sees a device by the number of another account, not even where it is assigned", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const { accountId: rival } = await sightOf(database, rita.id);
    for (const viewer of [olga, ann]) {
      const crossed = { ...(await sightOf(database, viewer.id)), sees: "assigned" as const, accountId: rival };
      expect(await visibleDevices(database, crossed, firstPage)).toEqual([]);
      for (const { id, imei } of devices) {
        expect(await visibleDevice(database, crossed, { id })).toBeNull();
        expect(await visibleDevice(database, crossed, { imei })).toBeNull();
      }
    }
  });

  test("sees an assignment from the moment it is loaded, and no longer than it is", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const sight = await sightOf(database, bob.id);
    const seen = async () => (await visibleDevices(database, sight, firstPage)).map(({ id }) => id);
    await load(
      database,
      [
        { ...car, user_ids: [bob.id] },
        { ...truck, user_ids: [] },
      ],
      loadedAt + hourMs,
    );
    expect(await seen()).toEqual([car.id]);
    expect(await visibleDevice(database, sight, { id: truck.id })).toBeNull();
  });
});
