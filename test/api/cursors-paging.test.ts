import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/store/database.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";
import type { Seed, SeededAccount, SeededDevice, SeededUser } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

/** An account of the run's own, with two devices that its sub-account sees and one that it does not. */
interface Run {
  readonly seed: Seed;
  readonly account: SeededAccount;
  readonly user: SeededUser;
  readonly devices: readonly SeededDevice[];
}

/** A list, and how a row of it is added: at a moment, for one of the devices. */
interface PagedList {
  readonly path: (run: Run) => string;
  readonly add: (run: Run, at: number, device: SeededDevice) => void;
  /** What distinguishes a record of the answer from every other. */
  readonly nameOf: (record: Record<string, unknown>) => unknown;
}

const day = `from=${new Date(noon - 3_600_000).toISOString()}&to=${new Date(noon + 3_600_000).toISOString()}`;
/** Makes records that have no id differ. */
let count = 0;
const next = () => ++count;
const whole = (record: Record<string, unknown>) => JSON.stringify(record);

const lists: Readonly<Record<string, PagedList>> = {
  trips: {
    path: () => `/trips?${day}`,
    // Some began before the window and reach into it. Those of one device never overlap, so each has its own.
    add: ({ seed, account, user }, at) => {
      const device = seed.device(account, { seenBy: [user] });
      seed.trip(device, { started_at: at - 3_600_014, ended_at: at % 2 === 0 ? null : at });
    },
    nameOf: ({ trip_id }) => trip_id,
  },
  stops: {
    path: () => `/stops?min_duration_s=60&${day}`,
    add: ({ seed, account, user }, at) => {
      const device = seed.device(account, { seenBy: [user] });
      seed.stop(device, { started_at: at - 3_600_014, ended_at: at % 2 === 0 ? null : at });
      seed.stop(seed.device(account, { seenBy: [user] }), { started_at: at, ended_at: at + 1 });
    },
    nameOf: ({ stop_id }) => stop_id,
  },
  alerts: {
    path: () => `/alerts?severity=warning&${day}`,
    add: ({ seed }, at, device) => {
      seed.alert(device, { occurred_at: at });
      seed.alert(device, { occurred_at: at, severity: "info" });
    },
    nameOf: ({ alert_id }) => alert_id,
  },
  crossings: {
    path: () => `/geofence-events?${day}`,
    add: ({ seed, account }, at, device) => {
      seed.crossing(device, seed.geofence(account), { occurred_at: at });
    },
    nameOf: ({ event_id }) => event_id,
  },
  readings: {
    path: () => `/sensors/temperature?${day}`,
    add: ({ seed }, at, device) => {
      const { digest } = seed.reading(device, { recorded_at: at, temperature_mc: next() });
      seed.reading(device, { recorded_at: at, temperature_mc: next(), digest, sensor: "Ärger" });
    },
    nameOf: whole,
  },
  history: {
    path: ({ devices }) => `/positions/history?device_id=${devices[0]?.id}&${day}`,
    add: ({ seed, devices: [device] }, at) => {
      if (!device) return;
      seed.frame(device, { recorded_at: at, odometer_km: next() });
      seed.frame(device, { recorded_at: at, odometer_km: next(), valid: false, reject_reason: "no_fix" });
    },
    nameOf: whole,
  },
  devices: {
    path: () => "/devices?status=active",
    add: ({ seed, account, user }, at) => {
      seed.device(account, { seenBy: [user], plate: String(at) });
    },
    nameOf: ({ device_id }) => device_id,
  },
  latest: {
    path: () => "/positions/latest",
    add: ({ seed, account, user }, at) => {
      seed.position(seed.device(account, { seenBy: [user] }), { recorded_at: at });
    },
    nameOf: ({ device_id }) => device_id,
  },
  geofences: {
    path: () => "/geofences",
    add: ({ seed, account }, at, device) => {
      seed.geofence(account, { devices: [device], description: String(at) });
    },
    nameOf: ({ geofence_id }) => geofence_id,
  },
  users: {
    path: () => "/users",
    add: ({ seed, account }) => {
      seed.user(account);
    },
    nameOf: ({ user_id }) => user_id,
  },
};

