import type { Device } from "../../domain/fleet.ts";
import { deviceSearchText } from "../../domain/search-text.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Transaction } from "../../store/database.ts";
import {
  directoryById,
  directoryByImei,
  type FleetDeviceRow,
  fleetDevicesById,
  saveDevices,
  saveDirectory,
} from "../../store/fleet/device-writes.ts";
import { removedAmong, unmarkRemoved } from "../../store/fleet/removed.ts";
import { type ChangedRecord, changedFields } from "../consequences/changed-records.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { FleetFile, OnLine } from "../parse/fleet-file.ts";
import { requirePlainName } from "../parse/plain-name.ts";
import { doesNotFit } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import { applyAssignments } from "./apply-assignments.ts";
import { applyTagVersions } from "./apply-tag-versions.ts";
import type { AccountNumbers, KnownDevices, KnownUsers } from "./known.ts";
import { difference, type Tally } from "./tally.ts";

export async function applyDevices(
  tx: Transaction,
  file: FleetFile,
  accounts: AccountNumbers,
  users: KnownUsers,
  now: number,
  consequences: Consequences,
): Promise<{ readonly known: KnownDevices; readonly tally: Tally }> {
  const ids = new Set([
    ...file.devices.map(({ record }) => record.id),
    ...file.geofences.flatMap(({ record }) => record.deviceIds),
    ...file.alertSettings.flatMap(({ record: { scope } }) => (scope.for === "device" ? [scope.deviceId] : [])),
  ]);
  await refuseForeignDevices(tx, file.devices, accounts);
  const removed = await removedAmong(tx, ids);
  refuseErasing(file.devices, removed);
  await refuseTakenImeis(tx, file.devices);
  const stored = new Map((await fleetDevicesById(tx, ids)).map((row) => [row.id, row]));
  for (const { line, record } of file.devices) requirePlainName(line, record.name, stored.get(record.id));
  const newOrMoved = file.devices.filter(({ record }) => stored.get(record.id)?.imei !== record.imei);
  await saveDirectory(
    tx,
    newOrMoved.map(({ record }) => ({
      account_id: accountNumber(accounts, record.accountId),
      imei: record.imei,
      id: record.id,
    })),
  );
  const known = new Map((await directoryById(tx, ids)).map((entry) => [entry.id, entry]));
  const restored = new Set(file.devices.map(({ record }) => record.id).filter((id) => removed.has(id)));
  // Nobody sees a removed device, so no other line may name it.
  for (const id of removed.keys()) if (!restored.has(id)) known.delete(id);
  const wanted = file.devices.map(({ record }) => toRow(record, known));
  const { toSave, tally } = difference(wanted, stored, (device) => device.id);
  await saveDevices(tx, toSave, now);
  await restoreDevices(
    tx,
    wanted.filter(({ id }) => restored.has(id)),
  );
  const saved = new Set(toSave.map((row) => row.id));
  const assigning = { lines: file.devices, known, stored, saved, users, now };
  const reassigned = await applyAssignments(tx, assigning, consequences);
  const tagging = { lines: file.devices, accounts, rows: new Map(wanted.map((row) => [row.id, row])), stored, now };
  const retagged = await applyTagVersions(tx, tagging, consequences);
  const lineOf = new Map(file.devices.map(({ line, record }) => [record.id, line]));
  noteChanges({ saved: toSave, reassigned, retagged, known, stored, lineOf }, consequences);
  // A device also counts as changed if only its viewers or the history of its tags changed.
  const otherwise = new Set([...reassigned, ...retagged].filter((id) => !saved.has(id))).size;
  tally.changed += otherwise;
  tally.unchanged -= otherwise;
  return { known, tally };
}

interface DeviceChanges {
  readonly saved: readonly FleetDeviceRow[];
  readonly reassigned: readonly string[];
  /** Those of which another history of tags is stored; a new device is among the saved ones. */
  readonly retagged: readonly string[];
  readonly known: KnownDevices;
  readonly stored: ReadonlyMap<string, FleetDeviceRow>;
  readonly lineOf: ReadonlyMap<string, number>;
}

