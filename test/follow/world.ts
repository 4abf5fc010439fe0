import { keyOf } from "../support/api.ts";
import type { FreshDatabase } from "../support/engines.ts";
import { circle, device, type FleetRecord, load, smallFleet, user, uuid } from "../support/fleet.ts";
import { home } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { scaledMs } from "../support/patience.ts";
import { Sight } from "./sight.ts";

export const password = "correct horse";

/** A record of the fleet file, as it was loaded last. */
export type Loaded = Record<string, unknown> & { readonly id: string };

export interface LoadedDevice extends Loaded {
  imei: string;
  user_ids: string[];
}

export interface LoadedFence extends Loaded {
  device_ids: string[];
}

/** Of those users whose keys followers have. */
export const [olgaId, annId, bobId, carlId] = [uuid(11), uuid(12), uuid(13), uuid(14)] as const;

/** How long a node may go on believing that a user is not disabled, or still is. */
const seenWithinMs = 1_000;

/**
 * The fleet as its owner means it to be now: six vehicles of which Ann sees three and Bob two, one of them both. The
 * rest of the account is Carl, whom nothing follows, some fences around home, and rules with low limits.
 */
export class World {
  readonly sight = new Sight();
  readonly store: FreshDatabase;
  readonly account: Loaded = {
    ...smallFleet.acme,
    limits: { per_second: 100_000, per_day: 1_000_000_000 },
    time_zone: "UTC",
  };
  readonly users: Loaded[] = [
    user(11, { name: "Olga", email: "olga@acme.test", role: "owner" }),
    user(12, { name: "Ann", email: "ann@acme.test" }),
    user(13, { name: "Bob", email: "bob@acme.test" }),
    user(14, { name: "Carl", email: "carl@acme.test" }),
    user(15, { name: "Dora", email: "dora@acme.test" }),
  ];
  readonly devices: LoadedDevice[] = [
    vehicle(21, [annId]),
    vehicle(22, [annId]),
    vehicle(23, [annId, bobId]),
    vehicle(24, [bobId]),
    vehicle(25, []),
    vehicle(26, []),
  ];
  readonly fences: LoadedFence[] = [
    fence(41, 2_000, [uuid(21), uuid(22), uuid(23)]),
    fence(42, 600, [uuid(23), uuid(24)]),
    fence(43, 5_000, [uuid(25), uuid(26)]),
  ];
  token = "";
  /** The ids of vehicles that were erased, and loaded again. */
  readonly erased = new Set<string>();
  /** Whether removals were forgotten. */
  hasForgotten = false;
  readonly #refusedUntil = new Map<string, number>();

  constructor(store: FreshDatabase) {
    this.store = store;
  }

  async load(): Promise<void> {
    for (const { id, user_ids } of this.devices) for (const userId of user_ids) this.sight.begin(userId, id);
    const withPasswords = this.users.map((record) => ({ ...record, password }));
    const rules = this.devices.slice(0, 5).map(({ id }) => settings(id, 40, [uuid(41), uuid(42)]));
    await this.write([this.account, ...withPasswords, ...this.devices, ...this.fences, ...rules]);
    this.token = await tokenOf(this.store.database);
  }

  key(email: string, scopes?: Parameters<typeof keyOf>[2]): Promise<string> {
    return keyOf(this.store.database, email, scopes);
  }

  /** What `odograph load` does with such a file. */
  async write(records: readonly FleetRecord[]): Promise<void> {
    // Some of them were changed in the portal before.
    await load(this.store.database, records, Date.now(), undefined, true);
  }

  /** Who sees a device, from now on. `change` makes it so, and does not return before. */
  async assign(target: LoadedDevice, userIds: readonly string[], change: () => Promise<void>): Promise<void> {
    for (const userId of userIds) this.sight.begin(userId, target.id);
    const lost = target.user_ids.filter((userId) => !userIds.includes(userId));
    target.user_ids = [...userIds];
    await change();
    for (const userId of lost) this.sight.end(userId, target.id);
  }

  disabled(userId: string): void {
    this.#refusedUntil.set(userId, Number.POSITIVE_INFINITY);
  }

  enabled(userId: string): void {
    this.#refusedUntil.set(userId, performance.now() + scaledMs(seenWithinMs));
  }

  mayBeRefused(userId: string): boolean {
    return performance.now() < (this.#refusedUntil.get(userId) ?? 0);
  }
}

export function vehicle(number: number, userIds: string[]): LoadedDevice {
  const fields = { name: `Vehicle ${number}`, plate: `FO LL ${number}`, fuel_tank_capacity_l: 80 };
  return { ...device(number, fields), user_ids: userIds };
}

export function fence(number: number, radius_m: number, deviceIds: string[], east = 0): LoadedFence {
  const geometry = { type: "Point", coordinates: [home.longitude + east, home.latitude] };
  return { ...circle(number, { radius_m, geometry }), device_ids: deviceIds };
}

/** Limits so low that alerts arise on every drive. */
export function settings(deviceId: string, limitKmh: number, fenceIds: readonly string[]): FleetRecord {
  return {
    type: "alert_settings",
    device_id: deviceId,
    rules: [
      { alert_type: "speeding", parameters: { limit_kmh: limitKmh } },
      { alert_type: "geofence_enter", geofence_ids: fenceIds },
      { alert_type: "geofence_exit", geofence_ids: fenceIds },
      { alert_type: "temperature_high", parameters: { above_c: 8 } },
      { alert_type: "low_battery", parameters: { below_percent: 60 } },
      { alert_type: "idling", parameters: { after_s: 60 } },
      { alert_type: "device_offline", parameters: { after_s: 7200 } },
    ],
  };
}
