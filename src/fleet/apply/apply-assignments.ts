import { accountViewer, liveDevices } from "../../store/changes/viewers.ts";
import type { Transaction } from "../../store/database.ts";
import { inEachAccount } from "../../store/each-account.ts";
import {
  type Assignment,
  addAssignments,
  removeAssignments,
  subAccountsOfDevices,
} from "../../store/fleet/assignments.ts";
import type { FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { RecordOf } from "../parse/records.ts";
import { DoesNotFit } from "../parse/reference.ts";
import { type ApplyContext, type DeviceRows, numbersOf, type UsersById } from "./context.ts";

/** Makes each device of the file visible to exactly the sub-accounts that its line names. Returns the changed devices. */
export async function applyAssignments(
  { tx, file, now, consequences }: ApplyContext,
  { rows, stored, saved }: DeviceRows,
  users: UsersById,
): Promise<ReadonlySet<string>> {
  const devices = file.devices.flatMap(({ line, record }) => {
    const row = rows.get(record.id);
    return row ? [{ row, wanted: subAccountsOf(line, record, row.account_id, users) }] : [];
  });
  const assigned = await inEachAccount([...rows.values()], (accountId, own) =>
    subAccountsOfDevices(tx, accountId, numbersOf(own)),
  );
  const before = Map.groupBy(assigned, ({ device }) => device);
  const added: Assignment[] = [];
  const removed: Assignment[] = [];
  const changes: Change[] = [];
  const reassigned = new Set<string>();

  for (const { row, wanted } of devices) {
    const { account_id, device, id } = row;
    const had = new Set(before.get(device)?.map(({ user_id }) => user_id));
    const lost = had.difference(wanted);
    const concerned = had.symmetricDifference(wanted);
    const hasNewLooks = looksDifferent(stored.get(id), row);
    if (concerned.size > 0) reassigned.add(id);
    for (const user_id of wanted.difference(had)) added.push({ account_id, user_id, device, id });
    for (const user_id of lost) removed.push({ account_id, user_id, device, id });
    const isSaved = saved.has(id);
    if (isSaved || concerned.size > 0) {
      changes.push({ account_id, device, concerned, seenBy: new Set([...wanted, ...lost]), hasNewLooks, isSaved });
    }
  }

  consequences.assignments.begun += added.length;
  consequences.assignments.ended += removed.length;
  await removeAssignments(tx, removed);
  await addAssignments(tx, added, now);
  await noteViewers(tx, changes, consequences);
  return reassigned;
}

/** A device that some viewers see differently now. The owner always sees it, so for the owner only its record can change. */
interface Change {
  readonly account_id: number;
  readonly device: number;
  /** Sub-accounts that see it now and did not, or did and no longer do. */
  readonly concerned: ReadonlySet<string>;
  /** All sub-accounts that see it now or did before. */
  readonly seenBy: ReadonlySet<string>;
  /** Whether the live positions show it differently, if it has one. */
  readonly hasNewLooks: boolean;
  readonly isSaved: boolean;
}

async function noteViewers(tx: Transaction, changes: readonly Change[], consequences: Consequences): Promise<void> {
  for (const [account_id, own] of Map.groupBy(changes, (change) => change.account_id)) {
    const live = await liveDevices(tx, account_id, numbersOf(own));
    const onMap = own.filter(({ device }) => live.has(device));
    consequences.show("live positions", account_id, viewersOf(onMap, "hasNewLooks"));
    consequences.show("devices", account_id, viewersOf(own, "isSaved"));
    for (const { concerned } of own)
      for (const user of concerned) consequences.records(account_id).reassigned.add(user);
  }
}

/** Viewers of a device whose record has changed, and viewers who gain or lose one. */
function viewersOf(changes: readonly Change[], isChanged: "hasNewLooks" | "isSaved"): Set<string> {
  const viewers = new Set<string>();
  for (const change of changes) {
    for (const user of change[isChanged] ? [...change.seenBy, accountViewer] : change.concerned) viewers.add(user);
  }
  return viewers;
}

/** Whether what the live positions show of a device's record has changed. */
function looksDifferent(before: FleetDeviceRow | undefined, after: FleetDeviceRow): boolean {
  if (!before) return false;
  return before.name !== after.name || before.plate !== after.plate || before.imei !== after.imei;
}

function subAccountsOf(line: number, record: RecordOf<"device">, accountId: number, users: UsersById): Set<string> {
  const subAccounts = new Set<string>();
  for (const [index, id] of record.user_ids.entries()) {
    const user = users.get(id);
    if (!user || user.account_id !== accountId) {
      throw new DoesNotFit(
        line,
        `user_ids[${index}]`,
        `expected the id of a user of the device's account, got "${id}"`,
      );
    }
    // The owner sees every device without being named.
    if (user.role === "sub_account") subAccounts.add(id);
  }
  return subAccounts;
}
