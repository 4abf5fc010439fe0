import { type Assignment, addAssignments, assignmentsOfUsers, removeAssignments } from "../store/assignments.ts";
import type { Database } from "../store/database.ts";
import { directoryById } from "../store/device-writes.ts";
import { removedAmong } from "../store/removed-devices.ts";
import { removedUsersAmong } from "../store/removed-users.ts";
import { usersById } from "../store/users.ts";
import { liveDevices } from "../store/viewers.ts";
import { Consequences } from "./consequences.ts";

export interface DeviceAssignment {
  readonly accountId: number;
  /** The sub-account. */
  readonly userId: string;
  /** All devices that it may see, by public id. */
  readonly deviceIds: readonly string[];
}

export type AssignmentOutcome =
  | { readonly outcome: "assigned" }
  | { readonly outcome: "no such user" }
  | { readonly outcome: "no such device"; readonly deviceId: string };

/**
 * Makes a sub-account see exactly these devices. A fleet file does the same with `user_ids`, from the device's side, and
 * the consequences are the same.
 */
export function assignDevices(database: Database, wanted: DeviceAssignment, now: number): Promise<AssignmentOutcome> {
  const { accountId, userId } = wanted;
  return database.transaction(async (tx): Promise<AssignmentOutcome> => {
    await tx.lock("fleet");
    const [user] = await usersById(tx, [userId]);
    const isRemoved = (await removedUsersAmong(tx, [userId])).has(userId);
    if (user?.account_id !== accountId || user.role !== "sub_account" || isRemoved) return { outcome: "no such user" };
    const entries = new Map((await directoryById(tx, wanted.deviceIds)).map((entry) => [entry.id, entry]));
    for (const id of (await removedAmong(tx, wanted.deviceIds)).keys()) entries.delete(id);
    const target = new Map<string, Assignment>();
    for (const id of wanted.deviceIds) {
      const entry = entries.get(id);
      if (entry?.account_id !== accountId) return { outcome: "no such device", deviceId: id };
      target.set(id, { account_id: accountId, user_id: userId, device: entry.device, id });
    }

    const before = await assignmentsOfUsers(tx, accountId, [userId]);
    const had = new Set(before.map(({ id }) => id));
    const lost = before.filter(({ id }) => !target.has(id));
    const gained = [...target.values()].filter(({ id }) => !had.has(id));
    if (lost.length + gained.length === 0) return { outcome: "assigned" };
    await removeAssignments(tx, lost);
    await addAssignments(tx, gained, now);

    const consequences = new Consequences();
    const changed = [...lost, ...gained].map(({ device }) => device);
    if ((await liveDevices(tx, accountId, changed)).size > 0) consequences.show("live positions", accountId, [userId]);
    consequences.show("devices", accountId, [userId]);
    consequences.records(accountId).reassigned(userId);
    consequences.fleetChanged(accountId);
    await consequences.write(tx, now);
    return { outcome: "assigned" };
  });
}
