import type { Transaction } from "../database.ts";
import { sql } from "../sql.ts";

/** Why a mail waits whose person has not confirmed the address; also why alerts do. */
export const unconfirmed = "unconfirmed";

/** The person has confirmed the address: what waited for that is due. */
export async function releaseUnconfirmed(
  tx: Transaction,
  accountId: number,
  userId: string,
  now: number,
): Promise<void> {
  await tx.writeAny(sql`
    update notification_items set due_at = ${now}
    where account_id = ${accountId} and user_id = ${userId} and mail_id is null and held = ${unconfirmed}`);
  for (const queue of [sql`notification_mails`, sql`report_mails`]) {
    await tx.writeAny(sql`
      update ${queue} set next_try_at = ${now}
      where account_id = ${accountId} and user_id = ${userId} and state = 'waiting' and problem = ${unconfirmed}`);
  }
}

/** The person did not confirm the address in time: what has waited since before is no news any more. */
export async function dropUnconfirmed(
  tx: Transaction,
  accountId: number,
  userId: string,
  before: number,
): Promise<void> {
  await tx.run(sql`
    delete from notification_items
    where account_id = ${accountId} and user_id = ${userId} and mail_id is null and created_at < ${before}`);
}
