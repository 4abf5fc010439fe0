import { expect, test } from "bun:test";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { visibleDevices } from "../../src/store/fleet/devices.ts";
import { geofences } from "../../src/store/fleet/geofences.ts";
import { subAccounts } from "../../src/store/fleet/users.ts";
import { latestPositions } from "../../src/store/frames/positions.ts";
import type { IdPage } from "../../src/store/pages.ts";
import { onEachEngine } from "../support/engines.ts";
import { compareKeys, everyPage, type Plain, plain, type TimeList, timeLists } from "../support/read-lists.ts";
import { newFleet, type SeededFleet } from "../support/seed-fleet.ts";
import { noon } from "../support/seed-rows.ts";

/** Three rows are of one moment. */
const pageSizes = [1, 2, 3, 4, 7];

/** A list in ascending public id. */
interface IdList {
  readonly name: string;
  read(reader: Reader, visibility: Visibility, page: IdPage): Promise<object[]>;
  idOf(row: Plain): string;
  /** Adds one that the owner and, where there is a choice, Anna can see. */
  add(fleet: SeededFleet, id: string): void;
}

const idOfDevice = (row: Plain) => row.device_id as string;
const id = (row: Plain) => row.id as string;

const idLists: readonly IdList[] = [
  {
    name: "devices",
    read: (reader, visibility, page) => visibleDevices(reader, visibility, { ...page, status: null, search: null }),
    idOf: id,
    add: ({ seed, acme, anna }, id) => seed.device(acme, { id, seenBy: [anna] }),
  },
  {
    name: "latest positions",
    read: (reader, visibility, page) => latestPositions(reader, visibility, { ...page, device: null }),
    idOf: idOfDevice,
    add: ({ seed, acme, anna }, id) => seed.position(seed.device(acme, { id, seenBy: [anna] })),
  },
  {
    name: "geofences",
    read: geofences,
    idOf: id,
    add: ({ seed, acme, van }, id) => seed.geofence(acme, { id, devices: [van] }),
  },
  { name: "sub-accounts", read: subAccounts, idOf: id, add: ({ seed, acme }, id) => seed.user(acme, { id }) },
];

/** An id that lies just beside another one in the order. */
function beside(id: string, step: -1 | 1): string {
  const head = Number.parseInt(id.slice(0, 8), 16);
  return (head + step).toString(16).padStart(8, "0") + id.slice(8);
}

async function everyIdPage(
  list: IdList,
  database: Database,
  visibility: Visibility,
  count: number,
  betweenPages: (last: string) => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const found: string[] = plain(await list.read(database, visibility, { after, count })).map(list.idOf);
    ids.push(...found);
    after = found.at(-1) ?? null;
    if (after === null || found.length < count) return ids;
    await betweenPages(after);
  }
}

onEachEngine("paging while rows are being written", (engine) => {
  test.each(timeLists.map((list) => [list.name, list] as const))(
    "skips and repeats none of the %s",
    async (_, list: TimeList) => {
      const { database } = await engine.fresh();
      const { seed, acme, owner, anna, van, truck, car } = newFleet();
      const fence = seed.geofence(acme);
      const fromMs = noon;
      const toMs = noon + 100_000;
      for (let index = 0; index < 15; index++) {
        // Three at each moment, two of them of one device.
        list.add(seed, [van, truck, van][index % 3] ?? van, noon + 3_000 * Math.floor(index / 3), fence);
      }
      await seed.save(database);
      for (const viewer of [owner, anna]) {
        for (const count of pageSizes) {
          const page = { device: list.needsDevice ? van.device : null, fromMs, toMs, count };
          const before = await everyPage(list, database, viewer.visibility, { ...page, count: 1000 });
          const added: Plain[] = [];
          const rows = await everyPage(list, database, viewer.visibility, page, async (last) => {
            // What is added ahead makes further pages: not for ever.
            if (added.length === 3) return;
            const at = list.key(last)[0] as number;
            list.add(seed, van, at - 1, fence);
            list.add(seed, car, at + 1, fence);
            added.push(list.add(seed, van, at + 2, fence));
            await seed.save(database);
          });
          const keys = rows.map((row) => list.key(row));
          expect(keys.every((key, index) => index === 0 || compareKeys(keys[index - 1] ?? [], key) < 0)).toBe(true);
          const original = new Set(before.map((row) => JSON.stringify(list.key(row))));
          expect(rows.filter((row) => original.has(JSON.stringify(list.key(row))))).toEqual(before);
          expect(rows).toEqual(expect.arrayContaining(added));
        }
      }
    },
    240_000,
  );

  test.each(idLists.map((list) => [list.name, list] as const))(
    "skips and repeats none of the %s",
    async (_, list) => {
      const { database } = await engine.fresh();
      const fleet = newFleet();
      for (let index = 1; index <= 11; index++) {
        list.add(fleet, `${(index * 0x0f00_0000).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`);
      }
      await fleet.seed.save(database);
      const viewers = list.name === "sub-accounts" ? [fleet.owner] : [fleet.owner, fleet.anna];
      let salt = 0;
      for (const { visibility } of viewers) {
        for (const count of pageSizes) {
          const before = await everyIdPage(list, database, visibility, 1000, async () => {});
          const added: string[] = [];
          const ids = await everyIdPage(list, database, visibility, count, async (last) => {
            if (added.length === 3) return;
            // A tail of its own, because no two may be the same.
            const tail = String(++salt).padStart(12, "0");
            const behind = beside(last, -1).slice(0, 24) + tail;
            const ahead = beside(last, 1).slice(0, 24) + tail;
            list.add(fleet, behind);
            list.add(fleet, ahead);
            added.push(ahead);
            await fleet.seed.save(database);
          });
          expect(ids).toEqual(ids.toSorted());
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => before.includes(id))).toEqual(before);
          expect(ids).toEqual(expect.arrayContaining(added));
        }
      }
    },
    240_000,
  );
});
