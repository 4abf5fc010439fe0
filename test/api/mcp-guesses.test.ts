import { expect, test } from "bun:test";
import { tokensOf } from "../../src/api/mcp/tool-budget.ts";
import { saveDrivers } from "../../src/store/fleet/drivers.ts";
import { keyOf, startApi } from "../support/api.ts";
import { bodyIn, post, type ToolAnswer, toolCall } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const window = { from: "2026-06-15", to: "2026-06-16" };

/** What an assistant guesses, and what of the answer shows that it was understood, or what there is in its place. */
const guesses: readonly (readonly [tool: string, given: Record<string, unknown>, expected: string])[] = [
  ["list_alerts", { alert_type: "fuel_drop" }, "fuel_drain"],
  ["list_alerts", { alert_type: "fuel_theft" }, "fuel_drain"],
  ["list_alerts", { alert_type: "panic_button" }, "sos"],
  ["list_alerts", { alert_type: "panic" }, "sos"],
  ["list_alerts", { alert_type: "lost_contact" }, "device_offline"],
  ["list_alerts", { alert_type: "overspeed" }, "speeding"],
  ["list_alerts", { alert_type: "overspeeding" }, "speeding"],
  ["list_alerts", { alert_type: "Speeding" }, '"alert_type":"speeding"'],
  ["list_alerts", { alert_type: "harsh braking" }, "Nothing matches"],
  ["list_alerts", { alert_type: "nonsense" }, "there are speeding, geofence_enter"],
  ["list_alerts", { severity: "Critical" }, "Nothing matches"],
  ["list_alerts", { severity: "high" }, "info, warning, critical"],
  ["list_alerts", { device_id: "Van 7" }, '"alert_type":"speeding"'],
  ["list_trips", { device_id: "Van 7" }, "Van 07"],
  ["list_trips", { device_id: "van07" }, "Van 07"],
  ["list_trips", { device_id: "VAN-07" }, "Van 07"],
  ["list_trips", { device_id: "1207" }, "Van 07"],
  ["list_trips", { device_id: "b od 1207" }, "Van 07"],
  ["list_trips", { device_id: "Uber Truck" }, "Über Truck"],
  ["list_trips", { device_id: "über truck" }, "Über Truck"],
  ["list_trips", { device_id: "Truk" }, "Über Truck"],
  ["list_trips", { device_id: "Van" }, "Van 08"],
  ["list_trips", { tag: "Parcel" }, "Van 07"],
  ["list_trips", { tag: "parcels" }, "nearest: parcel"],
  ["list_trips", { driver_id: "amara" }, "Van 07"],
  ["list_trips", { driver_id: "Amara Okafór" }, "Van 07"],
  ["list_trips", { driver_id: "0000001a2b" }, "Van 07"],
  ["list_trips", { driver_id: "Ben" }, "nearest: Amara Okafor"],
  ["list_stops", { geofence_id: "south depot" }, "Van 07"],
  ["list_stops", { geofence_id: "South-Depot" }, "Van 07"],
  ["list_stops", { geofence_id: "Depo" }, "Van 07"],
  ["list_stops", { geofence_id: "North depot" }, "nearest: South depot"],
  ["list_devices", { search: "Van 7" }, "Van 07"],
  ["list_devices", { search: "lorry" }, "nearest:"],
  ["list_devices", { tag: "PARCEL" }, "Van 07"],
  ["list_devices", { status: "parked" }, "active, inactive, blocked"],
  ["list_latest_positions", { near: "52.52, 13.405" }, "distance_m"],
  ["list_latest_positions", { near: "52.52 13.405" }, "distance_m"],
  ["list_latest_positions", { near: "South depot" }, "distance_m"],
  ["list_latest_positions", { near: "van 7" }, '"distance_m":0'],
  ["list_latest_positions", { near: "Date lime" }, "nearest: Date line (52.500000,-179.900000)"],
  ["list_positions_at", { time: "2026-06-20" }, "over 3600 s old then are left out (`max_age_s`)"],
  ["list_changes", {}, "from now on: the next call's `after` is this `resume_after`"],
  ["list_geofences", { geometry: "area" }, "geometry: there is no such argument"],
  ["list_latest_positions", { near: "Eiffel tower" }, "nearest:"],
  [
    "list_positions_at",
    { time: "2026-06-15T14:05", near: "south depot" },
    "As of 2026-06-15T14:05:00+02:00 (Europe/Berlin)",
  ],
  ["list_sensor_readings", { kind: "temp" }, "fuel, temperature, tyre"],
  ["list_sensor_readings", { kind: "Temperature" }, "Nothing matches"],
  ["list_trips", { driver_id: "d1d1d1d1-0000-4000-8000-000000000001" }, "Van 07"],
  ["get_user", { user_id: "north depo" }, "North depot"],
  ["get_user", { user_id: "Nordlager" }, "nearest: North depot"],
  ["report_mileage_sums", { ...window, group_by: "vehicle" }, "device, tag, driver, fleet"],
  ["report_mileage_sums", { ...window, driver_id: "Amara" }, "Van 07"],
  ["report_mileage_sums", { from: "2020-01-01", to: "2020-02-01" }, "Nothing matches"],
  ["list_trips", { vehicle: "Van 07" }, "there is no such argument; there are"],
  ["list_trips", { device_id: "Van 07", from: "yesterday" }, "from: expected an ISO 8601 time"],
];

