import { expect, test } from "bun:test";
import { exampleAlertRow } from "../../src/api/records/alert.ts";
import { exampleAlertSettingsRow } from "../../src/api/records/alert-settings.ts";
import { exampleAssignedGeofenceRow } from "../../src/api/records/assigned-geofence.ts";
import { exampleDeviceRow } from "../../src/api/records/device.ts";
import { exampleGeofenceRow } from "../../src/api/records/geofence.ts";
import { exampleGeofenceEventRow } from "../../src/api/records/geofence-event.ts";
import { exampleLatestPositionRow } from "../../src/api/records/latest-position.ts";
import { exampleMileageRow } from "../../src/api/records/mileage.ts";
import { exampleFrame } from "../../src/api/records/position.ts";
import { exampleReadingRecords, exampleReadingRows } from "../../src/api/records/reading-schema.ts";
import { exampleTripRow } from "../../src/api/records/trip.ts";
import { exampleUserRow } from "../../src/api/records/user.ts";
import { routes } from "../../src/api/routes.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { unpackedColumns } from "../support/frame-rows.ts";
import { Seed } from "../support/seed.ts";

/** One of the dates that the description's own parameters show. */
const thatDay = "from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z";

/** Stores the rows that the examples are made of, and no other but the rest of what the example's user sees. */
async function startExample({ database }: FreshDatabase) {
  const seed = new Seed();
  const account = seed.account({ limit_per_second: 100_000 });
  const owner = seed.user(account, { role: "owner", email: "owner@example.com" });
  const { device_count, ...person } = exampleUserRow;
  const user = seed.user(account, person);
  const { account_id, device: number, odometer_m, last_seen_at, last_position_at, ...described } = exampleDeviceRow;
  const device = seed.device(account, { ...described, seenBy: [user] });
  for (let others = 1; others < device_count; others++) seed.device(account, { seenBy: [user] });
  const { device_id, imei, name, plate, ...position } = exampleLatestPositionRow;
  seed.position(device, position);
  seed.frame(device, unpackedColumns(exampleFrame));
  seed.trip(device, withoutDevice(exampleTripRow));
  const fence = seed.geofence(account, { ...exampleGeofenceRow, devices: [device] });
  seed.alert(device, withoutDevice(exampleAlertRow));
  seed.crossing(device, fence, withoutDevice(exampleGeofenceEventRow));
  const { device: _, ...mileage } = { device: null, ...withoutDevice(exampleMileageRow) };
  seed.mileage(device, mileage);
  for (const { device: __, ...reading } of Object.values(exampleReadingRows)) {
    seed.reading(device, withoutDevice(reading));
  }
  const { rules_json, updated_at } = exampleAlertSettingsRow;
  seed.alertSettings(device, JSON.parse(rules_json ?? ""), 0, updated_at ?? 0);
  await seed.save(database);
  const { assigned_at } = exampleAssignedGeofenceRow;
  await database.transaction((tx) => tx.run(sql`update geofence_assignments set assigned_at = ${assigned_at}`));
  return { api: await startApi(database), key: await keyOf(database, owner.email) };
}

function withoutDevice<Row extends { readonly device_id: string; readonly imei: string }>(row: Row) {
  const { device_id, imei, ...rest } = row;
  return rest;
}

onEachEngine("the description's example", (engine) => {
  const example = engine.shared(startExample, ({ api }) => api.close());

  for (const route of routes) {
    test(`of ${route.path} is what is answered`, async () => {
      const { api, key } = example();
      const { status, body } = await api.get(route.example.request, key);
      expect([status, body]).toEqual([200, route.example.response]);
    });
  }

  test("of each kind of reading is what is answered", async () => {
    const { api, key } = example();
    for (const [kind, record] of Object.entries(exampleReadingRecords)) {
      const { body } = await api.get(`/sensors/${kind}?${thatDay}`, key);
      expect(body).toEqual({ data: [record], next_cursor: null });
    }
  });

  test("of each parameter is a value that is accepted", async () => {
    const { api, key } = example();
    for (const route of routes) {
      const [path] = route.example.request.split("?");
      const search = new URLSearchParams(route.needsDevice ? { imei: exampleDeviceRow.imei } : {});
      for (const parameter of route.parameters) {
        if (parameter.in !== "query" || parameter.name === "cursor") continue;
        search.set(parameter.name, String(parameter.example));
      }
      expect([route.path, (await api.get(`${path}?${search}`, key)).status]).toEqual([route.path, 200]);
    }
  });
});
