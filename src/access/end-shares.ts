import type { Actor } from "../domain/audit.ts";
import { dayMs } from "../domain/time/time.ts";
import {
  changeSharedDevices,
  devicesOf,
  endShare,
  expiredShares,
  hasSharesEndedBefore,
  type ListedShareRow,
  openShares,
  removeEndedShares,
  type ShareEnd,
} from "../store/access/share-links.ts";
import type { Database, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { vehiclesInSight } from "../store/fleet/vehicles-in-sight.ts";
import { visibilityOfShare } from "./share-links.ts";

/** How long a list shows links that have ended. */
const rememberedMs = 31 * dayMs;
const linksPerStep = 100;

/**
 * Ends the links of an account whose makers have lost what they share, for good: nobody who gets a vehicle back, or may sign
 * in again, expects old links to work again. Of a link with several vehicles only those are lost. In the transaction of the
 * change; what a link shows is decided anew at each request, whether or not this was called.
 */
export async function endLostShares(tx: Transaction, accountId: number, by: Actor, now: number): Promise<void> {
  for (const link of await openShares(tx, accountId)) {
    const visibility = visibilityOfShare(link);
    if (visibility === null) {
      await end(tx, link, link.account_status === "active" ? "maker" : "account", by, now);
      continue;
    }
    const seen = new Set((await vehiclesInSight(tx, visibility, null)).map(({ device }) => device));
    if (seen.size === 0) await end(tx, link, "vehicles", by, now);
    else if (seen.size < visibility.devices.length) {
      const left = devicesOf(link).map((device) => (device !== null && seen.has(device) ? device : null));
      await changeSharedDevices(tx, link.id, left);
    }
  }
}

/** Notes for the audit log which links are over, and forgets those that were over long ago. */
export async function endExpiredShares(database: Database, now: number): Promise<void> {
  for (let links = await expiredShares(database, now, linksPerStep); links.length > 0; ) {
    await database.transaction(async (tx) => {
      for (const link of links) await end(tx, link, "expired", { kind: "user", id: link.user_id }, now);
    });
    links = await expiredShares(database, now, linksPerStep);
  }
  // There is mostly none, and a write would be one for every cache.
  if (await hasSharesEndedBefore(database, now - rememberedMs)) {
    await database.transaction((tx) => removeEndedShares(tx, now - rememberedMs));
  }
}

async function end(tx: Transaction, link: ListedShareRow, reason: ShareEnd, by: Actor, now: number): Promise<void> {
  if (!(await endShare(tx, link, reason, now))) return;
  const entry = { by, action: "share.ended", id: link.id, details: { reason } } as const;
  await addAuditEntries(tx, link.account_id, [entry], now);
}
