import type { Actor } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import type { TrackerNames } from "../../domain/tracker-identity.ts";
import { accountViewer, liveDevices } from "../../store/changes/viewers.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { forgetDeviceRecord, markErasing } from "../../store/erase/device-mark.ts";
import { forgetUnseenTags } from "../../store/erase/unseen-tags.ts";
import { assignmentsOfDevices, removeAssignments } from "../../store/fleet/assignments.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { bumpRevisions } from "../../store/fleet/record-revisions.ts";
import { hideDevice, type RemovableDevice, removableDevice, showDevice } from "../../store/fleet/removed.ts";
import { takenNames } from "../../store/fleet/tracker-names.ts";
import { sql } from "../../store/sql.ts";
import { Consequences } from "../consequences/consequences.ts";
import type { Effect } from "../consequences/effect-types.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { effectOf } from "./effect.ts";
import { unlessChanged } from "./stored-records.ts";

/** What becomes of the history of what is removed: it is kept and hidden, or erased for good. */
export type HistoryChoice = "keep" | "erase";

export interface Removal {
  readonly accountId: number;
  readonly id: string;
  readonly by: Actor;
  /** The revision that the person saw; null: whatever it is. */
  readonly revision: number | null;
  readonly history: HistoryChoice;
  readonly isPreview: boolean;
  /** Called in the same transaction before anything is changed, perhaps more than once. */
  readonly before?: (tx: Transaction) => Promise<void>;
}

/**
 * Removes a device: nobody sees it or anything of it any more, and its IMEI and tracker id are free at once. What is to be
 * erased is only marked here, in the same transaction; `eraseMarked` erases it in steps.
 */
export function removeDevice(database: Database, removal: Removal, now: number): Promise<Effect> {
  const { accountId, id, by, history } = removal;
  return fleetTransaction(database, removal.isPreview, async (tx) => {
    const device = await removableDevice(tx, accountId, id);
    if (device === null || device.removed_at !== null) throw new Failure("NOT_FOUND", "there is no such vehicle");
    await unlessChanged(tx, accountId, { type: "device", id }, removal.revision);
    await removal.before?.(tx);
    const { effect, consequences } = await takeOutDevice(tx, device, now);
    if (history === "erase") await markDevice(tx, device, by, now);
    else {
      await bumpRevisions(tx, accountId, "device", [id], "portal");
      await addAuditEntries(tx, accountId, [{ by, action: "device.removed", id }], now);
    }
    await consequences.write(tx, by, now);
    return effect;
  });
}

/** Ends its assignments and takes it out of sight. The consequences are still to be written, last. */
async function takeOutDevice(tx: Transaction, { account_id: accountId, device, id }: RemovableDevice, now: number) {
  const consequences = new Consequences();
  const assigned = await assignmentsOfDevices(tx, accountId, [device]);
  await removeAssignments(tx, assigned);
  consequences.assignments.ended += assigned.length;
  const viewers = [accountViewer, ...assigned.map(({ user_id }) => user_id)];
  if ((await liveDevices(tx, accountId, [device])).size > 0) consequences.show("live positions", accountId, viewers);
  consequences.show("devices", accountId, viewers);
  const records = consequences.records(accountId);
  for (const { user_id } of assigned) records.reassigned.add(user_id);
  records.removedDevices.add(id);
  consequences.changedFleets.add(accountId);
  await hideDevice(tx, { accountId, device }, now);
  await forgetUnseenTags(tx, accountId);
  return { effect: await effectOf(tx, consequences, []), consequences };
}

/** Puts a removed device back, with its history. Its assignments have ended. */
export function restoreDevice(
  database: Database,
  { accountId, id, by }: Pick<Removal, "accountId" | "id" | "by">,
  now: number,
): Promise<void> {
  return fleetTransaction(database, false, async (tx) => {
    const device = await keptDevice(tx, accountId, id);
    const names = { imei: device.removed_imei ?? "", tracker_id: device.tracker_id };
    const taken = (await takenNames(tx, [names])).get(names);
    if (taken !== undefined) {
      throw nameIsTaken(taken.name, names[taken.name] ?? "", taken.holder.account_id === accountId);
    }
    const consequences = new Consequences();
    const key = { accountId, device: device.device };
    await showDevice(tx, key, now);
    const isLive = (await liveDevices(tx, accountId, [device.device])).size > 0;
    if (isLive) consequences.show("live positions", accountId, [accountViewer]);
    consequences.show("devices", accountId, [accountViewer]);
    consequences.records(accountId).deviceRestored(device);
    consequences.changedFleets.add(accountId);
    await bumpRevisions(tx, accountId, "device", [id], "portal");
    await addAuditEntries(tx, accountId, [{ by, action: "device.restored", id }], now);
    await consequences.write(tx, by, now);
  });
}

/** Marks a device that was removed and kept: `eraseMarked` erases it. */
export function eraseRemovedDevice(
  database: Database,
  { accountId, id, by }: Pick<Removal, "accountId" | "id" | "by">,
  now: number,
): Promise<void> {
  return fleetTransaction(database, false, async (tx) => {
    const device = await keptDevice(tx, accountId, id);
    const consequences = new Consequences();
    // A node that derives it has read the fleet before.
    consequences.changedFleets.add(accountId);
    await markDevice(tx, device, by, now);
    await consequences.write(tx, by, now);
  });
}

/** Marks a device that nobody sees any more: it cannot be put back. The audit log says so from now on. */
async function markDevice(
  tx: Transaction,
  { account_id: accountId, device, id, imei, tracker_id, removed_imei }: RemovableDevice,
  by: Actor,
  now: number,
): Promise<void> {
  await markErasing(tx, accountId, sql`and device = ${device}`, now);
  await forgetDeviceRecord(tx, accountId, { id, imei: removed_imei ?? imei, tracker_id });
  await addAuditEntries(tx, accountId, [{ by, action: "device.erased", id }], now);
}

async function keptDevice(tx: Transaction, accountId: number, id: string): Promise<RemovableDevice> {
  const device = await removableDevice(tx, accountId, id);
  if (device === null || device.removed_at === null) throw new Failure("NOT_FOUND", "there is no such removed vehicle");
  if (device.erasing_at !== null) throw new Failure("CONFLICT", "this vehicle is being erased");
  return device;
}

/** Of another account's vehicle nothing more is said. */
function nameIsTaken(kind: keyof TrackerNames, name: string, isOwn: boolean): Failure {
  const what = `${kind === "imei" ? "IMEI" : "tracker id"} ${name}`;
  const message = isOwn
    ? `another vehicle has the ${what} now: give that one another, then put this back`
    : `another vehicle on this server has the ${what} now: ask the server's operator, or erase this one`;
  return new Failure("CONFLICT", message);
}
