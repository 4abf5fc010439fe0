import { expect, test } from "bun:test";
import { restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import type { Database } from "../../src/store/database.ts";
import { type NamesPlace, namesPage, takeNameChanges } from "../../src/store/fleet/name-changes.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, eraseDevice, keepAndHide } from "../support/erasing.ts";
import { device, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const { van, truck, car, rivalVan } = smallFleet;
const phone = "13812345678";

/** All there is after a place, in pages of so many devices. */
async function read(database: Database, after: NamesPlace | null, limit = 2) {
  const names: string[] = [];
  for (let place = after; ; ) {
    const page = await namesPage(database, place, limit);
    names.push(...page.keys);
    place = page.place;
    if (page.isLast) return { names: names.toSorted(), place };
  }
}

onEachEngine("the names of trackers", (engine) => {
  const copied = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("are all read in pages of any size, then what is new, and nothing is skipped", async () => {
    const { database } = await copied();
    const all = [van, truck, car, rivalVan].map(({ imei }) => imei).toSorted();
    for (const limit of [1, 2, 4, 5, 100]) expect((await read(database, null, limit)).names).toEqual(all);
    const { place } = await read(database, null);
    expect((await read(database, place)).names).toEqual([]);
    const added = Array.from({ length: 5 }, (_, number) => device(100 + number));
    await load(database, [...added, { ...van, tracker_id: phone }], loadedAt + hourMs);
    const next = await read(database, place);
    expect(next.names).toEqual([...added.map(({ imei }) => imei), phone].toSorted());
    // A name that changes hands, and other fields.
    await load(
      database,
      [
        { ...van, tracker_id: phone, name: "Renamed" },
        { ...car, imei: "356307042999999" },
      ],
      loadedAt + 2 * hourMs,
    );
    expect((await read(database, next.place)).names).toEqual(["356307042999999"]);
  });

  test("a device that is added while they are read is not missed", async () => {
    const { database } = await copied();
    const first = await namesPage(database, null, 1);
    // Put back, its number is among those that were read.
    const named = { accountId: await accountNumber(database), id: van.id };
    await keepAndHide(database, named);
    await restoreDevice(database, { ...named, by: command }, loadedAt + hourMs);
    await load(database, [device(100)], loadedAt + hourMs);
    const rest = await read(database, first.place);
    expect([...first.keys, ...rest.names]).toContain(device(100).imei);
    expect(rest.names).toContain(van.imei);
  });

  test("are found also after the last one that came was erased", async () => {
    const { database } = await copied();
    await load(database, [device(100)], loadedAt + hourMs);
    const { place } = await read(database, null);
    await eraseDevice(database, { accountId: await accountNumber(database), id: device(100).id });
    await load(database, [device(101)], loadedAt + hourMs);
    expect((await read(database, place)).names).toEqual([device(101).imei]);
  });

  test("get numbers that are seen in their order, whichever commits first", async () => {
    const { database } = await copied();
    const firsts = await Promise.all(
      Array.from({ length: 20 }, (_, count) => database.transaction((tx) => takeNameChanges(tx, count + 1))),
    );
    const taken = firsts
      .map((first, count) => [first, first + count])
      .toSorted(([one = 0], [other = 0]) => one - other);
    for (const [index, [first]] of taken.entries()) {
      if (index > 0) expect(first).toBe((taken[index - 1]?.[1] ?? 0) + 1);
    }
  });
});
