import { describe, expect, test } from "bun:test";
import { maxStreams } from "../../src/api/cache/open-streams.ts";
import type { Database } from "../../src/store/database.ts";
import { startApi } from "../support/api.ts";
import { seenBy, type ViewerName } from "../support/api-fleet.ts";
import { type EngineUnderTest, type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { recordsIn } from "../support/exported-fleet.ts";
import { portalOver, sharedPortal } from "../support/portal.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const dayMs = 86_400_000;
const day = "from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z";
const viewers: readonly ViewerName[] = ["olga", "anna", "ben", "otto"];

/** Each list, its address in the API, and the field with its id. */
const lists = [
  ["trips", "/trips", "trip_id", day],
  ["alerts", "/alerts", "alert_id", day],
  ["geofence-events", "/geofence-events", "event_id", day],
  ["mileage", "/reports/mileage", "date", "from=2026-06-15&to=2026-06-16"],
] as const;

onEachEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("a download", () => {
    test("has what the API shows the same user, in every format and for every list", async () => {
      const world = given();
      for (const viewer of viewers) {
        const browser = await world.signIn(world.users[viewer].email);
        for (const [list, path, , window] of lists) {
          for (const format of ["csv", "ndjson", "geojson", "gpx"]) {
            const api = await world.get(`${path}?${window}&format=${format}`, viewer);
            const download = await browser.get(`/download/${list}?${window}&format=${format}`);
            expect([viewer, list, format, download.status]).toEqual([viewer, list, format, api.status]);
            if (api.status !== 200) continue;
            expect(download.text).toBe(api.text);
            expect(download.headers.get("Content-Type")).toBe(api.headers.get("Content-Type"));
            const name = `${list}_2026-06-15.${format}`;
            expect(download.headers.get("Content-Disposition")).toBe(`attachment; filename="${name}"`);
            expect(download.headers.get("Cache-Control")).toBe("no-store");
          }
        }
      }
    });

    test("takes vehicles and tags, of those in sight", async () => {
      const world = given();
      const { van, truck, car, ferry } = world.devices;
      const olga = await world.signIn("olga@acme.example");
      const anna = await world.signIn("anna@acme.example");
      const ids = async (browser: typeof olga, query: string) => {
        const { status, text } = await browser.get(`/download/trips?${day}&format=ndjson${query}`);
        expect(status).toBe(200);
        return [...new Set(recordsIn(text).map(({ device_id }) => device_id))].toSorted();
      };
      const sorted = (...devices: { id: string }[]) => devices.map(({ id }) => id).toSorted();
      expect(await ids(olga, `&device_id=${van.id}`)).toEqual(sorted(van));
      expect(await ids(olga, `&device_id=${van.id}&device_id=${car.id}`)).toEqual(sorted(van, car));
      expect(await ids(anna, `&device_id=${van.id}&device_id=${car.id}`)).toEqual(sorted(van));
      expect(await ids(olga, `&device_id=${car.id}&device_id=${ferry.id}`)).toEqual(sorted(car));
      expect(await ids(olga, "&tag=cold")).toEqual(sorted(van));
      expect(await ids(olga, "&tag=day+shift&tag=nothing")).toEqual(sorted(van));
      expect(await ids(olga, `&tag=cold&device_id=${truck.id}`)).toEqual([]);
      expect(await ids(await world.signIn("ben@acme.example"), "&tag=cold")).toEqual([]);
      expect((await anna.get(`/download/trips?${day}&device_id=${car.id}`)).status).toBe(404);
    });

    test("is named after what it is of", async () => {
      const world = given();
      const olga = await world.signIn("olga@acme.example");
      const { van, car, truck } = world.devices;
      const nameOf = async (query: string) => {
        const { headers } = await olga.get(`/download/trips?${day}${query}`);
        return /filename="trips_?(.*)_2026-06-15\.csv"/.exec(headers.get("Content-Disposition") ?? "")?.[1];
      };
      expect(await nameOf("")).toBe("");
      expect(await nameOf(`&device_id=${van.id}`)).toBe("Amber-van");
      expect(await nameOf(`&device_id=${van.id}&device_id=${van.id.toUpperCase()}`)).toBe("Amber-van");
      expect(await nameOf(`&device_id=${car.id}`)).toBe("Cedar-car-100");
      expect(await nameOf(`&device_id=${van.id}&device_id=${truck.id}`)).toBe("2-vehicles");
      expect(await nameOf("&tag=day+shift&tag=day+shift")).toBe("day-shift");
      expect(await nameOf(`&tag=${encodeURIComponent('Fr\u00edo/"\r\n../x')}`)).toBe("Frio-x");
      expect(await nameOf(`&tag=${encodeURIComponent("холод")}&device_id=${van.id}`)).toBe("1-tag_Amber-van");
      expect(await nameOf("&tag=a&tag=b")).toBe("2-tags");
    });

    test("takes the filters of its list, and one vehicle where the list needs it", async () => {
      const world = given();
      const olga = await world.signIn("olga@acme.example");
      const critical = await olga.get(`/download/alerts?${day}&format=ndjson&severity=critical`);
      const expected = seenBy(world, "olga", world.rows.alerts).filter(({ severity }) => severity === "critical");
      expect(recordsIn(critical.text).length).toBe(expected.length);
      const fuel = await olga.get(`/download/readings?${day}&kind=fuel&format=csv`);
      expect(fuel.text).toStartWith("device_id,imei,kind,sensor,recorded_at");
      expect(fuel.headers.get("Content-Disposition")).toContain('"fuel_2026-06-15.csv"');
      const track = await olga.get(`/download/positions?${day}&format=gpx&device_id=${world.devices.van.id}`);
      expect(track.text).toContain("<trkpt ");
    });

    test("says everything that is wrong with it, and is for nobody who is not signed in", async () => {
      const world = given();
      const olga = await world.signIn("olga@acme.example");
      const wrong = await olga.get("/download/readings?format=pdf&device_id=x&to=soon");
      expect([wrong.status, Object.keys(wrong.body.error.fields).toSorted()]).toEqual([
        400,
        ["device_id", "format", "from", "kind", "to"],
      ]);
      const refused: [query: string, status: number][] = [
        [`alerts?${day}&format=gpx`, 400],
        [`alerts?${day}&severity=loud`, 400],
        [`positions?${day}`, 400],
        [`trips?${day}&imei=${world.devices.van.imei}`, 400],
        [`trips?${day}&severity=critical`, 400],
        ["trips?from=2026-06-15&to=2026-06-15", 400],
        ["trips?from=0001-01-01", 400],
        ["devices", 404],
        ["users", 404],
        ["nothing", 404],
      ];
      for (const [query, status] of refused) {
        expect([query, (await olga.get(`/download/${query}`)).status]).toEqual([query, status]);
      }
      expect((await world.browser().get(`/download/trips?${day}`)).status).toBe(401);
      const head = await olga.send(`/portal/api/download/trips?${day}`, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
    });
  });
});

