import { expect, test } from "bun:test";
import { ReadyPages } from "../../src/api/cache/api-cache.ts";
import type { Database } from "../../src/store/database.ts";
import { type ApiUnderTest, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { withoutTable } from "../support/fleet-api.ts";

const { olga, ann, bob, van, truck, car, acme } = smallFleet;
const paths = ["/devices", "/devices?limit=1", "/devices?status=blocked"];

const changes: readonly [what: string, records: readonly FleetRecord[]][] = [
  ["a name", [{ ...van, name: "Bus" }]],
  ["a status", [{ ...van, status: "blocked" }]],
  ["tags", [{ ...truck, tags: ["cold"] }]],
  ["another system's id", [{ ...truck, external_ids: { erp: "7" } }]],
  ["what the vehicle is", [{ ...car, vin: "W1V9076331P412073", vehicle_year: 2020, fuel_tank_capacity_l: 80 }]],
  ["a tracker", [{ ...car, imei: "356307042999999" }]],
  ["an assignment", [{ ...car, user_ids: [bob.id] }]],
  ["an assignment that ends", [{ ...truck, user_ids: [bob.id] }]],
  ["an assignment that moves", [{ ...van, user_ids: [bob.id] }]],
  ["a new device", [device(20, { user_ids: [ann.id] })]],
  [
    "another owner",
    [
      { ...olga, role: "sub_account" },
      { ...ann, role: "owner" },
    ],
  ],
];

/** Every device by each of its names, before and after the changes. */
const names = [van, truck, car, device(20)].flatMap(({ id, imei }) => [`device_id=${id}`, `imei=${imei}`]);
const narrowed = [...names, "imei=356307042999999"].map((name) => `/positions/history?${name}`);

interface Viewer {
  readonly name: string;
  readonly key: string;
}

async function viewersOf(database: Database): Promise<Viewer[]> {
  const people = [olga, ann, bob].map(({ name, email }) => ({ name, email }));
  return Promise.all(people.map(async ({ name, email }) => ({ name, key: await keyOf(database, email) })));
}

async function everyPage(api: ApiUnderTest, viewers: readonly Viewer[]): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const { name, key } of viewers) {
    for (const path of paths) {
      const [made, again] = [await api.get(path, key), await api.get(path, key)];
      expect([again.text, again.headers.get("link")]).toEqual([made.text, made.headers.get("link")]);
      pages[`${name} ${path}`] = made.text;
    }
    // Who does not see the device is answered with 404.
    for (const path of narrowed) {
      const [first, again] = [await api.get(path, key), await api.get(path, key)];
      expect(again.status).toBe(first.status);
      pages[`${name} ${path}`] = String(first.status);
    }
  }
  return pages;
}

onEachEngine("pages of devices that are kept ready, and devices that lists are narrowed to,", (engine) => {
  test("are never older than what is stored, whatever a load changes", async () => {
    const { database } = await engine.fresh();
    const roomy = { ...acme, limits: { per_second: 100_000, per_day: 1_000_000 } };
    const fleet = [...Object.values(smallFleet), roomy].filter((record) => record !== acme);
    await load(database, fleet);
    const viewers = await viewersOf(database);
    const api = await startApi(database);
    let before = await everyPage(api, viewers);
    for (const [hour, [what, records]] of changes.entries()) {
      await load(database, records, loadedAt + (hour + 1) * hourMs);
      // A node that has just started has kept nothing. It also knows of a role that the other may believe for a moment.
      const fresh = await startApi(database);
      if (what === "another owner") await Bun.sleep(600);
      const after = await everyPage(api, viewers);
      expect([what, after]).toEqual([what, await everyPage(fresh, viewers)]);
      expect(after, what).not.toEqual(before);
      before = after;
      await fresh.close();
    }
    await api.close();
  });

  test("are sent again without reading a device", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const [owner] = await viewersOf(database);
    const api = await startApi(database);
    const { text } = await api.get("/devices", owner?.key);
    await withoutTable(database, "devices", async () => {
      expect((await api.get("/devices", owner?.key)).text).toBe(text);
    });
    await api.close();
  });
});

onEachEngine("answers that are repeated", (engine) => {
  test("a device that is named is looked up each time, though it never had a position", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const key = await keyOf(database, ann.email);
    const api = await startApi(database);
    const statuses = async () => {
      const requests = [`device_id=${truck.id}`, `imei=${truck.imei}`, "limit=5"];
      return Promise.all(requests.map(async (query) => (await api.get(`/positions/latest?${query}`, key)).status));
    };
    expect([await statuses(), await statuses()]).toEqual(Array(2).fill([200, 200, 200]));
    await load(database, [{ ...truck, user_ids: [bob.id] }], loadedAt + hourMs);
    expect([await statuses(), await statuses()]).toEqual(Array(2).fill([404, 404, 200]));
    await api.close();
  });

  test("each format, and each viewer, has its own", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const viewers = await viewersOf(database);
    const [api, fresh] = [await startApi(database), await startApi(database)];
    const answersOf = async (api: ApiUnderTest) => {
      const types = ["application/json", "text/csv", "application/x-ndjson", "*/*"];
      const found = viewers.flatMap(({ key }) => types.map((Accept) => api.get("/devices?limit=2", key, { Accept })));
      return (await Promise.all(found)).map(({ text, headers }) => [headers.get("content-type"), text]);
    };
    await answersOf(api);
    const repeated = await answersOf(api);
    expect(new Set(repeated.map(([type]) => type)).size).toBe(3);
    expect(repeated).toEqual(await answersOf(fresh));
    await Promise.all([api.close(), fresh.close()]);
  });
});

const empty = new TextEncoder().encode('{"data":[],"next_cursor":null}');

const emptyPage = () => ({ bytes: empty.slice(), next: null, showsNext: true });

test("pages are counted with all they take: as many empty ones as anyone may ask for do not fill the memory", async () => {
  const pages = new ReadyPages({ isTagged: true });
  const asked = 101_000;
  const longGone = 1_000;
  for (let page = 0; page < asked; page++) await pages.page(`viewer ${page}`, 1, async () => emptyPage());
  expect(pages.weight).toBeLessThanOrEqual(64 * 1024 * 1024);
  // Some hundred bytes each: the body is the least of it.
  let made = 0;
  const again = async () => {
    made++;
    return emptyPage();
  };
  for (let page = 0; page < longGone; page++) await pages.page(`viewer ${page}`, 1, again);
  expect(made).toBe(longGone);
});

test("a page that is asked for again and again stays, however many others come; the others go one by one", async () => {
  const pages = new ReadyPages({ isTagged: false });
  const megabyte = async () => ({ bytes: new Uint8Array(1024 * 1024), next: null, showsNext: true });
  const first = await pages.page("polled", 1, megabyte);
  for (let page = 0; page < 200; page++) {
    expect(await pages.page("polled", 1, megabyte)).toBe(first);
    const before = pages.weight;
    await pages.page(`other ${page}`, 1, megabyte);
    expect(pages.weight).toBeGreaterThanOrEqual(before);
  }
});
