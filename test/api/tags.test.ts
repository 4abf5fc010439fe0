import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ApiUnderTest, everyRecord, keyOf, startApi } from "../support/api.ts";
import { thatDay } from "../support/api-fleet.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { Seed, type SeededDevice } from "../support/seed.ts";
import { hourMs, noon } from "../support/seed-rows.ts";

/** Some look like a part of the text that tags are stored as. */
const oddTags = [
  "cold",
  "Cold",
  "col",
  "cold van",
  ",",
  "a,b",
  '"',
  'x"cold',
  "\\",
  '\\"',
  '","',
  "]",
  "ü",
  "🚚",
  "%",
  "'",
];

interface TaggedFleet {
  readonly api: ApiUnderTest;
  readonly store: FreshDatabase;
  readonly accountId: string;
  /** The sub-account's id. */
  readonly userId: string;
  readonly yard: { readonly id: string };
  readonly devices: readonly (SeededDevice & { readonly tags: readonly string[] })[];
  readonly keys: Readonly<Record<"owner" | "sub-account", string>>;
}

/** Something of every kind for each device, at the same times, so that lists are full of ties. */
async function startFleet(store: FreshDatabase): Promise<TaggedFleet> {
  const seed = new Seed();
  const boundless = { limit_per_second: 1_000_000, limit_per_day: 1_000_000_000 };
  const acme = seed.account(boundless);
  const olga = seed.user(acme, { role: "owner", email: "olga@acme.example" });
  const anna = seed.user(acme, { email: "anna@acme.example" });
  const draws = fc.sample(fc.subarray(oddTags, { maxLength: 5 }), { numRuns: 24, seed: 35 });
  const yard = seed.geofence(acme);
  const devices = draws.map((tags, index) => {
    const seenBy = index % 2 === 0 ? [anna] : [];
    const device = seed.device(acme, { tags_json: JSON.stringify(tags), seenBy });
    seed.trip(device, { started_at: noon - 14 * hourMs, ended_at: noon - 11 * hourMs });
    seed.trip(device, { started_at: noon, ended_at: null });
    seed.stop(device, { started_at: noon - 20 * hourMs, ended_at: noon - 11 * hourMs, duration_ms: 9 * hourMs });
    seed.stop(device, { started_at: noon, ended_at: null, geofence_ids: yard.id, duration_ms: index * 1_000 });
    seed.alert(device, { occurred_at: noon, value: index });
    seed.crossing(device, yard, { occurred_at: noon });
    seed.mileage(device, { day: Math.floor(noon / 86_400_000) });
    seed.frame(device, { recorded_at: noon });
    seed.reading(device, { recorded_at: noon, kind: "fuel", level_milli_percent: 1_000 * index });
    seed.position(device, { recorded_at: noon });
    return { ...device, tags };
  });
  // The sub-account sees the fence by a device that is not cold.
  const warm = devices.filter(({ tags }, index) => index % 2 === 0 && !tags.includes("cold")).slice(0, 1);
  seed.geofenceVersion(yard, { valid_from: 1, devices: warm });
  await seed.save(store.database);
  const keys = {
    owner: await keyOf(store.database, olga.email),
    "sub-account": await keyOf(store.database, anna.email),
  };
  return { api: await startApi(store.database), store, accountId: acme.id, userId: anna.id, yard, devices, keys };
}

const window = String(new URLSearchParams(thatDay));
const lists = [
  "/devices?limit=3",
  "/positions/latest?limit=3",
  "/positions/latest?near=52.5,13.4&limit=500",
  "/positions/at?limit=3&time=2026-06-15T12:30:00Z",
  "/positions/at?limit=500&time=2026-06-15T12:30:00Z&near=52.5,13.4",
  `/trips?limit=3&${window}`,
  `/stops?limit=3&${window}`,
  `/stops?limit=3&${window}&min_duration_s=3`,
  `/alerts?limit=3&${window}`,
  `/alerts?limit=3&${window}&min_value=3&acknowledged=false`,
  `/sensors/fuel?limit=3&${window}`,
  `/geofence-events?limit=3&${window}`,
  `/reports/mileage?${window}`,
  `/reports/mileage?${window}&period=total`,
];

