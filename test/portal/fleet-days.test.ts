import { describe, expect, test } from "bun:test";
import { shows, sorts } from "../../src/portal/fleet-days/ranking.ts";
import { sql } from "../../src/store/sql.ts";
import { sight, type ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalWorld, sharedPortal } from "../support/portal.ts";
import { noon } from "../support/seed-rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
type Body = any;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const today = Math.floor(noon / dayMs);
const twoDays = "from=2026-06-14&to=2026-06-15";

async function asked(browser: Browser, query: string): Promise<Body> {
  const { status, body } = await browser.get(`/fleet-days?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

function named(body: Body, name: string): Body {
  return body.data.find((row: Body) => row.name === name);
}

const emails: Readonly<Record<ViewerName, string>> = {
  olga: "olga@acme.example",
  anna: "anna@acme.example",
  ben: "ben@acme.example",
  otto: "otto@polar.example",
};

/** The same from the API's lists, by hand. */
async function fromLists({ get }: PortalWorld, viewer: ViewerName): Promise<Map<string, Body>> {
  const window = "from=2026-06-14&to=2026-06-16";
  const mileage = (await get(`/reports/mileage?${window}`, viewer)).body.data as Body[];
  const alerts = (await get(`/alerts?${window}&alert_type=speeding&limit=500`, viewer)).body.data as Body[];
  const byDevice = Map.groupBy(mileage, ({ device_id }) => device_id as string);
  return new Map(
    [...byDevice].map(([id, days]) => {
      const sum = (name: string) => days.reduce((total, day) => total + day[name], 0);
      const own = alerts.filter(({ device_id }) => device_id === id);
      return [
        id,
        {
          distance_km: sum("distance_km"),
          carried_km: sum("carried_km"),
          driving_s: sum("driving_s"),
          idle_s: sum("idle_s"),
          trip_count: sum("trip_count"),
          max_speed_kmh: Math.max(...days.map((day) => day.max_speed_kmh)),
          speeding_count: own.length,
        },
      ];
    }),
  );
}

onEachEngine("the days of a fleet", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are what the API's lists sum up to, for each viewer, and no others", async () => {
    const world = given();
    for (const viewer of Object.keys(emails) as ViewerName[]) {
      const body = await asked(await world.signIn(emails[viewer]), twoDays);
      expect([body.time_zone, body.from, body.to]).toEqual(["UTC", "2026-06-14", "2026-06-15"]);
      const seen = sight[viewer].map((name) => world.devices[name].id);
      expect(body.data.map((row: Body) => row.device_id).sort()).toEqual(seen.sort());
      const expected = await fromLists(world, viewer);
      const drove = body.data.filter((row: Body) => expected.has(row.device_id));
      for (const row of drove) expect([viewer, row]).toMatchObject([viewer, expected.get(row.device_id)]);
      expect(drove.length).toBe(expected.size);
      const total = (name: string) => body.data.reduce((sum: number, row: Body) => sum + row[name], 0);
      for (const name of [
        "distance_km",
        "carried_km",
        "driving_s",
        "idle_s",
        "trip_count",
        "speeding_count",
        "speeding_s",
      ]) {
        expect([viewer, name, body.totals[name]]).toEqual([viewer, name, total(name)]);
      }
      expect(body.totals.drove).toBe(expected.size);
    }
  });

  test("show nothing of a vehicle out of sight, even if it is named", async () => {
    const { signIn, devices } = given();
    const anna = await signIn(emails.anna);
    const body = await asked(anna, `${twoDays}&device_id=${devices.car.id}&device_id=${devices.ferry.id}&highlights=5`);
    expect([body.data, body.totals.vehicles, body.totals.distance_km]).toEqual([[], 0, 0]);
    expect(body.highlights).toEqual({ speeding: [], still: [], silent: [], fuel: [] });
    expect((await given().browser().get(`/fleet-days?${twoDays}`)).status).toBe(401);
  });

  test("are those of vehicles with a tag, or of named ones", async () => {
    const { signIn, devices } = given();
    const olga = await signIn(emails.olga);
    const names = async (query: string) => (await asked(olga, `${twoDays}&${query}`)).data.map((row: Body) => row.name);
    expect(await names("tag=cold")).toEqual(["Amber van"]);
    expect(await names("tag=nothing&tag=day+shift")).toEqual(["Amber van"]);
    expect(await names("tag=nothing")).toEqual([]);
    expect(await names(`device_id=${devices.truck.id.toUpperCase()}`)).toEqual(["Birch truck"]);
    expect(await names(`device_id=${devices.truck.id}&tag=cold`)).toEqual([]);
  });

  test("come in pages that add up to the whole, in every order", async () => {
    const { time, signIn } = given().node();
    time.stepMs = 100;
    const olga = await signIn(emails.olga);
    for (const sort of sorts) {
      for (const order of ["asc", "desc"]) {
        const query = `${twoDays}&sort=${sort}&order=${order}`;
        const whole = (await asked(olga, query)).data;
        const paged: Body[] = [];
        let cursor: string | null = "";
        do {
          const page: Body = await asked(olga, `${query}&limit=2${cursor && `&cursor=${cursor}`}`);
          expect(page.data.length).toBeLessThanOrEqual(2);
          paged.push(...page.data);
          cursor = page.next_cursor;
        } while (cursor !== null);
        expect([sort, order, paged]).toEqual([sort, order, whole]);
        expect(whole.length).toBe(5);
      }
    }
  });

  test("compare with as many days before", async () => {
    const { signIn, rows } = given();
    const olga = await signIn(emails.olga);
    const { before, totals } = await asked(olga, "from=2026-06-16&to=2026-06-17&compare=true");
    expect([before.from, before.to, totals.distance_km]).toEqual(["2026-06-14", "2026-06-15", 0]);
    const acme = new Set(sight.olga.map((name) => given().devices[name].id));
    const own = rows.mileage.filter(({ device_id }) => acme.has(device_id));
    expect(before.distance_km).toBe(own.reduce((sum, row) => sum + row.distance_mm, 0) / 1e6);
    expect((await asked(olga, twoDays)).before).toBeNull();
  });

  test("are refused with every reason where the question is wrong", async () => {
    const olga = await given().signIn(emails.olga);
    const fieldsOf = async (query: string) => {
      const { status, body } = await olga.get(`/fleet-days?${query}`);
      expect([query, status]).toEqual([query, 400]);
      return Object.keys(body.error.fields).sort();
    };
    expect(await fieldsOf("")).toEqual(["from", "to"]);
    expect(await fieldsOf("from=2026-02-30&to=2026-06-15T00:00:00Z")).toEqual(["from", "to"]);
    expect(await fieldsOf("from=2026-06-15&to=2026-06-14")).toEqual(["to"]);
    expect(await fieldsOf("from=2025-06-14&to=2026-06-15")).toEqual(["from"]);
    expect(await fieldsOf(`${twoDays}&sort=size&order=up&limit=0&cursor=x&show=all&device_id=1`)).toEqual([
      "cursor",
      "device_id",
      "limit",
      "order",
      "show",
      "sort",
    ]);
    expect((await olga.get("/fleet-days?from=2025-06-15&to=2026-06-15")).status).toBe(200);
    // No day can be written that comes before the year 0.
    expect(await fieldsOf("from=0000-01-01&to=0000-01-05&compare=true")).toEqual(["from"]);
    for (const ends of ["from=0000-01-01&to=0000-01-05", "from=0000-01-06&to=0000-01-10&compare=true"]) {
      expect([ends, (await olga.get(`/fleet-days?${ends}`)).status]).toEqual([ends, 200]);
    }
    expect((await olga.get("/fleet-days?from=9999-12-31&to=9999-12-31&highlights=5")).status).toBe(200);
  });
});

onEachEngine("what a vehicle did in some days", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("is that it drove, stood, or was not heard of; one that is not in use is not missed", async () => {
    const { seed, accounts, store, signIn } = given();
    const mute = seed.device(accounts.acme, { name: "Mute mixer" });
    // It reports, but has no position; later it was heard of again.
    seed.frame(mute, { recorded_at: noon, valid: false, reject_reason: "no_fix", latitude: null, longitude: null });
    seed.sign(mute, noon + 3 * dayMs);
    const parked = seed.device(accounts.acme, { name: "Parked pickup" });
    seed.mileage(parked, { day: today, distance_mm: 0, trip_count: 0, driving_ms: 0, idle_ms: 0 });
    seed.sign(parked, noon);
    await seed.save(store.database);
    const olga = await signIn(emails.olga);
    const activities = async (day: string) => {
      const { data, totals } = await asked(olga, `from=${day}&to=${day}`);
      const { vehicles, drove, still, silent, retired } = totals;
      expect(vehicles).toBe(drove + still + silent);
      const of = Object.fromEntries(data.map((row: Body) => [row.name.split(" ")[0], row.activity]));
      return { of, counts: [drove, still, silent, retired] };
    };
    expect(await activities("2026-06-15")).toEqual({
      of: {
        Amber: "drove",
        Birch: "drove",
        Cedar: "drove",
        Dune: "drove",
        Elm: "silent",
        Mute: "still",
        Parked: "still",
      },
      counts: [4, 2, 1, 0],
    });
    expect(await activities("2026-06-18")).toEqual({
      of: {
        Amber: "silent",
        Birch: "silent",
        Cedar: "retired",
        Dune: "retired",
        Elm: "silent",
        Mute: "still",
        Parked: "silent",
      },
      counts: [0, 1, 4, 2],
    });
    const { highlights } = await asked(olga, "from=2026-06-18&to=2026-06-18&highlights=2");
    // Those that were silent for longest come first.
    expect(highlights.silent.map((row: Body) => [row.name, row.last_seen_at])[0]).toEqual(["Elm spare", null]);
    expect(highlights.silent.length).toBe(2);
    expect(highlights.still.map((row: Body) => row.name)).toEqual(["Mute mixer"]);
    for (const show of shows) {
      const { data } = await asked(olga, `from=2026-06-15&to=2026-06-15&show=${show}`);
      const fits = { speeding: "speeding_count", fuel: "fuel_lost_count" }[show as string];
      for (const row of data) expect(fits ? row[fits] > 0 : row.activity === show).toBe(true);
    }
  });

  test("has moments to look at: of its trips, its worst speeding, its fuel", async () => {
    const { seed, devices, store, signIn } = given();
    const { barge } = devices;
    const at = noon + 5 * dayMs;
    const day = today + 5;
    seed.mileage(barge, { day, distance_mm: 80_000_000, trip_count: 3 });
    const trip = (hour: number, more: object) =>
      seed.trip(barge, { started_at: at + hour * hourMs, ended_at: at + hour * hourMs + minuteMs, ...more });
    trip(0, { distance_mm: 5, idle_ms: 1, max_speed_m_per_h: null });
    trip(1, { distance_mm: 9, idle_ms: 1, max_speed_m_per_h: 50_000 });
    trip(2, { distance_mm: 7, idle_ms: 8, max_speed_m_per_h: 40_000 });
    trip(3, { distance_mm: 7, idle_ms: 8, max_speed_m_per_h: 60_000 });
    const speeding = (minute: number, value: number, more: object = {}) =>
      seed.alert(barge, {
        occurred_at: at + minute * minuteMs,
        ended_at: at + (minute + 2) * minuteMs,
        alert_type: "speeding",
        value,
        threshold: 80,
        ...more,
      });
    speeding(1, 95);
    speeding(10, 110, { latitude_e7: 481_000_000, longitude_e7: 115_000_000 });
    speeding(20, 120, { threshold: 100 });
    // It lasts; the last position is from a quarter of an hour later.
    speeding(30, 90, { ended_at: null });
    seed.position(barge, { recorded_at: at + 45 * minuteMs, received_at: at + 45 * minuteMs });
    seed.alert(barge, {
      occurred_at: at + minuteMs,
      alert_type: "speeding",
      value: 200,
      threshold: 80,
      withdrawn: true,
    });
    const fuel = (hour: number, alert_type: string, value: number, unit = "L") =>
      seed.alert(barge, { occurred_at: at + hour * hourMs, ended_at: at, alert_type, value, unit, threshold: 8 });
    fuel(1, "fuel_refill", 40.1);
    fuel(2, "fuel_refill", 60.2);
    fuel(3, "fuel_drain", 12, "%");
    await store.database.transaction((tx) => tx.run(sql`delete from latest_positions where device = ${barge.device}`));
    await seed.save(store.database);
    const body = await asked(await signIn(emails.otto), "from=2026-06-20&to=2026-06-20");
    const row = named(body, "Grove barge");
    const hour = (offset: number) => new Date(at + offset * hourMs).toISOString();
    expect(row).toMatchObject({
      distance_km: 80,
      first_day_driven: "2026-06-20",
      first_trip_at: hour(0),
      longest_trip_at: hour(1),
      most_idle_trip_at: hour(2),
      fastest_trip_at: hour(3),
      speeding_count: 4,
      speeding_s: (2 + 2 + 2 + 15) * 60,
      speeding_worst: {
        occurred_at: new Date(at + 10 * minuteMs).toISOString(),
        value: 110,
        threshold: 80,
        place: { latitude: 48.1, longitude: 11.5 },
      },
      place: null,
      fuel_taken_count: 2,
      fuel_taken_l: 100.3,
      fuel_taken_at: hour(2),
      fuel_lost_count: 1,
      fuel_lost_l: null,
      fuel_lost_at: hour(3),
    });
    expect(body.totals).toMatchObject({
      fuel_taken_l: 100.3,
      fuel_lost_l: 0,
      fuel_lost_count: 1,
      speeding_vehicles: 1,
    });
  });

  test("leaves critical alerts open until they are acknowledged; each viewer sees their own", async () => {
    const { seed, devices, store, signIn } = given();
    const now = Date.now();
    const sos = (device: typeof devices.van, minutesAgo: number, more: object = {}) => {
      const occurred_at = now - minutesAgo * minuteMs;
      return seed.alert(device, { occurred_at, alert_type: "sos", severity: "critical", ...more });
    };
    sos(devices.car, 5);
    sos(devices.truck, 30);
    const newest = sos(devices.truck, 20);
    sos(devices.truck, 10, { severity: "warning" });
    sos(devices.truck, 15, { withdrawn: true });
    sos(devices.van, 32 * 24 * 60);
    await seed.save(store.database);
    const openFor = async (viewer: ViewerName, query = "") =>
      (await asked(await signIn(emails[viewer]), `${twoDays}&highlights=5${query}`)).open_critical;
    const all = await openFor("olga");
    expect([all.count, all.vehicles, all.data.map((row: Body) => row.name)]).toEqual([
      3,
      2,
      ["Cedar car 100%_\\", "Birch truck"],
    ]);
    const ofTruck = {
      device_id: devices.truck.id,
      name: "Birch truck",
      plate: "AC-ME 102",
      count: 2,
      newest: {
        alert_id: newest.id,
        alert_type: "sos",
        occurred_at: new Date(newest.occurred_at).toISOString(),
        place: { latitude: Number(newest.latitude_e7) / 1e7, longitude: Number(newest.longitude_e7) / 1e7 },
      },
    };
    expect(all.data[1]).toEqual(ofTruck);
    expect((await openFor("anna")).data).toEqual([ofTruck]);
    expect((await openFor("olga", "&tag=cold")).count).toBe(0);
    await (await signIn(emails.anna)).post(`/alerts/${newest.id}/acknowledge`);
    expect((await openFor("anna")).count).toBe(1);
  });

  describe("in the account's time zone", () => {
    test("begins at its midnight; days that an earlier zone counted are in it if they overlap", async () => {
      const { seed, devices, accounts, store, signIn } = given();
      const { ferry } = devices;
      const { account_id } = accounts.polar;
      const zones = { present: "Europe/Berlin", earlier: "UTC" };
      await store.database.transaction((tx) =>
        tx.run(sql`update accounts set time_zone = ${zones.present}, earlier_time_zones = ${zones.earlier}
          where account_id = ${account_id}`),
      );
      const day = today + 30;
      const utcMidnight = day * dayMs;
      // 23:30 and 00:30 of Berlin, which is two hours ahead.
      seed.alert(ferry, { occurred_at: utcMidnight - 2.5 * hourMs, ended_at: utcMidnight - 2.4 * hourMs });
      seed.alert(ferry, { occurred_at: utcMidnight - 1.5 * hourMs, ended_at: utcMidnight - 1.4 * hourMs });
      seed.mileage(ferry, { day: day - 1, time_zone: "Europe/Berlin", distance_mm: 1_000_000 });
      seed.mileage(ferry, { day, time_zone: "Europe/Berlin", distance_mm: 2_000_000 });
      // Its frames were gone when the zone changed: a day of UTC, which overlaps two of Berlin.
      seed.mileage(ferry, { day: day + 1, time_zone: "UTC", distance_mm: 4_000_000 });
      await seed.save(store.database);
      const otto = await signIn(emails.otto);
      const of = async (from: string, to = from) => {
        const body = await asked(otto, `from=${from}&to=${to}&device_id=${ferry.id}`);
        expect(body.time_zone).toBe("Europe/Berlin");
        return [body.totals.distance_km, body.totals.speeding_count];
      };
      expect(await of("2026-07-14")).toEqual([1, 1]);
      expect(await of("2026-07-15")).toEqual([2, 1]);
      expect(await of("2026-07-16")).toEqual([4, 0]);
      expect(await of("2026-07-17")).toEqual([4, 0]);
      expect(await of("2026-07-14", "2026-07-17")).toEqual([7, 2]);
    });
  });
});
