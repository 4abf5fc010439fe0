import { BoundedMap } from "../domain/bounded-map.ts";
import type { DeviceContext } from "../domain/device-context.ts";
import { storedZone, type Zone } from "../domain/time/time-zone.ts";
import { storedTrackerClock, type TrackerClock } from "../domain/time/tracker-clock.ts";
import type { Reader, Transaction } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import type { DayOwner } from "../store/facts/facts.ts";
import { accountZones } from "../store/fleet/accounts.ts";
import { assignmentsOfDevices } from "../store/fleet/assignments.ts";
import { RuleMerger } from "../store/fleet/device-rules.ts";
import {
  accountFenceMembers,
  accountFenceVersions,
  fleetRevision,
  holdFleetRevision,
  type TrackedDevice,
  trackedDevices,
  trackedDevicesByImei,
} from "../store/fleet/fleet-context.ts";
import { fenceShape } from "../store/fleet/geofence-writes.ts";
import { sharedRules } from "../store/fleet/rule-versions.ts";
import { AccountFences } from "./fence-index.ts";

/** A device with everything that the derivation needs to know of it besides its frames. */
export interface TrackedContext extends DayOwner {
  readonly imei: string;
  /** Null: it shows UTC. */
  readonly clock: TrackerClock | null;
  readonly derivation: DeviceContext;
  /** The sub-accounts that see it, by user id. */
  readonly subAccounts: readonly string[];
}

/** An account's fleet as of one revision: devices are read with their first frame, fences at once for their index. */
export class AccountContext {
  readonly accountId: number;
  readonly revision: number;
  readonly #fences: AccountFences;
  readonly #zone: Zone;
  readonly #rules: RuleMerger;
  readonly #byDevice = new Map<number, TrackedContext>();
  readonly #byImei = new Map<string, TrackedContext>();

  private constructor(
    { accountId, revision }: Pick<AccountContext, "accountId" | "revision">,
    { fences, zone, rules }: { fences: AccountFences; zone: Zone; rules: RuleMerger },
  ) {
    this.accountId = accountId;
    this.revision = revision;
    this.#fences = fences;
    this.#zone = zone;
    this.#rules = rules;
  }

  static async read(reader: Reader, accountId: number, revision: number): Promise<AccountContext> {
    const { present } = await accountZones(reader, accountId);
    const fences = await readFences(reader, accountId);
    const rules = new RuleMerger(await sharedRules(reader, accountId));
    return new AccountContext({ accountId, revision }, { fences, zone: storedZone(present), rules });
  }

  get fenceCount(): number {
    return this.#fences.size;
  }

  /** Those of the account's devices that are known by now, with those of these IMEIs. */
  async byImei(
    reader: Reader,
    sent: readonly { readonly imei: string }[],
  ): Promise<ReadonlyMap<string, TrackedContext>> {
    const missing = new Set<string>();
    let last: string | null = null;
    for (const { imei } of sent) {
      if (imei !== last && !this.#byImei.has(imei)) missing.add(imei);
      last = imei;
    }
    if (missing.size > 0) await this.#add(reader, await trackedDevicesByImei(reader, this.accountId, missing));
    return this.#byImei;
  }

  async byDevice(reader: Reader, device: number): Promise<TrackedContext | null> {
    if (!this.#byDevice.has(device)) await this.#add(reader, await trackedDevices(reader, this.accountId, [device]));
    return this.#byDevice.get(device) ?? null;
  }

  async #add(reader: Reader, devices: readonly TrackedDevice[]): Promise<void> {
    const numbers = devices.map(({ device }) => device);
    const rules = await this.#rules.of(reader, this.accountId, devices);
    const assigned = Map.groupBy(await assignmentsOfDevices(reader, this.accountId, numbers), ({ device }) => device);
    for (const { device, id, imei, tracker_clock, fuel_tank_capacity_l } of devices) {
      const subAccounts = (assigned.get(device) ?? []).map(({ user_id }) => user_id);
      const context: TrackedContext = {
        accountId: this.accountId,
        device,
        deviceId: id,
        timeZone: this.#zone.name,
        imei,
        clock: storedTrackerClock(tracker_clock),
        derivation: {
          fuelTankCapacityL: fuel_tank_capacity_l,
          zone: this.#zone,
          alertRules: rules.get(device) ?? [],
          fences: this.#fences.of(device),
        },
        subAccounts,
      };
      this.#byDevice.set(device, context);
      this.#byImei.set(imei, context);
    }
  }
}

async function readFences(reader: Reader, accountId: number): Promise<AccountFences> {
  const members = Map.groupBy(
    await accountFenceMembers(reader, accountId),
    ({ geofence_id, valid_from }) => `${geofence_id} ${valid_from}`,
  );
  const versions = await accountFenceVersions(reader, accountId);
  return new AccountFences(
    versions.map((row) => ({
      fenceId: row.geofence_id,
      name: row.name,
      validFrom: row.valid_from,
      shape: fenceShape(row),
      devices: new Set(members.get(`${row.geofence_id} ${row.valid_from}`)?.map(({ device }) => device)),
    })),
  );
}

export interface DeviceAtRevision {
  /** Of the fleet. */
  readonly revision: number;
  readonly tracked: TrackedContext;
}

/**
 * An account with a few vehicles weighs one, some kilobytes, and so do ten fences. One not among them is read again with its next
 * frame, by six statements.
 */
const maxWeight = 20_000;
const fencesOfWeight = 10;

/** The contexts of the accounts that send frames, each read again when its fleet has changed. */
export class AccountContexts {
  readonly #contexts = new BoundedMap<number, AccountContext>({
    max: maxWeight,
    weigh: (_, { fenceCount }) => 1 + fenceCount / fencesOfWeight,
  });

  /** As of this moment of the reader. Null: there is no such account. */
  async of(reader: Reader, accountId: number): Promise<AccountContext | null> {
    return this.#at(reader, accountId, await fleetRevision(reader, accountId));
  }

  /** A device as of this moment. Null: there is no such device. */
  async ofDevice(reader: Reader, { accountId, device }: DeviceKey): Promise<DeviceAtRevision | null> {
    const context = await this.of(reader, accountId);
    const tracked = await context?.byDevice(reader, device);
    return context && tracked ? { revision: context.revision, tracked } : null;
  }

  /** The same, and nobody changes the fleet before the transaction ends. */
  async hold(tx: Transaction, accountId: number): Promise<AccountContext | null> {
    return this.#at(tx, accountId, await holdFleetRevision(tx, accountId));
  }

  async #at(reader: Reader, accountId: number, revision: number | null): Promise<AccountContext | null> {
    if (revision === null) return null;
    const cached = this.#contexts.get(accountId);
    if (cached?.revision === revision) return cached;
    const context = await AccountContext.read(reader, accountId, revision);
    this.#contexts.set(accountId, context);
    return context;
  }
}
