import { expect, test } from "bun:test";
import { restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import type { Database } from "../../src/store/database.ts";
import { changeTypes, type ListRows, type Row, readLists } from "../follow/lists.ts";
import { type ApiUnderTest, everyRecord, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, eraseDevice, keepAndHide } from "../support/erasing.ts";
import { failureOf } from "../support/failures.ts";
import { device, type FleetRecord, load, smallFleet, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { devices, fences, imeis, loadIngestFleet, randomFleet, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("removing a device");
const random = randomNumbers(seed);
const { olga, ann, bob, rita, rival, rivalVan } = smallFleet;
const viewers = [olga, ann, bob, rita];
const deviceIds = [...devices.map(({ id }) => id), uuid(99)];
const windows = {
  main: "from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z",
  rolledOver: "from=2006-01-01&to=2006-01-31",
};
const frames = inOrder(randomFleet(seed, 200));
const ofRival = frames.slice(0, 100).map((frame) => ({ ...frame, imei: rivalVan.imei }));

async function loadWorld(database: Database): Promise<void> {
  await loadIngestFleet(database);
  await load(database, [
    { ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000 } },
    { ...rival, limits: { per_second: 100_000, per_day: 1_000_000 } },
  ]);
  await take(database, [frames]);
  await newWriter(database).submit(await accountNumber(database, rival.id), ofRival);
}

interface Seen {
  readonly lists: ListRows;
  readonly live: readonly Row[];
}

/** Everything that each of these people sees. */
async function everybodySees(database: Database, api: ApiUnderTest) {
  const seen = new Map<string, Seen>();
  for (const { email } of viewers) {
    const key = await keyOf(database, email);
    const read = (path: string) => everyRecord(api, key, path);
    const lists = await readLists(read, { types: changeTypes, deviceId: null, deviceIds, windows });
    seen.set(email, { lists, live: (await read("/positions/latest?")) ?? [] });
  }
  return seen;
}

/** A tag that nobody has named is known by the vehicles in sight that show it, and leaves with the last of them. */
function withoutTagsOf(seen: ReadonlyMap<string, Seen>, deviceId: string): ReadonlyMap<string, Seen> {
  return new Map(
    Array.from(seen, ([email, { lists, live }]): [string, Seen] => {
      const isOther = (row: Row) => row.device_id !== deviceId;
      const trips = (lists.get("trip") ?? []).filter(isOther).flatMap(({ drivers }) => drivers as Row[]);
      const shown = new Set([...trips, ...live.filter(isOther)].map(({ driver_id }) => driver_id));
      const drivers = lists.get("driver") ?? [];
      const left = drivers.filter(({ id, driver_ids }) => id !== null || shown.has(driver_ids[0]));
      return [email, { lists: new Map(lists).set("driver", left), live }];
    }),
  );
}

/** As text. Without what a removal changes by itself: the number of vehicles that a sub-account sees, and fences out of sight. */
function textsOf(seen: ReadonlyMap<string, Seen>, without: string | null): string[] {
  return [...seen].flatMap(([email, { lists }]) =>
    [...lists].flatMap(([type, rows]) =>
      type === "user" || (type === "geofence" && without !== null && email !== olga.email)
        ? []
        : rows
            .filter((row) => row.device_id !== without)
            .map(
              ({ updated_at, ...row }) =>
                `${email} ${type} ${JSON.stringify(type === "device" ? row : { ...row, updated_at })}`,
            ),
    ),
  );
}

onEachEngine("a device that is removed", (engine) => {
  const copied = engine.copies(({ database }) => loadWorld(database));

  test("is seen by nobody, and all that others see is what it was", async () => {
    for (let round = 0; round < 3; round++) {
      const { database, dispose } = await copied();
      const api = await startApi(database);
      const before = await everybodySees(database, api);
      const removed = devices[Math.floor(random() * 3)] as (typeof devices)[number];
      const history = round === 0 ? "keep" : random() < 0.5 ? "keep" : "erase";
      const wanted = { accountId: await accountNumber(database), id: removed.id };
      await (history === "keep" ? keepAndHide : eraseDevice)(database, wanted);
      const after = await everybodySees(database, api);
      expect([history, removed.id, textsOf(after, null).filter((text) => text.includes(removed.id))]).toEqual([
        history,
        removed.id,
        [],
      ]);
      expect(textsOf(after, removed.id)).toEqual(textsOf(withoutTagsOf(before, removed.id), removed.id));
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      if (history === "keep") {
        await restoreDevice(database, { ...wanted, by: command }, Date.now());
        const again = await everybodySees(database, api);
        const ofOwner = (seen: ReadonlyMap<string, Seen>) =>
          textsOf(new Map([[olga.email, seen.get(olga.email) as Seen]]), null);
        expect(ofOwner(again)).toEqual(ofOwner(before));
      }
      await api.close();
      await dispose();
    }
  });

  test("leaves its IMEI to another, and cannot be put back as long as that has it", async () => {
    const { database } = await copied();
    const van = { accountId: await accountNumber(database), id: uuid(21) };
    await keepAndHide(database, van);
    expect(await take(database, [frames.filter(({ imei }) => imei === vanImei).slice(-1)])).toEqual([
      { refused: "unknown_device" },
    ]);
    await load(database, [device(99, { account_id: rival.id, imei: vanImei })]);
    const failure = await failureOf(restoreDevice(database, { ...van, by: command }, Date.now()));
    expect([failure.code, failure.message]).toEqual(["CONFLICT", expect.stringContaining(`the IMEI ${vanImei}`)]);
    await load(database, [device(99, { account_id: rival.id, imei: "356307042999999" })]);
    await restoreDevice(database, { ...van, by: command }, Date.now());
    expect((await take(database, [frames.filter(({ imei }) => imei === vanImei).slice(-1)]))[0]).toBe("duplicate");
    expect(imeis).toContain(vanImei);
  });

  test("comes back by a fleet file only if that may take over, and is named by no other line", async () => {
    const { database } = await copied();
    await keepAndHide(database, { accountId: await accountNumber(database), id: uuid(21) });
    const refused = await failureOf(load(database, [devices[0] as FleetRecord]));
    expect(refused.message).toContain("--take-over");
    const named = await failureOf(load(database, [{ ...fences.town, name: "City" }]));
    expect(named.message).toContain('field "device_ids[0]"');
  });

  test("reaches all followers who saw it, and to no other", async () => {
    const { database } = await copied();
    const api = await startApi(database);
    const tokens = new Map<string, { key: string; after: string }>();
    for (const { email } of viewers) {
      const key = await keyOf(database, email);
      tokens.set(email, { key, after: (await api.get("/changes", key)).body.resume_after });
    }
    await keepAndHide(database, { accountId: await accountNumber(database), id: uuid(21) });
    const followed = async (email: string) => {
      const { key, after } = tokens.get(email) as { key: string; after: string };
      const { body } = await api.get(`/changes?after=${encodeURIComponent(after)}`, key);
      return (body.data as Row[]).filter(({ id }) => id === uuid(21)).map(({ type, change }) => `${type} ${change}`);
    };
    expect(await followed(olga.email)).toEqual(["alert_settings removed", "device removed"]);
    expect(await followed(ann.email)).toEqual(["alert_settings removed", "device removed"]);
    expect(await followed(bob.email)).toEqual([]);
    expect(await followed(rita.email)).toEqual([]);
    await api.close();
  });
});
