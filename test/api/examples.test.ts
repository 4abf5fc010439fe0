import { expect, test } from "bun:test";
import { alert } from "../../src/api/records/alert.ts";
import { alertSettings } from "../../src/api/records/alert-settings.ts";
import { caller } from "../../src/api/records/caller.ts";
import { changePage } from "../../src/api/records/change.ts";
import { device as deviceRecord } from "../../src/api/records/device.ts";
import { assignedGeofence, geofence } from "../../src/api/records/geofence.ts";
import { geofenceEvent } from "../../src/api/records/geofence-event.ts";
import { latestPosition } from "../../src/api/records/latest-position.ts";
import { mileageDay } from "../../src/api/records/mileage.ts";
import { exampleFrame } from "../../src/api/records/position.ts";
import { readingsByKind } from "../../src/api/records/reading.ts";
import { stop } from "../../src/api/records/stop.ts";
import { story } from "../../src/api/records/story.ts";
import { trip } from "../../src/api/records/trip.ts";
import { user as userRecord } from "../../src/api/records/user.ts";
import { routes } from "../../src/api/routes.ts";
import type { SetRule } from "../../src/domain/alerts/set-rules.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { logDeviceChange } from "../../src/store/changes/change-writes.ts";
import type { Database } from "../../src/store/database.ts";
import { saveDrivers } from "../../src/store/fleet/drivers.ts";
import { saveRuleVersions } from "../../src/store/fleet/rule-versions.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { columnsOf } from "../support/frame-rows.ts";
import { Seed, type SeededDevice } from "../support/seed.ts";

/** One of the dates that the description's own parameters show. */
const thatDay = "from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z";

/** Stores the rows that the examples are made of, and no other but the rest of what the example's user sees. */
async function startExample({ database }: FreshDatabase) {
  const seed = new Seed();
  const account = seed.account({ limit_per_second: 100_000 });
  const owner = seed.user(account, { role: "owner", email: "owner@example.com" });
  const { device_count, ...person } = userRecord.exampleRow;
  const user = seed.user(account, person);
  const {
    account_id,
    device: number,
    odometer_m,
    last_seen_at,
    last_position_at,
    ...described
  } = deviceRecord.exampleRow;
  const device = seed.device(account, { ...described, seenBy: [user] });
  for (let others = 1; others < device_count; others++) seed.device(account, { seenBy: [user] });
  const { device_id, imei, name, plate, ...position } = latestPosition.exampleRow;
  seed.position(device, position);
  seed.frame(device, columnsOf({ frame: exampleFrame, verdict: accepted }));
  seed.trip(device, withoutDevice(trip.exampleRow));
  seed.stop(device, withoutDevice(stop.exampleRow));
  const fence = seed.geofence(account, { ...geofence.exampleRow, devices: [device] });
  seed.alert(device, withoutDevice(alert.exampleRow));
  seed.crossing(device, fence, withoutDevice(geofenceEvent.exampleRow));
  const { device: _, ...mileage } = { device: null, ...withoutDevice(mileageDay.exampleRow) };
  seed.mileage(device, mileage);
  for (const { exampleRow } of Object.values(readingsByKind)) {
    const { device: __, ...reading } = exampleRow;
    // Beside the frame above, which has no sensors.
    seed.reading(device, { ...withoutDevice(reading), digest: reading.digest + 1 });
  }
  const { rules_json, updated_at } = alertSettings.exampleRow;
  const set = JSON.parse(rules_json ?? "[]") as SetRule[];
  const created_at = updated_at ?? 0;
  seed.alertSettings(device, storedRules(set.filter(({ setFor }) => setFor === "device")), 0, created_at);
  await seed.save(database);
  const driver = { account_id: device.account_id, id: story.personId, name: story.driverName };
  const driver_ids_json = JSON.stringify([story.driverId]);
  await database.transaction((tx) => saveDrivers(tx, [{ ...driver, driver_ids_json }], created_at));
  const ofTag = set.filter(({ setFor }) => setFor === "tag");
  const tagged = {
    tag: ofTag[0]?.tag ?? "",
    valid_from: 0,
    rules_json: JSON.stringify(storedRules(ofTag)),
    created_at,
  };
  await database.transaction((tx) => saveRuleVersions(tx, [{ account_id: device.account_id, ...tagged }]));
  const { assigned_at } = assignedGeofence.exampleRow;
  await database.transaction((tx) => tx.run(sql`update geofence_assignments set assigned_at = ${assigned_at}`));
  const api = await startApi(database);
  const key = await keyOf(database, owner.email);
  const { body } = await api.get("/changes", key);
  await changeOf(database, device);
  return { api, key, resumeAfter: body.resume_after as string };
}

/** Whom they are for is not part of them. */
function storedRules(rules: readonly SetRule[]): AlertRule[] {
  return rules.map(({ setFor: _, tag: __, ...rule }) => rule);
}

/** The trip and the alert of the example of changes. */
function changeOf(database: Database, { account_id, device }: SeededDevice) {
  const [{ id, changed_at }] = changePage.example.data;
  return database.transaction((tx) =>
    logDeviceChange(
      tx,
      { accountId: account_id, device },
      (change) => change.add("trip", trip.exampleRow.started_at).remove("alert", [id]),
      Date.parse(changed_at),
    ),
  );
}

function withoutDevice<Row extends { readonly device_id: string; readonly imei: string }>(row: Row) {
  const { device_id, imei, ...rest } = row;
  return rest;
}

/** Parameters whose values only the service makes. */
const handedOut = ["cursor", "after"];

onEachEngine("the description's example", (engine) => {
  const example = engine.shared(startExample, ({ api }) => api.close());

  for (const route of routes) {
    test(`of ${route.path} is what is answered`, async () => {
      const { api, key, resumeAfter } = example();
      const { status, body } = await api.get(route.example.request.replace(/(?<=after=)\w+/, resumeAfter), key);
      // It is about the caller, who is none of the story.
      if (route.isOfCaller)
        return expect([status, Object.keys(body.data)]).toEqual([200, Object.keys(caller.example as object)]);
      const expected = route.followed
        ? { ...(route.example.response as object), resume_after: body.resume_after }
        : route.example.response;
      expect([status, body]).toEqual([200, expected]);
    });
  }

  test("of each kind of reading is what is answered", async () => {
    const { api, key } = example();
    for (const [kind, { example: record }] of Object.entries(readingsByKind)) {
      const { body } = await api.get(`/sensors/${kind}?${thatDay}`, key);
      expect(body).toEqual({ data: [record], next_cursor: null });
    }
  });

  test("of each parameter is a value that is accepted", async () => {
    const { api, key } = example();
    for (const route of routes) {
      const [path] = route.example.request.split("?");
      const search = new URLSearchParams(route.needsDevice ? { imei: deviceRecord.exampleRow.imei } : {});
      for (const parameter of route.parameters) {
        if (parameter.in !== "query" || handedOut.includes(parameter.name)) continue;
        search.set(parameter.name, String(parameter.example));
      }
      expect([route.path, (await api.get(`${path}?${search}`, key)).status]).toEqual([route.path, 200]);
    }
  });
});