function noteChanges(changes: DeviceChanges, consequences: Consequences): void {
  const { saved, reassigned, retagged, known, stored, lineOf } = changes;
  const note = (accountId: number, id: string, changed: Pick<ChangedRecord, "fields" | "rows">) =>
    consequences.changed.note({ type: "device", accountId, id, line: lineOf.get(id) ?? 0, ...changed });
  for (const row of saved) {
    const { account_id, device, id, fuel_tank_capacity_l } = row;
    consequences.fleetChanged(account_id);
    const before = stored.get(id);
    const fields = before === undefined ? null : changedFields(before, row);
    note(account_id, id, { fields, ...(before && { rows: { before, after: row } }) });
    consequences.records(account_id).deviceSaved(row, before);
    if (before === undefined || before.fuel_tank_capacity_l === fuel_tank_capacity_l) continue;
    // A tank has no history: all its readings are judged by the present capacity.
    consequences.deriveAgain({ accountId: account_id, device }, fromTheBeginning);
  }
  for (const id of reassigned) {
    const entry = known.get(id);
    if (!entry) continue;
    consequences.fleetChanged(entry.account_id);
    note(entry.account_id, id, { fields: ["user_ids"] });
  }
  for (const id of retagged) {
    const entry = known.get(id);
    if (entry && stored.has(id)) note(entry.account_id, id, { fields: ["tags"] });
  }
}

/** A line of a removed device puts it back. `load` asks for `--take-over` then. */
async function restoreDevices(tx: Transaction, rows: readonly FleetDeviceRow[]): Promise<void> {
  for (const [accountId, own] of Map.groupBy(rows, ({ account_id }) => account_id)) {
    await unmarkRemoved(
      tx,
      accountId,
      own.map(({ device }) => device),
    );
  }
}

function refuseErasing(lines: readonly OnLine<Device>[], removed: Awaited<ReturnType<typeof removedAmong>>): void {
  for (const { line, record } of lines) {
    const isErasing = (removed.get(record.id)?.erasing_at ?? null) !== null;
    if (isErasing) throw doesNotFit(line, "id", "this device is being erased");
  }
}

async function refuseForeignDevices(
  tx: Transaction,
  lines: readonly OnLine<Device>[],
  accounts: AccountNumbers,
): Promise<void> {
  const entries = new Map(
    (
      await directoryById(
        tx,
        lines.map(({ record }) => record.id),
      )
    ).map((e) => [e.id, e]),
  );
  for (const { line, record } of lines) {
    const entry = entries.get(record.id);
    if (entry && entry.account_id !== accountNumber(accounts, record.accountId)) {
      throw doesNotFit(line, "account_id", "this device belongs to another account, and cannot move");
    }
  }
}

async function refuseTakenImeis(tx: Transaction, lines: readonly OnLine<Device>[]): Promise<void> {
  const inFile = new Set(lines.map(({ record }) => record.id));
  const holders = await directoryByImei(
    tx,
    lines.map(({ record }) => record.imei),
  );
  const taken = new Set(holders.filter((holder) => !inFile.has(holder.id)).map((holder) => holder.imei));
  for (const { line, record } of lines) {
    if (taken.has(record.imei)) throw doesNotFit(line, "imei", `${record.imei} belongs to another device already`);
  }
}

function toRow(device: Device, known: KnownDevices): FleetDeviceRow {
  const entry = known.get(device.id);
  if (!entry) throw new Error(`device ${device.id} has no number`);
  return {
    account_id: entry.account_id,
    device: entry.device,
    id: device.id,
    imei: device.imei,
    name: device.name,
    plate: device.plate,
    status: device.status,
    vin: device.vin,
    vehicle_make: device.vehicleMake,
    vehicle_model: device.vehicleModel,
    vehicle_year: device.vehicleYear,
    vehicle_type: device.vehicleType,
    tracker_model: device.trackerModel,
    fuel_tank_capacity_l: device.fuelTankCapacityL,
    tags_json: JSON.stringify(device.tags),
    external_ids_json: JSON.stringify(device.externalIds),
    search_text: deviceSearchText(device),
  };
}
