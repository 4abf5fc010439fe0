import { allTime, DeviceChangeBuilder } from "../../domain/changes/device-change.ts";
import { type ChangeType, trackedTypes } from "../../domain/changes/types.ts";
import { logChanges } from "../../store/changes/changes.ts";
import { saveViewerRecords, type ViewerRecord } from "../../store/changes/viewer-records.ts";
import { accountViewer } from "../../store/changes/viewers.ts";
import type { Transaction } from "../../store/database.ts";
import { assignmentsOfDevices } from "../../store/fleet/assignments.ts";
import type { FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import type { DrivenTrip } from "../../store/fleet/drivers.ts";
import { type NoteRecord, sightChanges } from "./sight-changes.ts";

export interface NumberedChange {
  readonly accountId: number;
  readonly number: number;
  readonly now: number;
}

/**
 * What a load has changed of an account's records, collected for followers. Everybody who sees a record gets the change; who sees
 * what is computed once all is stored.
 */
export class RecordChanges {
  /** Public ids, with the numbers. */
  readonly #devices = new Map<string, number>();
  /** Those that were not stored before, not even as removed ones. */
  readonly #newDevices = new Set<string>();
  /** Devices whose alert settings read differently: public ids, with the numbers. */
  readonly settings = new Map<string, number>();
  /** Fences, with all devices for whose viewers they are another now. */
  readonly #fences = new Map<string, readonly number[]>();
  readonly #removedFences = new Set<string>();
  readonly users = new Set<string>();
  /** Sub-accounts that see other devices than before. */
  readonly reassigned = new Set<string>();
  /** Public ids of what nobody sees any more. The sub-accounts of such a device are `reassigned`. */
  readonly removedDevices = new Set<string>();
  readonly removedUsers = new Set<string>();
  readonly #drivers: DriverChange[] = [];
  /** Facts that show something of a changed record. */
  readonly #facts = new Map<number, DeviceChangeBuilder>();

  get isEmpty(): boolean {
    const changed = [this.#facts, this.#devices, this.settings, this.#fences, this.users, this.reassigned];
    return (
      this.#drivers.length === 0 && [...changed, this.removedDevices, this.removedUsers].every(({ size }) => size === 0)
    );
  }

  /** What the owner sees of it. */
  types(): ReadonlySet<ChangeType> {
    const types = new Set<ChangeType>([...this.#facts.values()].flatMap((builder) => builder.types()));
    if (this.#devices.size + this.removedDevices.size > 0) types.add("device");
    if (this.settings.size + this.removedDevices.size > 0) types.add("alert_settings");
    if (this.#fences.size > 0) types.add("geofence");
    if (this.#drivers.length > 0) types.add("driver");
    if (this.users.size + this.reassigned.size + this.removedUsers.size > 0) types.add("user");
    return types;
  }

  deviceSaved(device: FleetDeviceRow, before: FleetDeviceRow | undefined): void {
    this.#devices.set(device.id, device.device);
    if (before?.imei !== device.imei) this.settings.set(device.id, device.device);
    if (before === undefined) {
      this.#newDevices.add(device.id);
      return;
    }
    const facts = () => this.#factsOf(device.device);
    // Every record of a device has its IMEI; mileage its name and plate; a reading of fuel its tank.
    if (before.imei !== device.imei) for (const type of trackedTypes) facts().add(type, ...allTime);
    if (before.name !== device.name || before.plate !== device.plate) facts().add("mileage", ...allTime);
    if (before.fuel_tank_capacity_l !== device.fuel_tank_capacity_l) facts().add("reading", ...allTime);
  }

  /** It is there again, with all that was stored of it. */
  deviceRestored({ id, device }: { readonly id: string; readonly device: number }): void {
    this.#devices.set(id, device);
    this.settings.set(id, device);
    for (const type of trackedTypes) this.#factsOf(device).add(type, ...allTime);
  }

  /** `devices`: those that the fence has or had; if only they changed, those that it has from now on or has no more. */
  fenceSaved(id: string, devices: readonly number[], isRenamed: boolean): void {
    this.#fences.set(id, devices);
    // Crossings show the fence's name.
    if (isRenamed) for (const device of devices) this.#factsOf(device).add("geofence_event", ...allTime);
  }

  /** Nobody sees it from now on, or it is seen again. */
  fenceHidden(id: string, isHidden: boolean): void {
    if (!this.#fences.has(id)) this.#fences.set(id, []);
    if (isHidden) this.#removedFences.add(id);
  }

  /** These trips show another driver's name. */
  driverRenamed(trips: readonly DrivenTrip[]): void {
    for (const { device, started_at } of trips) this.#factsOf(device).addNamed("trip", started_at);
  }

  driversChanged(drivers: readonly DriverChange[]): void {
    this.#drivers.push(...drivers);
  }

  #factsOf(device: number): DeviceChangeBuilder {
    return this.#facts.getOrInsertComputed(device, () => new DeviceChangeBuilder());
  }

  /** Returns what each sub-account gets. */
  async write(tx: Transaction, change: NumberedChange): Promise<ReadonlyMap<string, ReadonlySet<ChangeType>>> {
    const { accountId, number, now } = change;
    const records = new Map<string, ViewerRecord>();
    const seen = new SeenTypes();
    const note: NoteRecord = (user_id, type, id, removed = false, driver_id = null) => {
      seen.add(user_id, [type]);
      records.set(`${user_id} ${type} ${id}`, {
        account_id: accountId,
        user_id,
        type,
        id,
        number,
        changed_at: now,
        removed,
        driver_id,
        isAsBefore: user_id === accountViewer && !this.#newDevices.has(id),
      });
    };
    for (const id of this.#devices.keys()) note(accountViewer, "device", id);
    for (const id of this.settings.keys()) note(accountViewer, "alert_settings", id);
    for (const id of this.#fences.keys()) note(accountViewer, "geofence", id, this.#removedFences.has(id));
    // A user's record has the number of its devices.
    for (const id of [...this.users, ...this.reassigned]) {
      note(accountViewer, "user", id);
      note(id, "user", id);
    }
    await this.#noteDrivers(tx, accountId, note);
    await this.#noteForSubAccounts(tx, accountId, note, seen);
    for (const id of this.removedDevices) {
      note(accountViewer, "device", id, true);
      note(accountViewer, "alert_settings", id, true);
    }
    for (const id of this.removedUsers) note(accountViewer, "user", id, true);
    await saveViewerRecords(tx, [...records.values()]);
    const facts = Array.from(this.#facts, ([device, builder]) => ({ device, change: builder.build(), isShared: true }));
    await logChanges(tx, accountId, number, now, facts);
    return seen.ofSubAccounts();
  }

  /** A sub-account gets those who are, or were, in vehicles that it sees. */
  async #noteDrivers(tx: Transaction, accountId: number, note: NoteRecord): Promise<void> {
    if (this.#drivers.length === 0) return;
    const vehicles = new Set(this.#drivers.flatMap(({ shownBy, noLongerBy }) => [...shownBy, ...noLongerBy]));
    const viewers = Map.groupBy(await assignmentsOfDevices(tx, accountId, vehicles), ({ device }) => device);
    const viewersOf = (devices: readonly number[]) =>
      new Set(devices.flatMap((device) => viewers.get(device) ?? []).map(({ user_id }) => user_id));
    for (const { id, driverId, isGone, shownBy, noLongerBy } of this.#drivers) {
      note(accountViewer, "driver", id, isGone, driverId);
      const now = viewersOf(shownBy);
      for (const userId of now) note(userId, "driver", id, isGone, driverId);
      for (const userId of viewersOf(noLongerBy)) if (!now.has(userId)) note(userId, "driver", id, true, driverId);
    }
  }

  async #noteForSubAccounts(tx: Transaction, accountId: number, note: NoteRecord, seen: SeenTypes): Promise<void> {
    const devices = new Set([...this.#devices.values(), ...this.settings.values(), ...this.#facts.keys()]);
    const fenced = new Set([...this.#fences.values()].flat());
    const assigned = await assignmentsOfDevices(tx, accountId, new Set([...devices, ...fenced]));
    for (const { user_id, id, device } of assigned) {
      if (this.#devices.has(id)) note(user_id, "device", id);
      if (this.settings.has(id)) note(user_id, "alert_settings", id);
      seen.add(user_id, this.#facts.get(device)?.types() ?? []);
    }
    await sightChanges(tx, accountId, {
      reassigned: this.reassigned,
      fences: this.#fences,
      assigned: assigned.filter(({ device }) => fenced.has(device)),
      note,
    });
  }
}

/** A person, or a tag that nobody has named. */
export interface DriverChange {
  readonly id: string;
  /** Of a tag: it. */
  readonly driverId: string | null;
  readonly isGone: boolean;
  /** The vehicles that show it, and those that did. */
  readonly shownBy: readonly number[];
  readonly noLongerBy: readonly number[];
}

/** The types of what each viewer sees of a change. */
class SeenTypes {
  readonly #byViewer = new Map<string, Set<ChangeType>>();

  add(viewer: string, types: readonly ChangeType[]): void {
    if (types.length === 0) return;
    const seen = this.#byViewer.getOrInsertComputed(viewer, () => new Set());
    for (const type of types) seen.add(type);
  }

  ofSubAccounts(): ReadonlyMap<string, ReadonlySet<ChangeType>> {
    return new Map([...this.#byViewer].filter(([viewer]) => viewer !== accountViewer));
  }
}
