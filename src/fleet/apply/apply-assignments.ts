import type { Device } from "../../domain/fleet.ts";
import { accountViewer, liveDevices } from "../../store/changes/viewers.ts";
import type { Transaction } from "../../store/database.ts";
import {
  type Assignment,
  addAssignments,
  removeAssignments,
  subAccountsOfDevices,
} from "../../store/fleet/assignments.ts";
import type { FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import { doesNotFit } from "../parse/reference.ts";
import type { KnownDevices, KnownUsers } from "./known.ts";

interface Work {
  readonly lines: readonly OnLine<Device>[];
  readonly known: KnownDevices;
  /** The devices as they were before this load. */
  readonly stored: ReadonlyMap<string, FleetDeviceRow>;
  /** The devices that are new or whose record this load has changed, by id. */
  readonly saved: ReadonlySet<string>;
  readonly users: KnownUsers;
  readonly now: number;
}

/** Makes each device of the file visible to exactly the sub-accounts that its line names. Returns the changed devices. */
export async function applyAssignments(tx: Transaction, work: Work, consequences: Consequences): Promise<string[]> {
  const devices = work.lines.map(({ line, record }) => {
    const entry = work.known.get(record.id);
    if (!entry) throw new Error(`device ${record.id} has no number`);
    return { ...entry, line, record, wanted: subAccountsOf(line, record, entry.account_id, work.users) };
  });
  const before = await assignedUsers(tx, devices);
  const added: Assignment[] = [];
  const removed: Assignment[] = [];
  const changes: Change[] = [];
  const reassigned: string[] = [];

  for (const { account_id, device, id, record, wanted } of devices) {
    const had = before.get(device) ?? new Set();
    const gained = [...wanted].filter((user) => !had.has(user));
    const lost = [...had].filter((user) => !wanted.has(user));
    const hasNewLooks = looksDifferent(work.stored.get(record.id), record);
    if (gained.length + lost.length > 0) reassigned.push(record.id);
    for (const user_id of gained) added.push({ account_id, user_id, device, id });
    for (const user_id of lost) removed.push({ account_id, user_id, device, id });
    const isSaved = work.saved.has(record.id);
    const concerned = new Set([...gained, ...lost]);
    if (isSaved || concerned.size > 0) {
      changes.push({ account_id, device, concerned, seenBy: new Set([...wanted, ...lost]), hasNewLooks, isSaved });
    }
  }

  consequences.assignments.begun += added.length;
  consequences.assignments.ended += removed.length;
  await removeAssignments(tx, removed);
  await addAssignments(tx, added, work.now);
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
    const numbers = own.map(({ device }) => device);
    const live = await liveDevices(tx, account_id, numbers);
    const onMap = own.filter(({ device }) => live.has(device));
    consequences.show("live positions", account_id, viewersOf(onMap, "hasNewLooks"));
    consequences.show("devices", account_id, viewersOf(own, "isSaved"));
    for (const { concerned } of own) for (const user of concerned) consequences.records(account_id).reassigned(user);
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
function looksDifferent(before: FleetDeviceRow | undefined, after: Device): boolean {
  if (!before) return false;
  return before.name !== after.name || before.plate !== after.plate || before.imei !== after.imei;
}

function subAccountsOf(line: number, record: Device, accountId: number, users: KnownUsers): Set<string> {
  const subAccounts = new Set<string>();
  for (const [index, id] of record.userIds.entries()) {
    const user = users.get(id);
    if (!user || user.account_id !== accountId) {
      throw doesNotFit(line, `user_ids[${index}]`, `expected the id of a user of the device's account, got "${id}"`);
    }
    // The owner sees every device without being named.
    if (user.role === "sub_account") subAccounts.add(id);
  }
  return subAccounts;
}

async function assignedUsers(
  tx: Transaction,
  devices: readonly { readonly account_id: number; readonly device: number }[],
): Promise<Map<number, Set<string>>> {
  const assigned = new Map<number, Set<string>>();
  const byAccount = Map.groupBy(devices, ({ account_id }) => account_id);
  for (const [accountId, own] of byAccount) {
    for (const { device, user_id } of await subAccountsOfDevices(
      tx,
      accountId,
      own.map(({ device }) => device),
    )) {
      const users = assigned.get(device) ?? new Set();
      assigned.set(device, users.add(user_id));
    }
  }
  return assigned;
}