/** A hundred days with trips across every border of windows and pages. */
async function longHistory(engine: EngineUnderTest) {
  const store = await engine.fresh();
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  const vans = ["Van 1", "Van 2", "Van 3"].map((name) => seed.device(account, { name, seenBy: [] }));
  const begun: string[] = [];
  for (let index = 0; index < 1_000; index++) {
    const started_at = noon - 100 * dayMs + index * 0.1 * dayMs;
    for (const van of vans) {
      const { id } = seed.trip(van, { started_at, ended_at: started_at + 30 * 3_600_000, duration_ms: 1 });
      if (started_at >= noon - 90 * dayMs) begun.push(id);
    }
  }
  await seed.save(store.database);
  return { store, owner, begun };
}

/** The store, until it is broken. */
function breakable(database: Database) {
  const state = { readsLeft: Number.POSITIVE_INFINITY, rows: 0 };
  const broken = new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "all" || typeof value !== "function")
        return typeof value === "function" ? value.bind(target) : value;
      return async (...query: unknown[]) => {
        if (state.readsLeft-- <= 0) throw new Error("the disk is gone");
        const found = await value.apply(target, query);
        state.rows += found.length;
        return found;
      };
    },
  });
  return { database: broken, state };
}

/** Sixty vehicles, at the same moments and at others, in two windows of the API and over several pages. */
async function manyVehicles(store: FreshDatabase) {
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  const anna = seed.user(account);
  const fence = seed.geofence(account);
  const random = randomNumbers(7);
  const devices = Array.from({ length: 60 }, (_, index) =>
    seed.device(account, {
      tags_json: JSON.stringify(index < 3 ? ["few"] : ["many"]),
      seenBy: index % 2 ? [anna] : [],
    }),
  );
  const begin = noon - 40 * dayMs;
  for (const [index, device] of devices.entries()) {
    const count = index < 3 ? 150 : 6;
    for (let step = 0; step < count; step++) {
      const at = begin + Math.floor(random() * 80) * (dayMs / 2);
      seed.trip(device, { started_at: at, ended_at: at + 60_000 });
      seed.alert(device, { occurred_at: at, ended_at: at });
      seed.crossing(device, fence, { occurred_at: at });
      seed.reading(device, { recorded_at: begin + step * (dayMs / 5), kind: "fuel" });
    }
    for (let day = 0; day < 40; day++) seed.mileage(device, { day: Math.floor(begin / dayMs) + day });
  }
  await seed.save(store.database);
  return { store, owner, anna, devices };
}