onOneEngine("what an assistant guesses", (engine) => {
  const world = engine.shared(
    async ({ database }) => {
      const seed = new Seed();
      const account = seed.account({ time_zone: "Europe/Berlin" });
      const owner = seed.user(account, { role: "owner" });
      seed.user(account, { name: "North depot" });
      const van = seed.device(account, { name: "Van 07", plate: "B-OD 1207", tags_json: '["parcel"]' });
      const other = seed.device(account, { name: "Van 08", plate: "B-OD 1308" });
      const truck = seed.device(account, { name: "Über Truck", plate: "B-OD 9" });
      const depot = seed.geofence(account, {
        name: "South depot",
        devices: [van],
        bbox_json: "[13.4,52.5,13.42,52.52]",
      });
      // It spans the antimeridian.
      seed.geofence(account, { name: "Date line", devices: [van], bbox_json: "[179.9,52,-179.7,53]" });
      for (const device of [van, other, truck]) {
        seed.position(device, { recorded_at: noon });
        seed.frame(device, { recorded_at: noon });
      }
      const driver = { driver_id: "0000001A2B3C4D5E", driver_name: "Amara Okafor" };
      for (let hour = 1; hour < 9; hour++)
        seed.trip(van, { started_at: noon - hour * 3_600_000, ended_at: noon - hour * 3_600_000 + 60_000, ...driver });
      seed.trip(truck, { started_at: noon - 3_600_000, ended_at: noon });
      seed.stop(van, { started_at: noon, ended_at: noon + 60_000, geofence_ids: depot.id });
      seed.alert(van, { occurred_at: noon, alert_type: "speeding" });
      for (const device of [van, truck])
        seed.mileage(device, { day: Math.floor(noon / 86_400_000), time_zone: "Europe/Berlin" });
      const large = seed.account();
      const largeOwner = seed.user(large, { role: "owner" });
      for (let count = 0; count < 5_000; count++) seed.device(large);
      const last = seed.device(large, { id: "ffffffff-0000-4000-8000-000000000001", tags_json: '["rare"]' });
      await seed.save(database);
      const row = {
        account_id: account.account_id,
        id: "d1d1d1d1-0000-4000-8000-000000000001",
        name: driver.driver_name,
      };
      await database.transaction((tx) =>
        saveDrivers(tx, [{ ...row, driver_ids_json: JSON.stringify([driver.driver_id]) }], noon),
      );
      const api = await startApi(database);
      const key = await keyOf(database, owner.email);
      const tripsKey = await keyOf(database, owner.email, { scopes: ["trips:read"] });
      const largeKey = await keyOf(database, largeOwner.email);
      return { api, key, tripsKey, largeKey, van, depot, last };
    },
    ({ api }) => api.close(),
  );
  const call = async (name: string, given: object, key = world().key): Promise<ToolAnswer> =>
    (await post(world().api, toolCall(name, given), { key })).body.result;
  const textOf = ({ content }: ToolAnswer) => content.map(({ text = "" }) => text).join("\n");

  test(`${guesses.length} of them are understood, or answered with what there is: none is an empty list without a word`, async () => {
    for (const [tool, given, expected] of guesses) {
      const isWindowed = /trips|stops|alerts|readings/.test(tool);
      const answer = await call(tool, { ...(isWindowed ? window : {}), ...given });
      expect([tool, given, textOf(answer)]).toEqual([tool, given, expect.stringContaining(expected)]);
      if (!answer.isError) expect(textOf(answer)).toMatch(/This is the window from|As of/);
    }
  });

  test("takes the id of a vehicle or a fence for a place, as its name", async () => {
    const { van, depot } = world();
    for (const [id, name] of [
      [van.id, "Van 07"],
      [depot.id, "South depot"],
    ]) {
      const byId = bodyIn(await call("list_latest_positions", { near: id }));
      expect(byId.data).toHaveLength(3);
      expect(byId).toEqual(bodyIn(await call("list_latest_positions", { near: name })));
    }
  });

  test("finds the tag of any vehicle, however large the fleet is", async () => {
    const { largeKey, last } = world();
    const { data } = bodyIn(await call("list_devices", { tag: "rare" }, largeKey));
    expect(data.map(({ device_id }: { device_id: string }) => device_id)).toEqual([last.id]);
    const unknown = textOf(await call("get_device", { device_id: "Nowhere" }, largeKey));
    expect(unknown).toContain("nothing of the first 5000 that the key can see is called");
  });

  test("with a key that may not look names up, an empty list says that the name may be wrong", async () => {
    const { tripsKey } = world();
    for (const given of [{ tag: "Parcel" }, { driver_id: "Amara" }]) {
      const text = textOf(await call("list_trips", { ...window, ...given }, tripsKey));
      const [[argument, said]] = Object.entries(given) as [[string, string]];
      expect(text).toContain(`\`${argument}\` was taken as written, "${said}"`);
    }
    const found = textOf(await call("list_trips", { ...window, tag: "parcel" }, tripsKey));
    expect(found).not.toContain("as written");
    expect(textOf(await call("list_trips", { from: "2020-01-01", to: "2020-01-02" }, tripsKey))).not.toContain(
      "written",
    );
  });

  test("says in whose time it answers, and takes times without an offset as the fleet's", async () => {
    const local = await call("list_trips", { device_id: "Van 7", from: "2026-06-15T13:00", to: "2026-06-15T15:00" });
    expect(textOf(local)).toContain(
      "from 2026-06-15T13:00:00+02:00 (included) to 2026-06-15T15:00:00+02:00 (not included)",
    );
    const utc = await call("list_trips", { device_id: "Van 7", from: "2026-06-15T11:00Z", to: "2026-06-15T13:00Z" });
    expect(bodyIn(utc)).toEqual(bodyIn(local));
    expect(bodyIn(local).data).toHaveLength(1);
    const day = await call("list_trips", { from: "2026-06-15", to: "2026-06-16" });
    expect(textOf(day)).toContain("from 2026-06-15T00:00:00+02:00");
    const { body } = await post(
      world().api,
      { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
      { key: world().key },
    );
    expect(body.result.instructions).toContain("Europe/Berlin");
  });

  test("goes on with a short cursor beside the same arguments, and with no other", async () => {
    const given = { ...window, device_id: "Van 7", limit: 3 };
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, next_cursor } = bodyIn(
        await call("list_trips", { ...given, fields: "trip_id", ...(cursor && { cursor }) }),
      );
      found.push(...data.map(({ trip_id }: { trip_id: string }) => trip_id));
      if (next_cursor !== null) expect(tokensOf(next_cursor)).toBeLessThan(30);
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect([found.length, new Set(found).size]).toEqual([8, 8]);
    const { next_cursor } = bodyIn(await call("list_trips", given));
    for (const other of [
      { device_id: "Van 08" },
      { tag: "parcel" },
      { from: "2026-06-14" },
      { device_id: undefined },
    ]) {
      const refused = await call("list_trips", { ...given, ...other, cursor: next_cursor });
      expect([refused.isError, textOf(refused)]).toEqual([
        true,
        expect.stringContaining("cursor: expected the next_cursor"),
      ]);
    }
    const forged = await call("list_trips", {
      ...given,
      cursor: next_cursor.replace(/.$/, (last: string) => (last === "A" ? "B" : "A")),
    });
    expect(forged.isError).toBe(true);
    // A window until now is the one that it was.
    const open = bodyIn(await call("list_devices", { limit: 1 }));
    expect(bodyIn(await call("list_devices", { limit: 1, cursor: open.next_cursor })).data[0].name).not.toBe(
      open.data[0].name,
    );
  });
});
