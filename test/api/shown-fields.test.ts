import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Route } from "../../src/api/route.ts";
import { routes } from "../../src/api/routes.ts";
import { keyOf } from "../support/api.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay, thatTime, type ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";

type ShownRecord = Readonly<Record<string, unknown>>;

const lists = routes.filter(({ formats }) => formats !== undefined);

/** A request for the whole list that finds something. */
function requestOf({ devices, resumeAfter }: ApiWorld, route: Route): string {
  const { path, windowed, needsDevice, followed } = route;
  const filled = path.replace("{kind}", "fuel").replace("{device_id}", devices.van.id);
  const query = new URLSearchParams({
    ...(windowed ? thatDay : {}),
    ...(needsDevice ? { device_id: devices.van.id } : {}),
    ...(route.parameters.some(({ name }) => name === "time") ? { time: thatTime } : {}),
    ...(followed ? { after: resumeAfter, types: "trip,alert" } : {}),
  });
  return `${filled}?${query}`;
}

/** Of each list: what distinguishes its rows. */
const identifying: Readonly<Record<string, readonly string[]>> = {
  "/changes": ["type", "change", "id", "device_id"],
  "/devices": ["device_id"],
  "/devices/{device_id}/geofences": ["geofence_id"],
  "/positions/latest": ["device_id"],
  "/positions/at": ["device_id"],
  "/positions/history": ["device_id", "recorded_at"],
  "/trips": ["trip_id", "device_id"],
  "/stops": ["stop_id", "device_id"],
  "/alerts": ["alert_id", "device_id"],
  "/sensors/{kind}": ["device_id", "kind", "sensor", "recorded_at"],
  "/geofences": ["geofence_id"],
  "/geofence-events": ["event_id", "device_id"],
  "/users": ["user_id"],
  "/reports/mileage": ["device_id", "date"],
  "/reports/mileage/sums": ["period_start", "device_id"],
  "/drivers": ["id", "driver_ids"],
};

function pick(record: ShownRecord, names: readonly string[]): ShownRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