onEachEngine("a download of some vehicles", (engine) => {
  const given = engine.shared(manyVehicles);

  test("has the rows that the file of all has of them, in its order, however many they are", async () => {
    const { store, owner, anna, devices } = given();
    const api = await startApi(store.database);
    try {
      const portal = await portalOver(store.database, api);
      portal.time.stepMs = 200;
      const window = "from=2026-04-01&to=2026-06-20";
      for (const viewer of [owner, anna]) {
        const browser = await portal.signIn(viewer.email);
        for (const list of ["trips", "alerts", "geofence-events", "mileage", "readings"]) {
          const file = async (query: string) => {
            const kind = list === "readings" ? "&kind=fuel" : "";
            return recordsIn((await browser.get(`/download/${list}?${window}&format=ndjson${kind}${query}`)).text);
          };
          const all = await file("");
          expect(all.length).toBeGreaterThan(100);
          const idsOf = (some: typeof devices) => some.map(({ id }) => `&device_id=${id}`).join("");
          const few = devices.slice(0, 3);
          const named = [devices[5], devices[1], devices[7], devices[1]] as typeof devices;
          const cases: [query: string, of: typeof devices][] = [
            ["&tag=few", few],
            ["&tag=many", devices.slice(3)],
            ["&tag=many&tag=few", devices],
            [idsOf(named), named],
            [`${idsOf(devices.slice(1, 10))}&tag=few`, devices.slice(1, 3)],
          ];
          for (const [query, of] of cases) {
            const ids = new Set(of.map(({ id }) => id));
            const found = await file(query);
            expect(found.length).toBeGreaterThan(0);
            expect([viewer.role, list, query, found]).toEqual([
              viewer.role,
              list,
              query,
              all.filter(({ device_id }) => ids.has(device_id)),
            ]);
          }
        }
      }
    } finally {
      await api.close();
    }
  });

  test("reads nothing of the others, keeps its connection while it reads, and is logged if its reader leaves", async () => {
    const { store, owner, devices } = given();
    const { database, state } = breakable(store.database);
    const api = await startApi(database);
    const portal = await portalOver(database, api);
    const browser = await portal.signIn(owner.email);
    const kept = { count: 0 };
    const ask = async (query: string) => {
      const url = `http://odograph.test/portal/api/download/${query}`;
      const request = new Request(url, { headers: { Cookie: browser.cookie ?? "" } });
      const response = await portal.portal.answer(
        request,
        () => "192.0.2.1",
        () => void kept.count++,
      );
      return response as Response;
    };
    try {
      // Ten years without a row: nothing is sent, but every part that is read keeps the connection.
      const years = "from=2010-01-01T00:00:00Z&to=2019-12-01T00:00:00Z";
      const silent = await (await ask(`trips?${years}&format=ndjson&tag=many`)).text();
      expect(silent).toBe("");
      expect(kept.count).toBeGreaterThan(100);

      const window = "from=2026-04-01&to=2026-06-20&format=ndjson";
      state.rows = 0;
      const ofTwo = `device_id=${devices[20]?.id}&device_id=${devices[21]?.id}`;
      const found = recordsIn(await (await ask(`alerts?${window}&${ofTwo}`)).text());
      // All devices are looked through for those in sight, but not what the others did: 792 alerts are in the list.
      expect([found.length, state.rows - devices.length < 30]).toEqual([12, true]);

      const left = () => api.observations.filter(({ kind }) => kind === "download_left");
      const failed = () => api.observations.filter(({ kind }) => kind === "request_failed");
      expect(left()).toEqual([]);
      const reader = (await ask(`trips?${window}&tag=few`)).body?.getReader();
      await reader?.read();
      await reader?.cancel();
      expect(left()).toMatchObject([{ userId: owner.id, route: "/portal/api/download/{list}" }]);
      state.readsLeft = 8;
      const broken = await (await ask(`trips?${window}&tag=few`)).text().then(
        () => "complete",
        () => "broken off",
      );
      state.readsLeft = Number.POSITIVE_INFINITY;
      expect([broken, left().length, failed().length]).toEqual(["broken off", 1, 1]);
      await browser.send(`/portal/api/download/trips?${window}`, { method: "HEAD" });
      expect([left().length, failed().length]).toEqual([1, 1]);
    } finally {
      state.readsLeft = Number.POSITIVE_INFINITY;
      await api.close();
    }
  });

  test("is refused in a person's words where too many are under way", async () => {
    const { store, owner } = given();
    const api = await startApi(store.database);
    const portal = await portalOver(store.database, api);
    const browser = await portal.signIn(owner.email);
    const open: Response[] = [];
    try {
      for (let count = 0; count < maxStreams.caller; count++) {
        const url = "http://odograph.test/portal/api/download/trips?from=2026-04-01&format=ndjson";
        const request = new Request(url, { headers: { Cookie: browser.cookie ?? "" } });
        open.push((await portal.portal.answer(request, () => "192.0.2.1")) as Response);
      }
      const { status, body } = await browser.get("/download/trips?from=2026-04-01");
      expect([status, body.error.message]).toEqual([
        429,
        `${maxStreams.caller} downloads of yours are under way; wait for one to end, then try again`,
      ]);
    } finally {
      for (const response of open) await response.body?.cancel();
      await api.close();
    }
  });
});

