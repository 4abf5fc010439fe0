import { forgetWhoConfirmed } from "../access/email-confirmations.ts";
import type { Reader, Transaction } from "../database.ts";
import { forgetKeptMails } from "../notifications/kept-mails.ts";
import { leaveUserOut } from "../notifications/planned-reports.ts";
import { type Sql, sql } from "../sql.ts";
import { neverGiveOutAgain, noteErased } from "./notes.ts";
import { noteStrays } from "./strays.ts";

const notificationTables: readonly Sql[] = [
  sql`notification_items`,
  sql`notification_mails`,
  sql`notification_choices`,
];

/** At once, so that nobody signs in, calls, sends or looks something up by an e-mail or a name any more. */
const firstTables: readonly Sql[] = [
  sql`sessions`,
  sql`one_time_links`,
  sql`email_confirmations`,
  sql`share_links`,
  sql`key_usage`,
  sql`key_counters`,
  sql`account_counters`,
  sql`api_keys`,
  sql`ingest_tokens`,
  sql`expected_trackers`,
  sql`preferences`,
  sql`rule_versions`,
  sql`driver_tags`,
  sql`drivers`,
  sql`unknown_devices`,
  sql`tracker_watches`,
  sql`tracker_messages`,
  sql`record_revisions`,
  sql`notification_followers`,
  ...notificationTables,
  sql`planned_reports`,
  sql`planned_report_people`,
  sql`report_mails`,
  sql`unsubscriptions`,
  sql`kept_mails`,
  sql`demo_accounts`,
];

/** When its devices and its log are gone. In this order: some refer to others. */
const lastTables: readonly Sql[] = [
  sql`account_marks`,
  sql`alert_acknowledgements`,
  sql`readings`,
  sql`geofence_versions`,
  sql`geofences`,
  sql`forgotten_removals`,
  sql`viewer_records`,
  sql`viewer_revisions`,
  sql`fleet_revisions`,
  sql`shared_frames`,
  sql`device_folds`,
  sql`users`,
];

/** Suspends an account for good. Its devices must be marked in the same transaction. */
export async function markAccount(tx: Transaction, accountId: number, now: number): Promise<void> {
  await tx.write(sql`
    update accounts set status = 'suspended', erasing_at = ${now}, name = ''
    where account_id = ${accountId}`);
  for (const name of firstTables) await tx.run(sql`delete from ${name} where account_id = ${accountId}`);
  await tx.writeAny(sql`
    update users set status = 'disabled', name = '', email = '', email_key = 'removed ' || id, removed_email = null,
      confirmed_email = null, password_hash = null, removed_at = ${now}
    where account_id = ${accountId}`);
}

/** The accounts that are being erased. There is mostly none. */
export async function erasingAccounts(reader: Reader): Promise<number[]> {
  const rows = await reader.all<{ account_id: number }>(
    sql`select account_id from accounts where erasing_at is not null order by account_id`,
  );
  return rows.map(({ account_id }) => account_id);
}

/** The last of an account, when its devices and its log are gone. */
export async function eraseAccountItself(tx: Transaction, accountId: number): Promise<void> {
  for (const name of lastTables) await tx.run(sql`delete from ${name} where account_id = ${accountId}`);
  await tx.run(sql`delete from audit_log where account_id = ${accountId} and action <> 'account.erased'`);
  const account = await tx.get<{ id: string }>(sql`select id from accounts where account_id = ${accountId}`);
  await tx.run(sql`delete from accounts where account_id = ${accountId}`);
  await neverGiveOutAgain(tx, "accounts", accountId);
  await noteStrays(tx, accountId);
  await noteErased(tx, "account", account?.id ?? "");
}

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
  await forgetWhoConfirmed(tx, accountId, userId);
  await tx.run(sql`delete from unsubscriptions where ${isOwn}`);
  await tx.run(sql`delete from share_links where ${isOwn}`);
  await tx.run(sql`delete from preferences where account_id = ${accountId} and whose = ${userId}`);
  for (const name of notificationTables) await tx.run(sql`delete from ${name} where ${isOwn}`);
  await forgetKeptMails(tx, accountId);
  await leaveUserOut(tx, accountId, userId);
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