onEachEngine("a tag", (engine) => {
  const given = engine.shared(startFleet, ({ api }) => api.close());

  test.each(lists)(
    "narrows %s to the devices that have exactly it, in the same order, over all pages",
    async (path) => {
      const { api, keys, devices } = given();
      const tagsOf = new Map(devices.map(({ id, tags }) => [id, tags]));
      for (const key of Object.values(keys)) {
        const all = (await everyRecord(api, key, path)) ?? [];
        expect(all).not.toBeEmpty();
        for (const tag of [...oddTags, "unknown", "\0", "x".repeat(200)]) {
          const found = await everyRecord(api, key, `${path}&tag=${encodeURIComponent(tag)}`);
          expect([tag, found]).toEqual([tag, all.filter(({ device_id }) => tagsOf.get(device_id)?.includes(tag))]);
        }
      }
    },
  );

  test("narrows sums of mileage, by tag and of the fleet", async () => {
    const { api, keys, devices } = given();
    const cold = devices.filter(({ tags }) => tags.includes("cold"));
    const sums = async (group: string) =>
      (await api.get(`/reports/mileage?${window}&group_by=${group}&tag=cold`, keys.owner)).body.data;
    expect(await sums("fleet")).toMatchObject([{ device_count: cold.length }]);
    // Their other tags are summed as well, but only of these devices.
    const counts = new Map<string, number>();
    for (const tag of cold.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    const found = (await sums("tag")).map((row: { tag: string; device_count: number }) => [row.tag, row.device_count]);
    expect(new Map(found)).toEqual(counts);
  });

  test("and a device are both heeded, also in its history; one that cannot be seen stays 404", async () => {
    const { api, keys, devices } = given();
    const [first, hidden] = devices;
    if (!first || !hidden) throw new Error("there are devices");
    for (const tag of ["cold", ",", "unknown"]) {
      for (const path of [`/positions/history?${window}`, ...lists]) {
        const url = `${path}&imei=${first.imei}`;
        const all = (await everyRecord(api, keys.owner, url)) ?? [];
        const found = await everyRecord(api, keys.owner, `${url}&tag=${encodeURIComponent(tag)}`);
        expect([path, tag, found]).toEqual([path, tag, first.tags.includes(tag) ? all : []]);
        const { status } = await api.get(`${path}&imei=${hidden.imei}&tag=cold`, keys["sub-account"]);
        expect([path, status]).toEqual([path, 404]);
      }
    }
  });

  test("narrows stops in a geofence, which need not be of these devices", async () => {
    const { api, keys, devices, yard } = given();
    const url = `/stops?${window}&geofence_id=${yard.id}`;
    for (const key of Object.values(keys)) {
      const all = (await everyRecord(api, key, url)) ?? [];
      expect(all).not.toBeEmpty();
      for (const tag of ["cold", "unknown"]) {
        const wanted = new Set(devices.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id));
        const found = await everyRecord(api, key, `${url}&tag=${tag}`);
        expect(found).toEqual(all.filter(({ device_id }) => wanted.has(device_id)));
      }
    }
  });

  test("contradicts a cursor of another one", async () => {
    const { api, keys } = given();
    const { body } = await api.get("/devices?tag=cold&limit=1", keys.owner);
    const cursor = encodeURIComponent(body.next_cursor);
    expect((await api.get(`/devices?tag=cold&cursor=${cursor}`, keys.owner)).status).toBe(200);
    const { status, body: refusal } = await api.get(`/devices?tag=col&cursor=${cursor}`, keys.owner);
    expect([status, refusal.error.message]).toEqual([400, expect.stringContaining("`tag`")]);
  });
});

onEachEngine("a tag that a device gets or loses", (engine) => {
  test("changes the next poll of the live positions, and the next page of devices and of what happened", async () => {
    const { api, store, keys, devices, accountId, userId } = await startFleet(await engine.fresh());
    try {
      const [{ id, imei, name } = { id: "", imei: "", name: "" }] = devices;
      const idsAt = async (path: string) => {
        const { body, headers } = await api.get(`${path}?tag=new&fields=device_id`, keys.owner);
        return {
          ids: body.data.map((record: { device_id: string }) => record.device_id),
          tag: headers.get("ETag") ?? "",
        };
      };
      /** Each list twice: as for every viewer, the devices with the tag are known from the first time. */
      const happened = async () => {
        const paths = ["/trips", "/stops", "/alerts", "/sensors/fuel", "/geofence-events"];
        const asked = [...paths, ...paths].flatMap((path) => Object.values(keys).map((key) => ({ path, key })));
        const found = await Promise.all(
          asked.map(async ({ path, key }) => (await everyRecord(api, key, `${path}?tag=new&${window}`)) ?? []),
        );
        return found.map((records) => [...new Set(records.map(({ device_id }) => device_id))]);
      };
      const change = (tags: readonly string[], hour: number) =>
        load(
          store.database,
          [{ type: "device", id, account_id: accountId, imei, name, tags, user_ids: [userId] }],
          noon + hour * hourMs,
        );
      for (const [hour, [tags, expected]] of (
        [
          [["new"], [id]],
          [[], []],
        ] as const
      ).entries()) {
        const before = await idsAt("/positions/latest");
        const poll = () =>
          api.get("/positions/latest?tag=new&fields=device_id", keys.owner, { "If-None-Match": before.tag });
        expect((await poll()).status).toBe(304);
        await idsAt("/devices");
        await happened();
        await change(tags, hour + 1);
        expect((await poll()).status).toBe(200);
        expect((await idsAt("/positions/latest")).ids).toEqual([...expected]);
        expect((await idsAt("/devices")).ids).toEqual([...expected]);
        expect(await happened()).toEqual(Array.from({ length: 20 }, () => [...expected]));
      }
    } finally {
      await api.close();
    }
  });
});

onEachEngine("min_value and max_value", (engine) => {
  const given = engine.shared(startFleet, ({ api }) => api.close());

  test("property: find the alerts whose value lies between them, both ends included", async () => {
    const { api, keys } = given();
    const bound = fc.option(fc.oneof(fc.integer({ min: -2, max: 26 }), fc.constantFrom(3.5, 1e3, -1e-3)));
    for (const key of Object.values(keys)) {
      const all = (await everyRecord(api, key, `/alerts?${window}`)) ?? [];
      await fc.assert(
        fc.asyncProperty(bound, bound, async (least, most) => {
          const bounds = `${least === null ? "" : `&min_value=${least}`}${most === null ? "" : `&max_value=${most}`}`;
          const found = await everyRecord(api, key, `/alerts?limit=5&${window}${bounds}`);
          const fits = ({ value }: { value: number }) =>
            (least === null || value >= least) && (most === null || value <= most);
          expect(found).toEqual(all.filter(fits));
        }),
        { numRuns: 12 },
      );
    }
  });
});
