import { describe, expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { startApi } from "../support/api.ts";
import { seenBy, type ViewerName } from "../support/api-fleet.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { portalOver, sharedPortal } from "../support/portal.ts";
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

function records(text: string) {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

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
        return [...new Set(records(text).map(({ device_id }) => device_id))].toSorted();
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

    test("takes the filters of its list, and one vehicle where the list needs it", async () => {
      const world = given();
      const olga = await world.signIn("olga@acme.example");
      const critical = await olga.get(`/download/alerts?${day}&format=ndjson&severity=critical`);
      const expected = seenBy(world, "olga", world.rows.alerts).filter(({ severity }) => severity === "critical");
      expect(records(critical.text).length).toBe(expected.length);
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
  const state = { readsLeft: Number.POSITIVE_INFINITY };
  const broken = new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "all" || typeof value !== "function")
        return typeof value === "function" ? value.bind(target) : value;
      return (...query: unknown[]) => {
        if (state.readsLeft-- <= 0) return Promise.reject(new Error("the disk is gone"));
        return value.apply(target, query);
      };
    },
  });
  return { database: broken, state };
}

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
      const whole = records(await (await download("identity")).text());
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
