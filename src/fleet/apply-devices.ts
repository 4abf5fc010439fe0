import type { Device } from "../domain/fleet.ts";
import { deviceSearchText } from "../domain/search-text.ts";
import { fromTheBeginning } from "../domain/versions.ts";
import type { Transaction } from "../store/database.ts";
import {
  directoryById,
  directoryByImei,
  type FleetDeviceRow,
  fleetDevicesById,
  saveDevices,
  saveDirectory,
} from "../store/device-writes.ts";
import { accountNumber } from "./apply-accounts.ts";
import { applyAssignments } from "./apply-assignments.ts";
import { changedFields } from "./changed-records.ts";
import type { Consequences } from "./consequences.ts";
import type { FleetFile, OnLine } from "./fleet-file.ts";
import type { AccountNumbers, KnownDevices, KnownUsers } from "./known.ts";
import { doesNotFit } from "./reference.ts";
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
    ...file.alertSettings.map(({ record }) => record.deviceId),
  ]);
  await refuseForeignDevices(tx, file.devices, accounts);
  await refuseTakenImeis(tx, file.devices);
  const stored = new Map((await fleetDevicesById(tx, ids)).map((row) => [row.id, row]));
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

  const wanted = file.devices.map(({ record }) => toRow(record, known));
  const { toSave, tally } = difference(wanted, stored, (device) => device.id);
  await saveDevices(tx, toSave, now);
  const saved = new Set(toSave.map((row) => row.id));
  const assigning = { lines: file.devices, known, stored, saved, users, now };
  const reassigned = await applyAssignments(tx, assigning, consequences);
  const lineOf = new Map(file.devices.map(({ line, record }) => [record.id, line]));
  noteChanges({ saved: toSave, reassigned, known, stored, lineOf }, consequences);
  // A device also counts as changed if only its viewers changed.
  const onlyReassigned = reassigned.filter((id) => !saved.has(id)).length;
  tally.changed += onlyReassigned;
  tally.unchanged -= onlyReassigned;
  return { known, tally };
}

interface DeviceChanges {
  readonly saved: readonly FleetDeviceRow[];
  readonly reassigned: readonly string[];
  readonly known: KnownDevices;
  readonly stored: ReadonlyMap<string, FleetDeviceRow>;
  readonly lineOf: ReadonlyMap<string, number>;
}

function noteChanges({ saved, reassigned, known, stored, lineOf }: DeviceChanges, consequences: Consequences): void {
  const note = (accountId: number, id: string, fields: readonly string[] | null) =>
    consequences.changed.note({ type: "device", accountId, id, line: lineOf.get(id) ?? 0, fields });
  for (const row of saved) {
    const { account_id, device, id, fuel_tank_capacity_l } = row;
    consequences.fleetChanged(account_id);
    const before = stored.get(id);
    note(account_id, id, before === undefined ? null : changedFields(before, row));
    consequences.records(account_id).deviceSaved(row, before);
    if (before === undefined || before.fuel_tank_capacity_l === fuel_tank_capacity_l) continue;
    // A tank has no history: all its readings are judged by the present capacity.
    consequences.deriveAgain({ accountId: account_id, device }, fromTheBeginning);
  }
  for (const id of reassigned) {
    const entry = known.get(id);
    if (!entry) continue;
    consequences.fleetChanged(entry.account_id);
    note(entry.account_id, id, ["user_ids"]);
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
