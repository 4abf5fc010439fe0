import { expect, test } from "bun:test";
import { severities } from "../../src/domain/alert-types.ts";
import { type AlertFilters, alerts } from "../../src/store/facts/alerts.ts";
import { trips } from "../../src/store/facts/trips.ts";
import { deviceGeofences, geofences } from "../../src/store/fleet/geofences.ts";
import { onEachEngine } from "../support/engines.ts";
import { plain } from "../support/read-lists.ts";
import { newFleet } from "../support/seed-fleet.ts";
import { noon } from "../support/seed-rows.ts";

const hourMs = 3_600_000;
const all = { after: null, count: 1000 };
const window = { ...all, device: null, fromMs: noon, toMs: noon + hourMs };

onEachEngine("the store", (engine) => {
  test("gives alerts by severity, type and acknowledgement, alone and together", async () => {
    const { database } = await engine.fresh();
    const { seed, owner, anna, van, truck, trailer } = newFleet();
    const types = ["speeding", "idling"];
    const stored = Array.from({ length: 72 }, (_, index) =>
      seed.alert([van, truck, trailer][index % 3] ?? van, {
        occurred_at: noon + (index % 5) * 1000,
        severity: severities[(index >> 1) % 3] ?? "info",
        alert_type: types[(index >> 2) % 2] ?? "",
        ...(index % 4 === 0 ? { acknowledged_at: noon + hourMs + index, acknowledged_by: anna.id } : {}),
      }),
    );
    seed.alert(van, { withdrawn: true, acknowledged_at: noon, acknowledged_by: anna.id });
    await seed.save(database);
    const filters: AlertFilters[] = [true, false, null].flatMap((acknowledged) =>
      [...severities, null].flatMap((severity) =>
        [...types, "no such", "with\0nul", null].map((alertType) => ({ acknowledged, severity, alertType })),
      ),
    );
    for (const [viewer, isSeen] of [
      [owner, () => true],
      [anna, (id: string) => id !== trailer.id],
    ] as const) {
      for (const filter of filters) {
        const expected = stored
          .filter((alert) => isSeen(alert.device_id))
          .filter((alert) => filter.acknowledged === null || filter.acknowledged === (alert.acknowledged_at !== null))
          .filter((alert) => filter.severity === null || filter.severity === alert.severity)
          .filter((alert) => filter.alertType === null || filter.alertType === alert.alert_type)
          .toSorted((one, other) => one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : 1));
        for (const walksAccount of [false, true]) {
          const page = { ...window, ...filter, walksAccount };
          expect(await alerts(database, viewer.visibility, page)).toEqual(expected);
          expect(await alerts(database, viewer.visibility, { ...page, count: 3 })).toEqual(expected.slice(0, 3));
        }
      }
    }
  });

  test("finds a trip that was on the road when the window began, however long it took", async () => {
    const { database } = await engine.fresh();
    const { seed, acme, owner, anna } = newFleet();
    const lengths = [1, 2, hourMs - 1, hourMs, 4 * hourMs, 16 * hourMs, 64 * hourMs, 256 * hourMs - 1, 256 * hourMs];
    const onTheRoad = [...lengths, 9_999 * hourMs, null].map((length, index) => {
      const device = seed.device(acme, { seenBy: [anna] });
      const started_at = noon - (length ?? 20_000 * hourMs) + 1;
      // Over as the window begins, and so not in it.
      seed.trip(device, { started_at: started_at - hourMs - 1, ended_at: started_at - 1 });
      const trip = seed.trip(device, {
        started_at,
        ended_at: length === null ? null : noon + 1,
        has_gap: index % 2 === 0,
      });
      return { ...trip, device };
    });
    const over = seed.device(acme, { seenBy: [anna] });
    seed.trip(over, { started_at: noon - hourMs, ended_at: noon });
    await seed.save(database);
    const expected = onTheRoad
      .map(({ device, ...trip }) => trip)
      .toSorted((one, other) => one.started_at - other.started_at || (one.id < other.id ? -1 : 1));
    const page = { ...window, toMs: noon + 1 };
    for (const { visibility } of [owner, anna]) {
      expect(plain(await trips(database, visibility, page))).toEqual(plain(expected));
      for (const { device, ...trip } of onTheRoad) {
        expect(plain(await trips(database, visibility, { ...page, device: device.device }))).toEqual(plain([trip]));
      }
      expect(await trips(database, visibility, { ...page, device: over.device })).toEqual([]);
    }
  });

  test("shows a fence as its newest version has it, and whether the device is inside", async () => {
    const { database } = await engine.fresh();
    const { seed, acme, owner, anna, van, truck } = newFleet();
    const yard = seed.geofence(acme, { name: "Yard", devices: [van, truck], radius_m: 100 });
    const newer = seed.geofenceVersion(yard, {
      valid_from: noon,
      devices: [van],
      shape: "corridor",
      radius_m: null,
      width_m: 25.5,
    });
    const lane = seed.geofence(acme, { name: "Lane", devices: [van] });
    await seed.save(database);
    const shown = ({ account_id, ...fence }: typeof yard) => fence;
    const inOrder = [newer, lane].map(shown).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const assigned = (inside: readonly string[] | null) =>
      inOrder.map((fence) => ({
        ...fence,
        assigned_at: noon,
        inside: inside === null ? null : inside.includes(fence.id),
      }));
    for (const { visibility } of [owner, anna]) {
      expect(await geofences(database, visibility, all)).toEqual(inOrder);
      expect(await deviceGeofences(database, visibility, van.device)).toEqual(assigned(null));
      expect(await deviceGeofences(database, visibility, truck.device)).toEqual([]);
    }
    seed.position(van, { geofence_ids_json: JSON.stringify([lane.id]) });
    await seed.save(database);
    expect(await deviceGeofences(database, anna.visibility, van.device)).toEqual(assigned([lane.id]));
    seed.position(van, { geofence_ids_json: null });
    await seed.save(database);
    expect(await deviceGeofences(database, anna.visibility, van.device)).toEqual(assigned([]));
  });
});
