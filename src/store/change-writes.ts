import { DeviceChangeBuilder } from "../domain/changes/device-change.ts";
import { assignmentsOfDevices } from "./assignments.ts";
import { logChanges } from "./changes.ts";
import type { Transaction } from "./database.ts";
import type { DeviceKey } from "./device-key.ts";
import { saveViewerRecords } from "./viewer-records.ts";
import { accountViewer, nextChange, type Sight, showSubAccounts } from "./viewers.ts";

/** For changes outside the path of a frame and the fleet file: what followers must be told of them. */

/**
 * Logs what has changed of one device; nothing of it is in the live positions. Whoever sees the device is looked up once
 * the number is taken: someone who got it meanwhile has an earlier number, and is found.
 */
export async function logDeviceChange(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  change: (builder: DeviceChangeBuilder) => DeviceChangeBuilder,
  now: number,
): Promise<void> {
  const changed = change(new DeviceChangeBuilder());
  const sight: Sight = { shown: "neither", about: new Set(changed.topics()) };
  const number = await nextChange(tx, accountId, sight);
  const viewers = await assignmentsOfDevices(tx, accountId, [device]);
  await showSubAccounts(tx, accountId, number, new Map(viewers.map(({ user_id }) => [user_id, sight])));
  await logChanges(tx, accountId, number, now, [{ device, change: changed.build(), isShared: viewers.length > 0 }]);
}

/** Logs that a sub-account's own record has changed: its owner and itself see it. */
export async function logUserChange(tx: Transaction, accountId: number, userId: string, now: number): Promise<void> {
  const sight: Sight = { shown: "neither", about: new Set(["record"]) };
  const number = await nextChange(tx, accountId, sight);
  await showSubAccounts(tx, accountId, number, new Map([[userId, sight]]));
  const record = { account_id: accountId, type: "user", id: userId, number, changed_at: now, removed: false } as const;
  await saveViewerRecords(tx, [
    { ...record, user_id: accountViewer },
    { ...record, user_id: userId },
  ]);
}
