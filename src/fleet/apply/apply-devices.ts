import { hasSameTags, type TagHistory } from "../../domain/alerts/set-rules.ts";
import { deviceSearchText } from "../../domain/text/search-text.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Transaction } from "../../store/database.ts";
import {
  directoryById,
  type FleetDeviceRow,
  fleetDevicesById,
  saveDevices,
  saveDirectory,
} from "../../store/fleet/device-writes.ts";
import { removedAmong, unmarkRemoved } from "../../store/fleet/removed.ts";
import {
  type DeviceTagRow,
  deviceTagVersions,
  removeTagVersions,
  saveTagVersions,
  tagHistoryOf,
} from "../../store/fleet/rule-versions.ts";
import { clearTrackerFaults } from "../../store/fleet/tracker-faults.ts";
import { saveTrackerNames } from "../../store/fleet/tracker-name-writes.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import type { RecordOf } from "../parse/records.ts";
import { DoesNotFit, requirePlainName } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import { applyAssignments } from "./apply-assignments.ts";
import {
  type AccountNumbers,
  type ApplyContext,
  byId,
  type DeviceRows,
  type DirectoryById,
  difference,
  idsOf,
  numbersOf,
  type Tally,
  type UsersById,
} from "./context.ts";
import { refuseTakenNames } from "./taken-names.ts";

type Device = RecordOf<"device">;

export async function applyDevices(
  context: ApplyContext,
  accounts: AccountNumbers,
  users: UsersById,
): Promise<{ readonly devices: DirectoryById; readonly tally: Tally }> {
  const { tx, file, now, consequences } = context;
  const inFile = idsOf(file.devices.map(({ record }) => record));
  const ids = new Set([
    ...inFile,
    ...file.geofences.flatMap(({ record }) => record.device_ids),
    ...file.alertSettings.flatMap(({ record: { scope } }) => (scope.for === "device" ? [scope.deviceId] : [])),
  ]);
  await refuseForeignDevices(tx, file.devices, accounts);
  const removed = await removedAmong(tx, ids);
  refuseErasing(file.devices, removed);
  const stored = byId(await fleetDevicesById(tx, ids));
  // A removed device has given its names away, and its line claims them anew.
  await refuseTakenNames(tx, file.devices, new Map([...stored].filter(([id]) => !removed.has(id))));
  for (const { line, record } of file.devices) requirePlainName(line, record.name, stored.get(record.id));
  const newOrMoved = file.devices.filter(({ record }) => !hasSameTracker(record, stored.get(record.id)));
  const entries = newOrMoved.map(({ record: { account_id, imei, id, tracker_protocol } }) => ({
    account_id: accountNumber(accounts, account_id),
    imei,
    id,
    tracker_protocol,
  }));
  await saveDirectory(tx, entries);
  const devices = byId(await directoryById(tx, ids));
  const named = newOrMoved.flatMap(({ record: { id, tracker_id } }) => {
    const entry = devices.get(id);
    return entry ? [{ ...entry, tracker_id }] : [];
  });
  await saveTrackerNames(tx, named);
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
    consequences.changedFleets.add(accountId);
    consequences.changed.noteRow("device", accountId, change);
    consequences.records(accountId).deviceSaved(row, before);
    const isOtherTracker = before?.imei !== row.imei || before.tracker_clock !== row.tracker_clock;
    if (before !== undefined && isOtherTracker) await clearTrackerFaults(tx, accountId, [device]);
    if (before === undefined || before.fuel_tank_capacity_l === fuel_tank_capacity_l) continue;
    // A tank has no history: all its readings are judged by the present capacity.
    consequences.deriveAgain({ accountId, device }, fromTheBeginning);
  }
  for (const { line, row } of wanted) {
    const { account_id: accountId, id } = row;
    const note = (field: string) => consequences.changed.note({ type: "device", accountId, id, line, fields: [field] });
    if (reassigned.has(id)) {
      consequences.changedFleets.add(accountId);
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
    if (entry && entry.account_id !== accountNumber(accounts, record.account_id)) {
      throw new DoesNotFit(line, "account_id", "this device belongs to another account, and cannot move");
    }
  }
}

/** As a tracker is looked up. */
function hasSameTracker(record: Device, stored: FleetDeviceRow | undefined): boolean {
  return (
    record.imei === stored?.imei &&
    record.tracker_id === stored.tracker_id &&
    record.tracker_protocol === stored.tracker_protocol
  );
}

function toRow(record: Device, devices: DirectoryById): FleetDeviceRow {
  const { account_id: _, tags, tag_versions: __, external_ids, user_ids: ___, ...same } = record;
  const entry = devices.get(record.id);
  if (!entry) throw new Error(`device ${record.id} has no number`);
  return {
    account_id: entry.account_id,
    device: entry.device,
    ...same,
    tags_json: JSON.stringify(tags),
    external_ids_json: JSON.stringify(external_ids),
    search_text: deviceSearchText(record),
  };
}

/**
 * Writes down when a device's tags changed, so that the rules of a tag hold for as long as it has the tag. A line with
 * `tag_versions` is the whole history; without, a change of the tags continues the stored one. Returns the ids of devices whose
 * history changed.
 */
async function applyTagVersions(
  { tx, file, now, consequences }: ApplyContext,
  { rows, stored }: DeviceRows,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  const concerned = file.devices.flatMap(({ record }) => {
    const row = rows.get(record.id);
    const before = stored.get(record.id);
    const isConcerned =
      record.tag_versions !== null || (before && !hasSameTags(JSON.parse(before.tags_json), record.tags));
    return row && isConcerned ? [{ record, before, ...row }] : [];
  });
  for (const [accountId, own] of Map.groupBy(concerned, ({ account_id }) => account_id)) {
    const written = Map.groupBy(await deviceTagVersions(tx, accountId, numbersOf(own)), ({ device }) => device);
    const replaced: number[] = [];
    const toSave: DeviceTagRow[] = [];
    for (const { record, before, device } of own) {
      const versions = written.get(device);
      const history = before && tagHistoryOf(versions, before.tags_json);
      const wanted = wantedHistory(record, history, now);
      if (history ? JSON.stringify(wanted) === JSON.stringify(history) : wanted.length === 1) continue;
      if (versions !== undefined) replaced.push(device);
      // One version holds for all time, which is what no row means.
      for (const { validFrom, content } of wanted.length > 1 ? wanted : []) {
        toSave.push({ account_id: accountId, device, valid_from: validFrom, tags_json: JSON.stringify(content) });
      }
      changed.add(record.id);
      if (history) consequences.rules(accountId).tags.set(device, history);
    }
    await removeTagVersions(tx, accountId, replaced);
    await saveTagVersions(tx, toSave);
  }
  return changed;
}

function wantedHistory({ tags, tag_versions }: Device, history: TagHistory | undefined, now: number): TagHistory {
  if (tag_versions === null) {
    return [...(history ?? []).filter(({ validFrom }) => validFrom < now), { validFrom: now, content: tags }];
  }
  if (tag_versions.length === 1) return [{ validFrom: fromTheBeginning, content: tags }];
  return tag_versions.map(({ valid_from, tags }) => ({ validFrom: valid_from, content: tags }));
}