onEachEngine("a long download", (engine) => {
  test("has every trip that began in the window once, and is never taken for whole if it broke", async () => {
    const { store, owner, begun } = await longHistory(engine);
    const { database, state } = breakable(store.database);
    const api = await startApi(database);
    const portal = await portalOver(database, api);
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => (await portal.portal.answer(request, () => "192.0.2.1")) ?? new Response(),
    });
    try {
      const browser = await portal.signIn(owner.email);
      const window = `from=${new Date(noon - 90 * dayMs).toISOString()}&to=${new Date(noon + dayMs).toISOString()}`;
      const download = (encoding: string) =>
        fetch(`${server.url}portal/api/download/trips?${window}&format=ndjson`, {
          headers: { Cookie: browser.cookie ?? "", "Accept-Encoding": encoding },
        });
      const whole = recordsIn(await (await download("identity")).text());
      expect(whole.map(({ trip_id }) => trip_id).toSorted()).toEqual(begun.toSorted());
      const starts = whole.map(({ started_at }) => started_at);
      expect(starts).toEqual(starts.toSorted());

      for (const encoding of ["identity", "gzip", "zstd"]) {
        state.readsLeft = 4;
        const response = await download(encoding);
        expect(response.status).toBe(200);
        expect(
          await response.text().then(
            () => "complete",
            () => "broken off",
          ),
        ).toBe("broken off");
        state.readsLeft = Number.POSITIVE_INFINITY;
      }
      const failures = api.observations.filter(({ kind }) => kind === "request_failed");
      expect(failures.length).toBe(3);
      // What fails before the first row is a refusal, not a file.
      state.readsLeft = 0;
      expect((await download("identity")).status).toBe(500);
      state.readsLeft = Number.POSITIVE_INFINITY;
    } finally {
      await server.stop(true);
      await api.close();
    }
  });
});
