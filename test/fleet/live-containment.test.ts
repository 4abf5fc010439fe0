import { expect, test } from "bun:test";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import { parseReported } from "../../src/domain/reported.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, load, uuid } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { devices, home, newYear, people, randomFleet } from "../support/ingest-fleet.ts";
import { dirtyCount, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

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
  test("shows where it is by the newest of them, whatever is changed, and nothing is told of it", async () => {
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
