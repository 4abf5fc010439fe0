import { expect, test } from "bun:test";
import { saveDrivers } from "../../src/store/fleet/drivers.ts";
import { everyRecord, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const seed = announcedSeed("lists of drivers");
const hourMs = 3_600_000;
type Driver = readonly [tag: string, from: number];
const iso = (ms: number) => new Date(ms).toISOString();

onEachEngine("lists of drivers", (engine) => {
  test("property: who is in them, and which trips are a driver's, is as the trips say", async () => {
    const { database } = await engine.fresh();
    const random = randomNumbers(seed);
    const below = (count: number) => Math.floor(random() * count);
    const rows = new Seed();
    const account = rows.account();
    const owner = rows.user(account, { role: "owner" });
    const anna = rows.user(account);
    const people = Array.from({ length: 70 }, (_, index) => ({
      id: `d1d1d1d1-0000-4000-8000-0000000000${10 + index}`,
      name: ["Ada", "Bo", "Cy"][below(3)] ?? "",
      tags: [`P${index}`, ...(below(3) ? [] : [`Q${index}`])].slice(below(8) ? 0 : 2),
    }));
    const tags = [...people.flatMap((person) => person.tags), "U1", "U2", "U3"];
    const devices = Array.from({ length: 8 }, (_, index) => rows.device(account, { seenBy: index < 3 ? [anna] : [] }));
    const trips = devices.flatMap((device, index) => {
      const own: { id: string; device: number; seen: boolean; at: number; end: number; drivers: Driver[] }[] = [];
      for (let at = noon - 40 * 24 * hourMs; at < noon; at += (1 + below(60)) * hourMs) {
        const tag = below(4) ? (tags[below(tags.length)] ?? null) : null;
        const end = at + below(50) * 60_000 + 60_000;
        const drivers: Driver[] = tag === null ? [] : [[tag, at]];
        // Some hand over, and perhaps back.
        while (tag !== null && below(4) === 0) {
          const from = (drivers.at(-1)?.[1] ?? at) + 1 + below(5_000);
          drivers.push([tags.filter((other) => other !== drivers.at(-1)?.[0])[below(tags.length - 1)] ?? "", from]);
        }
        const drivers_json = drivers.length < 2 ? null : JSON.stringify(drivers);
        const row = rows.trip(device, { started_at: at, ended_at: end, driver_id: tag, drivers_json });
        own.push({ id: row.id, device: index, seen: index < 3, at, end, drivers });
        at += hourMs;
      }
      return own;
    });
    await rows.save(database);
    await database.transaction((tx) =>
      saveDrivers(
        tx,
        people.map(({ id, name, tags: own }) => ({
          ...{ account_id: account.account_id, id, name },
          driver_ids_json: JSON.stringify(own.toSorted()),
        })),
        noon,
      ),
    );
    const api = await startApi(database);
    const keys = [await keyOf(database, owner.email), await keyOf(database, anna.email)];
    for (const [index, key] of keys.entries()) {
      const inSight = trips.filter(({ seen }) => index === 0 || seen);
      const lastOf = (own: readonly string[]) => {
        const ends = inSight.flatMap(({ drivers, end }) =>
          drivers.flatMap(([tag], place) => (own.includes(tag) ? [drivers[place + 1]?.[1] ?? end] : [])),
        );
        return ends.length === 0 ? null : iso(Math.max(...ends));
      };
      const named = people
        .map(({ id, name, tags: own }) => ({ id, name, driver_ids: own.toSorted(), last_seen_at: lastOf(own) }))
        .filter(({ last_seen_at }) => index === 0 || last_seen_at !== null)
        .sort((one, other) => {
          const place = (driver: typeof one) => `${driver.name} ${driver.driver_ids[0] ?? ""} ${driver.id}`;
          return place(one) < place(other) ? -1 : 1;
        });
      const unnamed = ["U1", "U2", "U3"]
        .map((tag) => ({ id: null, name: null, driver_ids: [tag], last_seen_at: lastOf([tag]) }))
        .filter(({ last_seen_at }) => last_seen_at !== null);
      for (const limit of [500, 7]) {
        const listed = await everyRecord(api, key, `/drivers?limit=${limit}`);
        expect(listed?.map(({ last_device_id, ...driver }) => driver)).toEqual([...named, ...unnamed]);
        for (const { last_seen_at, last_device_id } of listed ?? [])
          expect(last_device_id === null).toBe(last_seen_at === null);
      }
      for (let round = 0; round < rounds(6, 30); round++) {
        const tag = tags[below(tags.length)] ?? "";
        const from = noon - below(31 * 24) * hourMs;
        const to = from + (1 + below(300)) * hourMs;
        const found = await everyRecord(api, key, `/trips?driver_id=${tag}&from=${iso(from)}&to=${iso(to)}&limit=3`);
        const expected = inSight
          .filter(({ drivers, at, end }) => drivers.some(([id]) => id === tag) && at < to && (at >= from || end > from))
          .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
        expect(found?.map(({ trip_id }) => trip_id)).toEqual(expected.map(({ id }) => id));
        const device = devices[below(devices.length)];
        const ofOne = await api.get(
          `/trips?driver_id=${tag}&imei=${device?.imei}&from=${iso(from)}&to=${iso(to)}`,
          key,
        );
        if (ofOne.status === 200) {
          const own = expected.filter((trip) => devices[trip.device] === device);
          expect(ofOne.body.data.map((trip: { trip_id: string }) => trip.trip_id)).toEqual(own.map(({ id }) => id));
        } else expect([ofOne.status, index]).toEqual([404, 1]);
      }
    }
    await api.close();
  });
});