onEachEngine("fields", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  test.each(lists.map((route) => [route.path, route] as const))(
    "property: of any of them, %s shows just these and the ids, in every format, with a tag of its own",
    async (path, route) => {
      const url = requestOf(world(), route);
      const whole: ShownRecord[] = (await world().get(url)).body.data;
      expect(whole).not.toBeEmpty();
      const all = [...new Set(whole.flatMap((record) => Object.keys(record)))];
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(all, { minLength: 1 }), async (fields) => {
          const kept = [...fields, ...(identifying[path] ?? [])];
          const expected = whole.map((record) => pick(record, kept));
          const ask = (format: string) => world().get(`${url}&fields=${fields}&format=${format}`);
          const json = await ask("json");
          expect(json.body.data).toEqual(expected);
          // In the usual order, whatever order was asked for.
          expect(json.body.data.map(Object.keys)).toEqual(expected.map((record) => Object.keys(record)));
          const lines = (await ask("ndjson")).text.trim().split("\n");
          expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
          const [header = ""] = (await ask("csv")).text.split("\r\n");
          const columns = [...new Set(header.split(",").map((name) => name.replace(/^(start|end)_l\w+itude$/, "$1")))];
          expect(columns.filter((name) => all.includes(name))).toEqual(Object.keys(pick(whole[0] ?? {}, kept)));
          if (route.formats?.offered.includes("geojson")) {
            const { features } = (await ask("geojson")).body;
            const plain = (await world().get(`${url}&format=geojson`)).body.features;
            const pickedOf = plain.map((feature: { properties: ShownRecord }) => ({
              ...feature,
              properties: pick(feature.properties, kept),
            }));
            expect(features).toEqual(pickedOf);
          }
          if (!route.conditional) return;
          const tag = json.headers.get("ETag") ?? "";
          const again = await world().get(`${url}&fields=${fields}`, "olga", { "If-None-Match": tag });
          expect(again.status).toBe(304);
        }),
        { numRuns: 8 },
      );
    },
  );

  test.each(lists.map((route) => [route.path, route] as const))(
    "rows of %s can be distinguished, however few of them are shown",
    async (_, route) => {
      const url = requestOf(world(), route);
      const whole: ShownRecord[] = (await world().get(url)).body.data;
      const distinct = new Set(whole.map((record) => JSON.stringify(record))).size;
      for (const field of Object.keys(whole[0] ?? {})) {
        const ask = async (format: string) => (await world().get(`${url}&fields=${field}&format=${format}`)).text;
        const lines = (await ask("ndjson")).trim().split("\n");
        expect([field, new Set(lines).size]).toEqual([field, distinct]);
        const rows = (await ask("csv")).trim().split("\r\n").slice(1);
        expect([field, new Set(rows).size]).toEqual([field, distinct]);
      }
    },
  );

  test("that only other answers of the list have are 400, which names them", async () => {
    const day = new URLSearchParams(thatDay);
    const report = `/reports/mileage?${day}`;
    for (const [url, absent] of [
      [report, "period_start"],
      [report, "device_count"],
      [`${report}&period=week`, "date"],
      [`${report}&group_by=tag`, "distance_source"],
      [`/sensors/fuel?${day}`, "pressure_kpa"],
      [`/sensors/tyre?${day}`, "level_percent"],
      ["/positions/latest?limit=1", "distance_m"],
    ]) {
      const { status, body } = await world().get(`${url}&fields=device_id,${absent}`);
      expect([url, status]).toEqual([url, 400]);
      expect(body.error.message).toContain("fields: expected a comma-separated list of");
      expect(body.error.message).toEndWith(`; this answer has no ${absent}`);
    }
    const { status } = await world().get(`/sensors/unknown?${day}&fields=pressure_kpa`);
    expect(status).toBe(404);
  });

  test.each(lists.map((route) => [route.path, route] as const))(
    "of %s that do not exist are 400, and the message lists those that do",
    async (path, route) => {
      const [known = ""] = identifying[path] ?? [];
      for (const fields of ["nonsense", `${known},nonsense`, `${known},`, "device_name", "start.latitude"]) {
        const { status, body } = await world().get(`${requestOf(world(), route)}&fields=${fields}`);
        expect([fields, status]).toEqual([fields, 400]);
        expect(body.error.message).toContain(`fields: expected a comma-separated list of ${known}`);
      }
    },
  );

  test("are carried by the cursor, and by Link, and contradict another choice", async () => {
    const first = await world().get(
      `/trips?${new URLSearchParams(thatDay)}&limit=1&fields=distance_km&include_names=true`,
    );
    const names = ["trip_id", "device_id", "distance_km", "device_name", "plate"];
    expect(Object.keys(first.body.data[0])).toEqual(names);
    const cursor = encodeURIComponent(first.body.next_cursor);
    const [line = ""] = (await world().get(`/trips?cursor=${cursor}&format=ndjson`)).text.split("\n");
    expect(Object.keys(JSON.parse(line))).toEqual(names);
    const csv = (await world().get(`/trips?cursor=${cursor}&format=csv`)).text;
    expect(csv.split("\r\n")[0]).toBe(names.join());
    for (const other of ["fields=imei", "include_names=false"]) {
      const { status, body } = await world().get(`/trips?cursor=${cursor}&${other}`);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("cursor: expected")]);
    }
    expect((await world().get(`/trips?cursor=${cursor}&fields=distance_km&include_names=true`)).status).toBe(200);
  });

  test("of sums of mileage are those of the sums, with the group that they are of", async () => {
    const report = `/reports/mileage?${new URLSearchParams(thatDay)}`;
    for (const [group, keys] of [
      ["device", ["period_start", "device_id"]],
      ["tag", ["period_start", "device_id", "tag"]],
      ["fleet", ["period_start", "device_id"]],
    ] as const) {
      for (const period of ["day", "month", "total"]) {
        const url = `${report}&period=${period}&group_by=${group}`;
        const whole: ShownRecord[] = (await world().get(url)).body.data;
        expect(whole).not.toBeEmpty();
        const kept = [...keys, "trip_count"];
        const shown: ShownRecord[] = (await world().get(`${url}&fields=trip_count`)).body.data;
        expect(shown).toEqual(whole.map((record) => pick(record, kept)));
        expect(new Set(shown.map((row) => JSON.stringify(pick(row, keys)))).size).toBe(whole.length);
        const csv = (await world().get(`${url}&fields=trip_count&format=csv`)).text;
        expect(csv.split("\r\n")[0]).toBe(kept.join());
        const named: ShownRecord[] = (await world().get(`${url}&include_names=true`)).body.data;
        expect(named).toEqual(whole.map((record) => ({ ...record, device_name: record.name })));
      }
    }
  });

  test("of the nearest live positions have the distance, too", async () => {
    const near = "/positions/latest?near=52.5,13.4";
    const whole: ShownRecord[] = (await world().get(near)).body.data;
    const { body } = await world().get(`${near}&fields=distance_m`);
    expect(body.data).toEqual(whole.map((record) => pick(record, ["device_id", "distance_m"])));
    const csv = (await world().get(`${near}&fields=distance_m&format=csv`)).text;
    expect(csv.split("\r\n")[0]).toBe("device_id,distance_m");
  });

  test("keep a track and its routes drawable", async () => {
    const { van } = world().devices;
    const asked = `${new URLSearchParams(thatDay)}&device_id=${van.id}&format=gpx`;
    const track = (await world().get(`/positions/history?${asked}&fields=speed_kmh`)).text;
    expect(track).toContain("<trkpt lat=");
    expect(track).toContain("odo:speed_kmh");
    expect(track).not.toContain("odo:ignition");
    const route = (await world().get(`/trips?${asked}&fields=distance_km`)).text;
    expect(route).toContain("<rtept lat=");
    expect(route).toContain("odo:distance_km");
    expect(route).not.toContain("odo:status");
  });
});

