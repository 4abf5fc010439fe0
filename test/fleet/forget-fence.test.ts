import { expect, test } from "bun:test";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import { parseReported } from "../../src/domain/reported.ts";
import { removeGeofence, restoreGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { circle, type FleetRecord, hourMs, load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { devices, home, newYear, people, randomFleet } from "../support/ingest-fleet.ts";
import { accountNumber, dirtyCount, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const { olga, ann, bob, van, truck, car, depot, acme } = smallFleet;
const day = (number: number) => loadedAt + number * 24 * hourMs;

onEachEngine("rules that name a fence", (engine) => {
  const settingsNumbers = async (database: Database) =>
    new Map(
      (
        await database.all<{ id: string; number: number }>(
          sql`select id, number from viewer_records where type = 'alert_settings' and user_id = ${accountViewer} order by id`,
        )
      ).map(({ id, number }) => [id, number]),
    );

  test("do not any more once it is removed, and followers get it", async () => {
    const { database } = await engine.fresh();
    const limit = { alert_type: "speeding", parameters: { limit_kmh: 30 }, geofence_ids: [depot.id] };
    const forAll = { type: "alert_settings", account_id: acme.id, rules: [{ ...limit, geofence_ids: [] }] };
    const forTag = { type: "alert_settings", account_id: acme.id, tag: "cold", rules: [limit] };
    await load(
      database,
      [...Object.values(smallFleet), { ...truck, tags: ["cold"] }, forTag, forAll].filter((r) => r !== truck),
    );
    const api = await startApi(database);
    try {
      const key = await keyOf(database, olga.email);
      const shown = async (id: string) => {
        const { body } = await api.get(`/devices/${id}/alert-settings`, key);
        return body.data.rules.filter(({ source }: { source: string }) => source === "set");
      };
      expect(await shown(truck.id)).toMatchObject([limit]);
      const before = await settingsNumbers(database);
      const request = { accountId: await accountNumber(database), id: depot.id, by: { kind: "command" } as const };

      await removeGeofence(database, { ...request, revision: 1, isPreview: false }, loadedAt + hourMs);
      const without = [{ alert_type: "speeding", geofence_ids: [], set_for: "device" }];
      expect(await shown(van.id)).toMatchObject(without);
      // The rule held only there, so that of the account holds now.
      expect(await shown(truck.id)).toMatchObject([{ alert_type: "speeding", set_for: "account" }]);
      const removed = await settingsNumbers(database);
      const isNewer = (id: string) => (removed.get(id) ?? 0) > (before.get(id) ?? 0);
      expect([van.id, truck.id, car.id].map(isNewer)).toEqual([true, true, false]);
      const changed = await database.all(
        sql`select id from audit_log where action = 'alert_settings.changed' order by id`,
      );
      expect(changed).toEqual([{ id: van.id }, { id: "tag:cold" }]);

      await restoreGeofence(database, { ...request, revision: 2, isPreview: false }, loadedAt + 2 * hourMs);
      expect(await shown(van.id)).toMatchObject(without);
    } finally {
      await api.close();
    }
  });

  test("of one tag leave those of another in force once it is removed, here and where the fleet is loaded", async () => {
    const one = (await engine.fresh()).database;
    const limit = (limit_kmh: number) => ({ alert_type: "speeding", parameters: { limit_kmh } });
    const away = circle(33, { device_ids: [truck.id], geometry: { type: "Point", coordinates: [1, 1] } });
    const ofTag = (tag: string, ...rules: FleetRecord[]) => ({
      type: "alert_settings",
      account_id: acme.id,
      tag,
      rules,
    });
    const tagged = { ...truck, tags: ["a", "b"] };
    const fleet = [{ ...acme, limits: { per_second: 100_000, per_day: 1_000_000 } }, olga, ann, bob, tagged, away];
    await load(one, [...fleet, ofTag("a", limit(20)), ofTag("b", { ...limit(90), geofence_ids: [away.id] })]);
    const drive = { imei: truck.imei, from: home, minutes: 10, kmh: 72 };
    const drives = [straightDrive({ ...drive, beginAt: loadedAt }), straightDrive({ ...drive, beginAt: day(2) })];
    await take(one, drives);
    const alerts = async (database: Database) => {
      await newWriter(database).schedule.deriveLeft();
      const { alerts } = await derivedTables(database);
      return alerts.map(({ alert_type, threshold, value, occurred_at }) => ({
        alert_type,
        threshold,
        value,
        occurred_at,
      }));
    };
    const before = await alerts(one);
    expect(before.filter(({ alert_type }) => alert_type === "speeding")).toHaveLength(2);

    const request = { accountId: await accountNumber(one), id: away.id, by: { kind: "command" } as const };
    await removeGeofence(one, { ...request, revision: 1, isPreview: false }, day(1));
    expect(await alerts(one)).toEqual(before);
    const other = (await engine.fresh()).database;
    await load(other, recordsIn(await exportedText(one)), day(3));
    await take(other, drives);
    expect(await alerts(other)).toEqual(before);
    // Something else of the tag changes, from before the removal.
    const idling = ofTag("b", { alert_type: "towing", enabled: false });
    await load(one, [{ ...idling, valid_from: new Date(loadedAt).toISOString() }], day(3), undefined, true);
    expect(await alerts(one)).toEqual(before);
  });
});

const seed = announcedSeed("live containment");

const minuteMs = 60_000;

interface Fence extends Place {
  readonly id: string;
  readonly radiusM: number;
  readonly devices: readonly string[];
}

function record({ id, latitude, longitude, radiusM, devices }: Fence, validFrom: number | null) {
  const geometry = { type: "Point", coordinates: [longitude, latitude] };
  const moment = validFrom === null ? {} : { valid_from: new Date(validFrom).toISOString() };
  return { ...circle(1), id, name: id, geometry, radius_m: radiusM, device_ids: devices, ...moment };
}

/** What each device shows, and where it is. */
async function shown(database: Database) {
  const rows = await database.all<{ id: string; at: number; fields_json: string; ids: string; revision: number }>(sql`
    select d.id, p.recorded_at as at, p.fields_json, p.geofence_ids_json as ids, p.revision
    from latest_positions p join devices d on d.account_id = p.account_id and d.device = p.device
    where p.recorded_at is not null order by d.id`);
  return rows.map(({ id, at, fields_json, ids, revision }) => {
    const { latitude, longitude } = parseReported(fields_json);
    return { id, at, place: { latitude: latitude ?? 0, longitude: longitude ?? 0 }, ids: JSON.parse(ids), revision };
  });
}

onEachEngine("a vehicle whose fences change", (engine) => {
  test("shows where it is by the newest of them, whatever is changed, and followers get nothing of it", async () => {
    const { database } = await engine.fresh();
    const random = randomNumbers(seed);
    await load(database, [...people, ...devices]);
    const writer = newWriter(database);
    const frames = inOrder(randomFleet(seed, 80));
    const ids = [21, 22, 23].map(uuid);
    const loaded = new Set<string>();
    let sent = 0;
    for (let step = 0; step < 14; step++) {
      const upTo = Math.min(frames.length, sent + Math.floor(random() * 30));
      await take(database, [frames.slice(sent, upTo)], writer);
      sent = upTo;
      const head = Math.max(newYear, ...frames.slice(0, sent).map(({ recordedAt }) => recordedAt ?? 0));
      const before = await shown(database);
      const eventsBefore = (await derivedTables(database)).geofence_events;
      // Around one of the vehicles, or around home.
      const centre = before[Math.floor(random() * (before.length + 1))]?.place ?? home;
      const id = uuid(60 + Math.floor(random() * 4));
      const fence: Fence = {
        id,
        latitude: Math.round((centre.latitude + (random() - 0.5) * 0.01) * 1e6) / 1e6,
        longitude: Math.round((centre.longitude + (random() - 0.5) * 0.01) * 1e6) / 1e6,
        radiusM: 50 + Math.floor(random() * 1500),
        devices: ids.filter(() => random() < 0.7),
      };
      const isFirst = !loaded.has(id);
      const isBackdated = !isFirst && random() < 0.3;
      const now = head + minuteMs;
      await load(
        database,
        [record(fence, isBackdated ? newYear + Math.floor(random() * (head - newYear)) : null)],
        now,
      );
      loaded.add(id);
      // Of an edit from now on, all is known at once.
      if (!isFirst && !isBackdated) {
        expect(await dirtyCount(database)).toBe(0);
        for (const vehicle of await shown(database)) {
          const isInside = fence.devices.includes(vehicle.id) && metresBetween(vehicle.place, fence) <= fence.radiusM;
          expect([step, vehicle.id, vehicle.ids.includes(id)]).toEqual([step, vehicle.id, isInside]);
        }
        expect((await derivedTables(database)).geofence_events).toEqual(eventsBefore);
        expect(await rederiveAll(database)).toMatchObject(nothingChanged);
      }
      await writer.schedule.deriveLeft();
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
    // A fence that moves to where a vehicle is.
    for (const { id: device, place, revision } of await shown(database)) {
      const now = newYear + 1_000 * 86_400_000;
      await load(database, [record({ id: uuid(70), ...home, radiusM: 20, devices: [device] }, null)], now);
      await writer.schedule.deriveLeft();
      await load(database, [record({ id: uuid(70), ...place, radiusM: 20, devices: [device] }, null)], now + 1);
      const after = (await shown(database)).find(({ id }) => id === device);
      expect(after?.ids).toContain(uuid(70));
      expect(after?.revision).toBeGreaterThan(revision);
      expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    }
  });
});
