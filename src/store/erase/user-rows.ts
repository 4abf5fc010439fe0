import type { Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { noteErased } from "./notes.ts";
import { noteStrays } from "./strays.ts";

/** Devices with alerts that the user has acknowledged. */
export async function devicesAcknowledgedBy(tx: Transaction, accountId: number, userId: string): Promise<number[]> {
  const rows = await tx.all<{ device: number }>(sql`
    select distinct r.device from alert_acknowledgements k
    join alerts r on r.account_id = ${accountId} and r.id = k.alert_id
    where k.account_id = ${accountId} and k.acknowledged_by = ${userId}`);
  return rows.map(({ device }) => device);
}

/** Erases a user who was removed: afterwards the store has the id alone, where it says who did something. */
export async function eraseUserRows(tx: Transaction, accountId: number, userId: string): Promise<void> {
  const keys = sql`(select k.id from api_keys k where k.account_id = ${accountId} and k.user_id = ${userId})`;
  const isOwn = sql`account_id = ${accountId} and user_id = ${userId}`;
  await tx.run(sql`delete from key_usage where account_id = ${accountId} and key_id in ${keys}`);
  await tx.run(sql`delete from key_counters where account_id = ${accountId} and key_id in ${keys}`);
  await tx.run(sql`delete from api_keys where ${isOwn}`);
  await tx.run(sql`delete from sessions where ${isOwn}`);
  await tx.run(sql`delete from one_time_links where user_id = ${userId}`);
  await tx.run(sql`delete from preferences where account_id = ${accountId} and whose = ${userId}`);
  await tx.run(sql`delete from assignments where ${isOwn}`);
  await tx.run(sql`delete from viewer_records where ${isOwn}`);
  await tx.run(sql`delete from viewer_revisions where ${isOwn}`);
  await tx.run(sql`delete from forgotten_removals where ${isOwn}`);
  await tx.run(sql`
    delete from record_revisions where account_id = ${accountId} and type = 'user' and id = ${userId}`);
  await tx.writeAny(sql`
    update alert_acknowledgements set acknowledged_by = null
    where account_id = ${accountId} and acknowledged_by = ${userId}`);
  await tx.run(sql`delete from users where account_id = ${accountId} and id = ${userId}`);
  await noteStrays(tx, accountId);
  await noteErased(tx, "user", userId);
}
