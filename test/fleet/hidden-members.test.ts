import { expect, test } from "bun:test";
import { editFleet } from "../../src/fleet/edit/edit.ts";
import { removeDevice, restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import { removeGeofence, restoreGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import type { Database } from "../../src/store/database.ts";
import { managedGeofences } from "../../src/store/fleet/geofence-list.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { framesOf } from "../follow/frames.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, hourMs, load, smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { wholeAnswers } from "./whole-answers.ts";

const { olga, ann, bob, van, truck } = smallFleet;
const acme = { ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000 } };
const firstDay = Date.UTC(2026, 2, 2, 6);
/** All frames are older. */
const now = firstDay + 96 * hourMs;
const by = { kind: "user", id: olga.id } as const;
const isPreview = false;

/** Around the place where the drives begin. */
const place = { geometry: { type: "Point", coordinates: [home.longitude, home.latitude] }, radius_m: 800 };
const elsewhere = { type: "Point", coordinates: [0, 0] };
const both = circle(31, { name: "Depot", ...place, device_ids: [van.id, truck.id] });
const trucksOnly = circle(32, { name: "Yard", ...place, device_ids: [truck.id] });
const crossings = { alert_type: "geofence_exit", geofence_ids: [both.id, trucksOnly.id] };
const rules = { type: "alert_settings", device_id: truck.id, rules: [crossings] };

/** What happens while the truck is hidden, an hour later each. */
type Meanwhile = (fleet: Fleet) => Promise<unknown>;

class Fleet {
  readonly database: Database;
  readonly accountId: number;
  #now = now;

  constructor(database: Database, accountId: number) {
    this.database = database;
    this.accountId = accountId;
  }

  later(): number {
    this.#now += hourMs;
    return this.#now;
  }

  async #fence(id: string) {
    const revisions = await revisionsOf(this.database, this.accountId, "geofence", [id]);
    return { id, revision: revisions.get(id)?.revision ?? 1 };
  }

  async edit(id: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const change = { type: "geofence", ...(await this.#fence(id)), fields } as const;
    const account = { number: this.accountId, id: acme.id };
    await editFleet(this.database, { account, by, changes: [change], isPreview }, this.later());
  }

  async remove(id: string): Promise<void> {
    const { accountId } = this;
    await removeGeofence(this.database, { accountId, ...(await this.#fence(id)), by, isPreview }, this.later());
  }

  async restore(id: string): Promise<void> {
    const { accountId } = this;
    await restoreGeofence(this.database, { accountId, ...(await this.#fence(id)), by, isPreview }, this.later());
  }

  derive(): Promise<void> {
    return newWriter(this.database).schedule.deriveLeft();
  }

  /** The fences of the truck as Olga sees them, and which of them it is in. */
  async ofTruck() {
    const api = await startApi(this.database);
    try {
      const key = await keyOf(this.database, olga.email);
      const { body: fences } = await api.get(`/devices/${truck.id}/geofences`, key);
      const { body: live } = await api.get(`/positions/latest?device_id=${truck.id}`, key);
      const ids = fences.data.map(({ geofence_id }: { geofence_id: string }) => geofence_id);
      return { fences: ids as string[], in: live.data[0]?.geofence_ids as string[] };
    } finally {
      await api.close();
    }
  }
}

onEachEngine("a fence with a vehicle that was removed and is put back", (engine) => {
  const copied = engine.copies(async ({ database }) => {
    await load(database, [acme, olga, ann, bob, van, truck, both, trucksOnly, rules], firstDay);
    const frames = [van, truck].flatMap(({ id, imei }, index) =>
      framesOf(id, 21 + index, { seed: 1, framesPerDay: 60, days: 3 }).map(({ frame }) => ({ ...frame, imei })),
    );
    await take(database, [frames]);
    return accountNumber(database);
  });
  const begin = async () => {
    const { database, prepared } = await copied();
    return new Fleet(database, prepared);
  };
  const hide = ({ database, accountId }: Fleet) =>
    removeDevice(database, { accountId, id: truck.id, by, revision: null, history: "keep", isPreview }, now);

  /** As if the truck had been there all the time. */
  const isAsIfSeen = async (meanwhile: Meanwhile) => {
    const hidden = await begin();
    await hide(hidden);
    await meanwhile(hidden);
    const { database, accountId } = hidden;
    await restoreDevice(database, { accountId, id: truck.id, by }, hidden.later());
    const atOnce = await hidden.ofTruck();
    await hidden.derive();
    const before = await wholeAnswers(database);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(await wholeAnswers(database)).toEqual(before);
    expect(await hidden.ofTruck()).toEqual(atOnce);

    const seen = await begin();
    await meanwhile(seen);
    await seen.derive();
    expect(await seen.ofTruck()).toEqual(atOnce);
    return atOnce;
  };

  const cases: Readonly<Record<string, { readonly meanwhile: Meanwhile; readonly fences: readonly string[] }>> = {
    "is renamed": { meanwhile: (fleet) => fleet.edit(both.id, { name: "Base" }), fences: [both.id, trucksOnly.id] },
    "is moved in the past": {
      meanwhile: (fleet) =>
        fleet.edit(both.id, { radius_m: 2_500, valid_from: new Date(firstDay + 24 * hourMs).toISOString() }),
      fences: [both.id, trucksOnly.id],
    },
    "is moved from now on": {
      meanwhile: (fleet) => fleet.edit(trucksOnly.id, { geometry: elsewhere }),
      fences: [both.id, trucksOnly.id],
    },
    "is removed": { meanwhile: (fleet) => fleet.remove(both.id), fences: [trucksOnly.id] },
    "has no other vehicle and is removed": { meanwhile: (fleet) => fleet.remove(trucksOnly.id), fences: [both.id] },
    "is removed and put back": {
      meanwhile: async (fleet) => {
        for (const { id } of [both, trucksOnly]) await fleet.remove(id);
        for (const { id } of [both, trucksOnly]) await fleet.restore(id);
      },
      fences: [both.id, trucksOnly.id],
    },
  };
  // The statements are the same in all of them: on PostgreSQL the two that touch most.
  const ofBoth = ["is moved in the past", "is removed and put back"];
  for (const [name, { meanwhile, fences }] of Object.entries(cases)) {
    if (engine.name === "postgres" && !ofBoth.includes(name)) continue;
    test(`${name} meanwhile: the vehicle is as if it had been there`, async () => {
      expect((await isAsIfSeen(meanwhile)).fences).toEqual(fences as string[]);
    });
  }

  test("gets other vehicles meanwhile: nobody took this one away", async () => {
    const fleet = await begin();
    await hide(fleet);
    await fleet.edit(both.id, { device_ids: [] });
    const counts = await managedGeofences(fleet.database, fleet.accountId, { removed: false });
    expect(counts.map(({ device_count }) => Number(device_count))).toEqual([0, 0]);
    await restoreDevice(fleet.database, { accountId: fleet.accountId, id: truck.id, by }, fleet.later());
    expect((await fleet.ofTruck()).fences).toEqual([both.id, trucksOnly.id]);
    // Once it is seen, an edit says who is in the fence.
    await fleet.edit(both.id, { device_ids: [van.id] });
    expect((await fleet.ofTruck()).fences).toEqual([trucksOnly.id]);
  });

  test("whose only vehicle was removed sees no crossing once it is removed itself", async () => {
    const fleet = await begin();
    await hide(fleet);
    await fleet.remove(trucksOnly.id);
    const { database, accountId } = fleet;
    await restoreDevice(database, { accountId, id: truck.id, by }, fleet.later());
    const events = async () => {
      const { lists } = (await wholeAnswers(database)).get(olga.email) as { lists: { geofence_event: unknown[] } };
      return lists.geofence_event.filter((event) => JSON.stringify(event).includes(trucksOnly.id)).length;
    };
    const before = await events();
    const again = straightDrive({ imei: truck.imei, from: home, beginAt: now + 24 * hourMs, minutes: 10, kmh: 72 });
    await take(database, [again]);
    expect(await events()).toBe(before);
  });
});
