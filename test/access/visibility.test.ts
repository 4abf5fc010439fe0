import { expect, test } from "bun:test";
import { type Visibility, visibilityOf } from "../../src/domain/visibility.ts";
import type { Database } from "../../src/store/database.ts";
import { visibleDevice, visibleDeviceByImei, visibleDevices } from "../../src/store/fleet/devices.ts";
import { usersById } from "../../src/store/fleet/users.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";

const { olga, ann, bob, rita, van, truck, car, rivalVan } = smallFleet;
const devices = [van, truck, car, rivalVan];
const firstPage = { after: null, count: 100, status: null, search: null };

/** Who sees what. */
const matrix = [
  { viewer: olga, sees: [van, truck, car] },
  { viewer: ann, sees: [van, truck] },
  { viewer: bob, sees: [truck] },
  { viewer: rita, sees: [rivalVan] },
];

async function sightOf(database: Database, id: string): Promise<Visibility> {
  const [row] = await usersById(database, [id]);
  if (!row) throw new Error(`no user ${id}`);
  return visibilityOf({ id, accountId: row.account_id, role: row.role });
}

onEachEngine("a viewer", (engine) => {
  test("sees the devices of the account or those assigned, by list, id and IMEI alike", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    for (const { viewer, sees } of matrix) {
      const sight = await sightOf(database, viewer.id);
      const listed = await visibleDevices(database, sight, firstPage);
      expect([viewer.name, ...listed.map(({ id }) => id)]).toEqual([viewer.name, ...sees.map(({ id }) => id)]);
      for (const wanted of devices) {
        const isSeen = sees.some(({ id }) => id === wanted.id);
        const found = [
          await visibleDevice(database, sight, wanted.id),
          await visibleDeviceByImei(database, sight, wanted.imei),
        ];
        expect(found.map((row) => row?.id)).toEqual(isSeen ? [wanted.id, wanted.id] : [undefined, undefined]);
      }
    }
  });

  test("never sees a device by the number of another account, not even where it is assigned", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const { accountId: rival } = await sightOf(database, rita.id);
    for (const viewer of [olga, ann]) {
      const crossed = { ...(await sightOf(database, viewer.id)), sees: "assigned" as const, accountId: rival };
      expect(await visibleDevices(database, crossed, firstPage)).toEqual([]);
      for (const { id, imei } of devices) {
        expect(await visibleDevice(database, crossed, id)).toBeNull();
        expect(await visibleDeviceByImei(database, crossed, imei)).toBeNull();
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
    expect(await visibleDevice(database, sight, truck.id)).toBeNull();
  });

  test("reads page after page in ascending id, each device once", async () => {
    const { database } = await engine.fresh();
    const many = Array.from({ length: 25 }, (_, index) => device(100 + index, { user_ids: index % 2 ? [ann.id] : [] }));
    await load(database, [smallFleet.acme, olga, ann, ...many.toReversed()]);
    for (const [viewer, expected] of [
      [olga, many],
      [ann, many.filter((_, index) => index % 2 === 1)],
    ] as const) {
      const sight = await sightOf(database, viewer.id);
      const read: string[] = [];
      for (let after: string | null = null; ; after = read.at(-1) ?? null) {
        const page = await visibleDevices(database, sight, { ...firstPage, after, count: 10 });
        read.push(...page.map(({ id }) => id));
        if (page.length < 10) break;
      }
      expect(read).toEqual(expected.map(({ id }) => id));
    }
  });
});