onEachEngine("names beside ids", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  test.each(lists.map((route) => [route.path, route] as const))(
    "stand in %s in every format, and without the parameter there are none",
    async (_, route) => {
      const { devices } = world();
      const url = requestOf(world(), route);
      const plain: ShownRecord[] = (await world().get(url)).body.data;
      const named: ShownRecord[] = (await world().get(`${url}&include_names=true`)).body.data;
      expect(named.map((record, index) => pick(record, Object.keys(plain[index] ?? {})))).toEqual(plain);
      expect((await world().get(`${url}&include_names=false`)).body.data).toEqual(plain);
      const byId = new Map<unknown, ShownRecord>(Object.values(devices).map((device) => [device.id, { ...device }]));
      for (const record of named) {
        if (!("device_id" in record)) continue;
        const { name, plate } = byId.get(record.device_id) ?? {};
        expect([record.device_name, record.plate]).toEqual([name, plate]);
      }
      const lines = (await world().get(`${url}&include_names=true&format=ndjson`)).text.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(named);
      const [header = ""] = (await world().get(`${url}&include_names=true&format=csv`)).text.split("\r\n");
      const added = Object.keys(named[0] ?? {}).filter((name) => !(name in (plain[0] ?? {})));
      expect(header.split(",").slice(header.split(",").length - added.length)).toEqual(added);
    },
  );

  test("are only of what the reader may see", async () => {
    const { fences, users } = world();
    const alertsOf = async (viewer: ViewerName): Promise<ShownRecord[]> =>
      (await world().get(`/alerts?${new URLSearchParams(thatDay)}&include_names=true`, viewer)).body.data;
    const people = Object.values(users);
    for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
      const mine = await alertsOf(viewer);
      expect(mine).not.toBeEmpty();
      const { data } = (await world().get("/geofences", viewer)).body;
      const seen = new Map<unknown, string>(data.map((fence: ShownRecord) => [fence.geofence_id, String(fence.name)]));
      for (const alert of mine) {
        expect(alert.geofence_name).toBe(seen.get(alert.geofence_id) ?? (null as never));
        const person = people.find(({ id }) => id === alert.acknowledged_by);
        const maySee = person && (viewer === "olga" || viewer === "otto" || person.id === users[viewer].id);
        expect(alert.user_name).toBe(maySee ? person.name : (null as never));
      }
    }
    // Another user has acknowledged it, and no more may be known.
    expect((await alertsOf("anna")).filter((alert) => alert.acknowledged_by && !alert.user_name)).not.toBeEmpty();
    expect((await alertsOf("olga")).some((alert) => alert.geofence_name === fences.harbour.name)).toBeTrue();
  });

  test("are those of people only for keys that may list them", async () => {
    const { api, store, users } = world();
    const key = await keyOf(store.database, users.olga.email, { scopes: ["alerts:read"] });
    const { body } = await api.get(`/alerts?${new URLSearchParams(thatDay)}&include_names=true`, key);
    const acknowledged = body.data.filter((alert: ShownRecord) => alert.acknowledged_by !== null);
    expect(acknowledged).not.toBeEmpty();
    expect(acknowledged.filter((alert: ShownRecord) => alert.user_name !== null)).toBeEmpty();
    expect(body.data[0].device_name).toBeString();
  });

  test("are those of a stop's fences, too", async () => {
    const { data } = (await world().get(`/stops?${new URLSearchParams(thatDay)}&include_names=true`)).body;
    const named = new Map<unknown, string>(Object.values(world().fences).map(({ id, name }) => [id, name]));
    for (const stop of data) expect(stop.geofence_names).toEqual(stop.geofence_ids.map((id: string) => named.get(id)));
    expect(data.some((stop: ShownRecord) => String(stop.geofence_names) !== "")).toBeTrue();
  });
});
