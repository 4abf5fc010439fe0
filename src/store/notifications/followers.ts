import type { ChangePlace } from "../changes/change-entries.ts";
import { viewerCounters } from "../changes/viewer-counters.ts";
import { accountVisibility } from "../changes/viewers.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";

export interface FollowerRow extends ChangePlace {
  readonly account_id: number;
}

/** All accounts in which a person has chosen to be notified, and how far their logs were read. */
export function followers(reader: Reader): Promise<FollowerRow[]> {
  return reader.all(sql`select account_id, number, device from notification_followers order by account_id`);
}

export function followerOf(reader: Reader, accountId: number): Promise<FollowerRow | null> {
  return reader.get(sql`select account_id, number, device from notification_followers where account_id = ${accountId}`);
}

/** Begins with what comes after this, unless the account is followed already. */
export async function beginFollowing(tx: Transaction, accountId: number): Promise<void> {
  const { last } = await viewerCounters(tx, accountVisibility(accountId));
  await tx.writeAny(sql`
    insert into notification_followers (account_id, number, device)
    values (${accountId}, ${last}, ${Number.MAX_SAFE_INTEGER}) on conflict do nothing`);
}

/** Nobody in the account is to be notified any more. */
export async function endFollowing(tx: Transaction, accountId: number): Promise<void> {
  await tx.run(sql`delete from notification_followers where account_id = ${accountId}`);
}

/** Returns whether the log was still to be read from there: another node may have read on meanwhile. */
export async function moveFollower(tx: Transaction, from: FollowerRow, to: ChangePlace): Promise<boolean> {
  const moved = await tx.writeAny(sql`
    update notification_followers set number = ${to.number}, device = ${to.device}
    where account_id = ${from.account_id} and number = ${from.number} and device = ${from.device}`);
  return moved > 0;
}