/** Few different moments, so that many rows share one. */
const moment = fc.integer({ min: 0, max: 4 }).map((step) => noon + step * 7);
const added = fc.array(fc.tuple(moment, fc.nat(2)), { maxLength: 3 });
const plan = fc.record({
  first: fc.array(fc.tuple(moment, fc.nat(2)), { maxLength: 9 }),
  pages: fc.array(fc.record({ limit: fc.integer({ min: 1, max: 4 }), repeats: fc.boolean(), added }), {
    minLength: 1,
    maxLength: 6,
  }),
});

type Added = readonly (readonly [at: number, device: number])[];

onEachEngine("paging", (engine) => {
  const given = sharedFleetApi(engine);

  async function begin(database: Database): Promise<Run & { readonly owner: SeededUser }> {
    const { seed } = given().fleet;
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const user = seed.user(account);
    const devices = [0, 1, 2].map((index) => seed.device(account, { seenBy: index < 2 ? [user] : [] }));
    await seed.save(database);
    return { seed, account, user, devices, owner };
  }

  async function add(database: Database, list: PagedList, run: Run, rows: Added): Promise<void> {
    for (const [at, which] of rows) {
      const device = run.devices[which];
      if (device) list.add(run, at, device);
    }
    await run.seed.save(database);
  }

  /** Reads to the end: each page of another size, with rows written between the pages. */
  async function readAll(
    api: ApiUnderTest,
    path: string,
    key: string,
    pages: readonly { readonly limit: number; readonly repeats: boolean; readonly added: Added }[],
    write: (rows: Added) => Promise<void>,
  ): Promise<Record<string, unknown>[]> {
    const read: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    for (let index = 0; index < 200; index++) {
      const page = pages[index % pages.length] ?? { limit: 3, repeats: true, added: [] };
      const start: string = cursor === null || page.repeats ? path : (path.split("?")[0] ?? path);
      const next: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { status, body } = await api.get(
        `${start}${start.includes("?") ? "&" : "?"}limit=${page.limit}${next}`,
        key,
      );
      expect([path, status]).toEqual([path, 200]);
      expect(body.data.length).toBeLessThanOrEqual(page.limit);
      read.push(...body.data);
      cursor = body.next_cursor;
      if (cursor === null) return read;
      // Not for ever: what is added after the cursor has to be read as well.
      if (index < pages.length) await write(page.added);
    }
    throw new Error(`${path} has no end`);
  }

  for (const [name, list] of Object.entries(lists)) {
    test(`property: ${name} that existed when paging began come once each, in order, whatever is written meanwhile`, async () => {
      const { api, database, key } = given();
      await fc.assert(
        fc.asyncProperty(plan, fc.boolean(), async ({ first, pages }, asOwner) => {
          const run = await begin(database);
          const viewer = await key({ email: (asOwner ? run.owner : run.user).email });
          const path = list.path(run);
          await add(database, list, run, first);
          const all = async () =>
            (await api.get(`${path}${path.includes("?") ? "&" : "?"}limit=500`, viewer)).body.data;
          const before: Record<string, unknown>[] = await all();
          const read = await readAll(api, path, viewer, pages, (rows) => add(database, list, run, rows));
          const after: Record<string, unknown>[] = await all();

          const names = read.map(list.nameOf);
          expect(new Set(names).size).toBe(names.length);
          const known = new Set(before.map(list.nameOf));
          expect(names.filter((one) => known.has(one))).toEqual(before.map(list.nameOf));
          // In the order of the list as it is at the end, rows that came meanwhile included.
          const place = new Map(after.map((record, index) => [list.nameOf(record), index]));
          const places = names.map((one) => place.get(one) ?? Number.NaN);
          expect(places).toEqual(places.toSorted((one, other) => one - other));
        }),
        { numRuns: engine.name === "sqlite" ? 12 : 5 },
      );
    });
  }
});
