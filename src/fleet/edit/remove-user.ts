import { allTime, DeviceChangeBuilder } from "../../domain/changes/device-change.ts";
import { Failure } from "../../domain/errors.ts";
import { logDeviceChanges } from "../../store/changes/change-writes.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { devicesAcknowledgedBy, eraseUserRows } from "../../store/erase/account-rows.ts";
import { assignmentsOfUsers, removeAssignments } from "../../store/fleet/assignments.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { bumpRevisions } from "../../store/fleet/record-revisions.ts";
import { hideUser, type RemovableUser, removableUser } from "../../store/fleet/removed.ts";
import { Consequences } from "../consequences/consequences.ts";
import type { Effect } from "../consequences/effect-types.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { effectOf } from "./effect.ts";
import type { Removal } from "./remove-device.ts";
import { unlessChanged } from "./stored-records.ts";

const ownerStays = "the owner of an account cannot be removed: make another user the owner first, or erase the account";

/**
 * Removes a sub-account: it sees nothing, its keys, sessions and links end, and its e-mail is free. Kept, its name is still
 * shown where it acknowledged an alert. Erased, the store has its id alone.
 */
export function removeUser(database: Database, removal: Removal, now: number): Promise<Effect> {
  const { accountId, id, by, history } = removal;
  return fleetTransaction(database, removal.isPreview, async (tx) => {
    const user = await removableUser(tx, accountId, id);
    if (user === null || user.removed_at !== null) throw new Failure("NOT_FOUND", "there is no such user");
    if (user.role === "owner") throw new Failure("CONFLICT", ownerStays);
    await unlessChanged(tx, accountId, { type: "user", id }, removal.revision);
    await removal.before?.(tx);
    const consequences = await takeOutUser(tx, user, now);
    const effect = await effectOf(tx, consequences, []);
    await bumpRevisions(tx, accountId, "user", [id], "portal");
    const action = history === "erase" ? "user.erased" : "user.removed";
    await addAuditEntries(tx, accountId, [{ by, action, id }], now);
    await consequences.write(tx, by, now);
    if (history === "erase") await eraseUser(tx, user, now);
    return effect;
  });
}

export function eraseRemovedUser(
  database: Database,
  { accountId, id, by, before }: Pick<Removal, "accountId" | "id" | "by" | "before">,
  now: number,
): Promise<void> {
  return fleetTransaction(database, false, async (tx) => {
    const user = await removableUser(tx, accountId, id);
    if (user === null || user.removed_at === null) throw new Failure("NOT_FOUND", "there is no such removed user");
    await before?.(tx);
    await addAuditEntries(tx, accountId, [{ by, action: "user.erased", id }], now);
    await eraseUser(tx, user, now);
  });
}

async function takeOutUser(tx: Transaction, user: RemovableUser, now: number): Promise<Consequences> {
  const { account_id: accountId, id } = user;
  const consequences = new Consequences();
  const assigned = await assignmentsOfUsers(tx, accountId, [id]);
  await removeAssignments(tx, assigned);
  consequences.assignments.ended += assigned.length;
  consequences.show("live positions", accountId, [id]);
  consequences.show("devices", accountId, [id]);
  consequences.records(accountId).reassigned.add(id);
  consequences.records(accountId).removedUsers.add(id);
  // Who sees a device is part of what its frames are derived with.
  consequences.changedFleets.add(accountId);
  await hideUser(tx, user, now);
  return consequences;
}

/** Alerts that the user acknowledged show no name from now on, and followers get the change. */
async function eraseUser(tx: Transaction, { account_id: accountId, id }: RemovableUser, now: number): Promise<void> {
  const devices = await devicesAcknowledgedBy(tx, accountId, id);
  await eraseUserRows(tx, accountId, id);
  const changes = devices.map((device) => [device, new DeviceChangeBuilder().add("alert", ...allTime)] as const);
  await logDeviceChanges(tx, accountId, new Map(changes), now);
}
