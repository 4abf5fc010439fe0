import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";

/** What a person wants no mails of. */
export type MailKind = "alerts" | "reports";

interface Whose {
  readonly accountId: number;
  readonly userId: string;
  readonly kind: MailKind;
}

/** Who of an account has unsubscribed from mails of a kind. */
export async function unsubscribedFrom(
  reader: Reader,
  accountId: number,
  kind: MailKind,
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ user_id: string }>(sql`
    select user_id from unsubscriptions where account_id = ${accountId} and kind = ${kind}`);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The person has said so: it holds until they want such mails again, whatever others change. */
export async function noteUnsubscribed(
  tx: Transaction,
  { accountId, userId, kind }: Whose,
  now: number,
): Promise<void> {
  await tx.writeAny(sql`
    insert into unsubscriptions (account_id, user_id, kind, since)
    values (${accountId}, ${userId}, ${kind}, ${now}) on conflict do nothing`);
}

/** The person wants such mails again. */
export async function noteSubscribed(tx: Transaction, { accountId, userId, kind }: Whose): Promise<void> {
  await tx.run(sql`
    delete from unsubscriptions where account_id = ${accountId} and user_id = ${userId} and kind = ${kind}`);
}

/** The person wants none of what others have chosen or planned for them. */
export async function stopWhatOthersChose(
  tx: Transaction,
  accountId: number,
  userId: string,
  now: number,
): Promise<void> {
  const isOn = sql`account_id = ${accountId} and user_id = ${userId} and stopped_at is null`;
  await tx.writeAny(sql`
    update notification_choices set stopped_at = ${now}, updated_at = ${now}
    where ${isOn} and (created_by is null or created_by <> ${userId})`);
  await tx.writeAny(sql`
    update planned_report_people set stopped_at = ${now}
    where ${isOn} and report_id in (
      select r.id from planned_reports r where r.account_id = ${accountId} and r.created_by <> ${userId})`);
}
