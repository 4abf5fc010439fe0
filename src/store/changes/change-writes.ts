import { DeviceChangeBuilder } from "../../domain/changes/device-change.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { assignmentsOfDevices } from "../fleet/assignments.ts";
import { logChanges } from "./changes.ts";
import { saveViewerRecords } from "./viewer-records.ts";
import { accountViewer, nextChange, type Sight, showSubAccounts } from "./viewers.ts";

/** Logs changes that neither a frame nor the fleet file makes, for followers. */

/** The same for one device. */
export async function logDeviceChange(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  change: (builder: DeviceChangeBuilder) => DeviceChangeBuilder,
  now: number,
): Promise<void> {
  await logDeviceChanges(tx, accountId, new Map([[device, change(new DeviceChangeBuilder())]]), now);
}

/**
 * Logs what has changed of devices; nothing of it is in the live positions. Who sees a device is looked up once
 * the number is taken: someone who got it meanwhile has an earlier number, and is found.
 */
export async function logDeviceChanges(
  tx: Transaction,
  accountId: number,
  changes: ReadonlyMap<number, DeviceChangeBuilder>,
  now: number,
): Promise<void> {
  if (changes.size === 0) return;
  const number = await nextChange(tx, accountId, sightOf([...changes.values()]));
  const viewers = await assignmentsOfDevices(tx, accountId, changes.keys());
  const seenBy = Map.groupBy(viewers, ({ user_id }) => user_id);
  const sights = Array.from(seenBy, ([userId, seen]): [string, Sight] => [
    userId,
    sightOf(seen.flatMap(({ device }) => changes.get(device) ?? [])),
  ]);
  await showSubAccounts(tx, accountId, number, new Map(sights));
  const shared = new Set(viewers.map(({ device }) => device));
  const log = Array.from(changes, ([device, change]) => ({
    device,
    change: change.build(),
    isShared: shared.has(device),
  }));
  await logChanges(tx, accountId, number, now, log);
}

function sightOf(changes: readonly DeviceChangeBuilder[]): Sight {
  return { shown: "neither", about: new Set(changes.flatMap((change) => change.types())) };
}

/** Logs that a sub-account's own record has changed: its owner and itself see it. */
export async function logUserChange(tx: Transaction, accountId: number, userId: string, now: number): Promise<void> {
  const sight: Sight = { shown: "neither", about: new Set(["user"]) };
  const number = await nextChange(tx, accountId, sight);
  await showSubAccounts(tx, accountId, number, new Map([[userId, sight]]));
  const record = { account_id: accountId, type: "user", id: userId, number, changed_at: now, removed: false } as const;
  await saveViewerRecords(tx, [
    { ...record, user_id: accountViewer },
    { ...record, user_id: userId },
  ]);
}
