import type { Device } from "../../domain/fleet.ts";
import { deviceSearchText } from "../../domain/text/search-text.ts";
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
import { forgetTrackerFaults } from "../../store/fleet/tracker-faults.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import { DoesNotFit, requirePlainName } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import { applyAssignments } from "./apply-assignments.ts";
import { applyTagVersions } from "./apply-tag-versions.ts";
import {
  type AccountNumbers,
  type ApplyContext,
  byId,
  type DevicesById,
  difference,
  idsOf,
  numbersOf,
  type Tally,
  type UsersById,
} from "./context.ts";

export async function applyDevices(
  context: ApplyContext,
  accounts: AccountNumbers,
  users: UsersById,
): Promise<{ readonly devices: DevicesById; readonly tally: Tally }> {
  const { tx, file, now, consequences } = context;
  const inFile = idsOf(file.devices.map(({ record }) => record));
  const ids = new Set([
    ...inFile,
    ...file.geofences.flatMap(({ record }) => record.deviceIds),
    ...file.alertSettings.flatMap(({ record: { scope } }) => (scope.for === "device" ? [scope.deviceId] : [])),
  ]);
  await refuseForeignDevices(tx, file.devices, accounts);
  const removed = await removedAmong(tx, ids);
  refuseErasing(file.devices, removed);
  await refuseTakenImeis(tx, file.devices);
  const stored = byId(await fleetDevicesById(tx, ids));
  for (const { line, record } of file.devices) requirePlainName(line, record.name, stored.get(record.id));
  const newOrMoved = file.devices.filter(({ record }) => stored.get(record.id)?.imei !== record.imei);
  const entries = newOrMoved.map(({ record: { accountId, imei, id } }) => {
    return { account_id: accountNumber(accounts, accountId), imei, id };
  });
  await saveDirectory(tx, entries);
  const devices = byId(await directoryById(tx, ids));
  // Nobody sees a removed device, so no other line may name it.
  for (const id of new Set(removed.keys()).difference(new Set(inFile))) devices.delete(id);
  const wanted = file.devices.map(({ line, record }) => ({ line, row: toRow(record, devices) }));
  const { changes, toSave, tally } = difference(wanted, stored);
  await saveDevices(tx, toSave, now);
  const rows = byId(wanted.map(({ row }) => row));
  // A line of a removed device puts it back. `load` asks for `--take-over` then.
  const restored = [...rows.values()].filter(({ id }) => removed.has(id));
  for (const [accountId, own] of Map.groupBy(restored, ({ account_id }) => account_id)) {
    await unmarkRemoved(tx, accountId, numbersOf(own));
  }
  const saved = new Set(idsOf(toSave));
  const reassigned = await applyAssignments(context, { rows, stored, saved }, users);
  const retagged = await applyTagVersions(context, { rows, stored, saved });

  for (const change of changes) {
    const { row, before } = change;
    const { account_id: accountId, device, fuel_tank_capacity_l } = row;
    consequences.fleetChanged(accountId);
    consequences.changed.noteRow("device", accountId, change);
    consequences.records(accountId).deviceSaved(row, before);
    const isOtherTracker = before?.imei !== row.imei || before.tracker_clock !== row.tracker_clock;
    if (before !== undefined && isOtherTracker) await forgetTrackerFaults(tx, accountId, [device]);
    if (before === undefined || before.fuel_tank_capacity_l === fuel_tank_capacity_l) continue;
    // A tank has no history: all its readings are judged by the present capacity.
    consequences.deriveAgain({ accountId, device }, fromTheBeginning);
  }
  for (const { line, row } of wanted) {
    const { account_id: accountId, id } = row;
    const note = (field: string) => consequences.changed.note({ type: "device", accountId, id, line, fields: [field] });
    if (reassigned.has(id)) {
      consequences.fleetChanged(accountId);
      note("user_ids");
    }
    if (retagged.has(id) && stored.has(id)) note("tags");
  }
  // A device also counts as changed if only its viewers or the history of its tags changed.
  const otherwise = reassigned.union(retagged).difference(saved).size;
  tally.changed += otherwise;
  tally.unchanged -= otherwise;
  return { devices, tally };
}

function refuseErasing(lines: readonly OnLine<Device>[], removed: Awaited<ReturnType<typeof removedAmong>>): void {
  for (const { line, record } of lines) {
    const isErasing = (removed.get(record.id)?.erasing_at ?? null) !== null;
    if (isErasing) throw new DoesNotFit(line, "id", "this device is being erased");
  }
}

async function refuseForeignDevices(
  tx: Transaction,
  lines: readonly OnLine<Device>[],
  accounts: AccountNumbers,
): Promise<void> {
  const entries = byId(await directoryById(tx, idsOf(lines.map(({ record }) => record))));
  for (const { line, record } of lines) {
    const entry = entries.get(record.id);
    if (entry && entry.account_id !== accountNumber(accounts, record.accountId)) {
      throw new DoesNotFit(line, "account_id", "this device belongs to another account, and cannot move");
    }
  }
}

async function refuseTakenImeis(tx: Transaction, lines: readonly OnLine<Device>[]): Promise<void> {
  const inFile = new Set(lines.map(({ record }) => record.id));
  const imeis = lines.map(({ record }) => record.imei);
  const holders = (await directoryByImei(tx, imeis)).filter((holder) => !inFile.has(holder.id));
  const taken = new Set(holders.map((holder) => holder.imei));
  for (const { line, record } of lines) {
    if (taken.has(record.imei)) throw new DoesNotFit(line, "imei", `${record.imei} belongs to another device already`);
  }
}

function toRow(device: Device, devices: DevicesById): FleetDeviceRow {
  const entry = devices.get(device.id);
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
    tracker_clock: device.trackerClock,
    fuel_tank_capacity_l: device.fuelTankCapacityL,
    tags_json: JSON.stringify(device.tags),
    external_ids_json: JSON.stringify(device.externalIds),
    search_text: deviceSearchText(device),
  };
}
