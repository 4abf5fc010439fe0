import { integer, type RowOf, uuid } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { listed, table } from "../table.ts";
import { claimQueued, type MailOutcome, noteQueued, queueColumns } from "./mail-queue.ts";

const mailTable = table("notification_mails", ["account_id", "id"], {
  ...queueColumns,
  choice_id: uuid,
  alerts: integer,
});
const queue = sql`notification_mails`;

export type MailRow = RowOf<typeof mailTable.columns>;

const columns = listed(mailTable.columns);

export async function addMail(tx: Transaction, mail: MailRow): Promise<void> {
  await tx.insertMany(mailTable, [mail]);
}

export function waitingMails(reader: Reader, accountId: number, now: number, count: number): Promise<MailRow[]> {
  return reader.all(sql`
    select ${columns} from notification_mails
    where account_id = ${accountId} and state = 'waiting' and next_try_at <= ${now}
    order by next_try_at ${limitTo(count)}`);
}

/** How many wait, for whatever reason. */
export async function countWaitingMails(reader: Reader, accountId: number): Promise<number> {
  const row = await reader.get<{ count: number }>(sql`
    select count(*) as count from notification_mails where account_id = ${accountId} and state = 'waiting'`);
  return row?.count ?? 0;
}

/** The right to send it, until a moment. False: another node has it. */
export function claimMail(database: Database, mail: MailRow, now: number, until: number): Promise<boolean> {
  return claimQueued(database, queue, mail, now, until);
}

/** What became of it, or when it is tried again. */
export function noteMail(
  tx: Transaction,
  mail: MailRow,
  changed: MailOutcome & Pick<MailRow, "alerts">,
): Promise<void> {
  return noteQueued(tx, queue, mail, changed, sql`, alerts = ${changed.alerts}`);
}

/** When mails were written since, and to whom: those that were sent, and those that wait. */
export function mailTimes(
  reader: Reader,
  accountId: number,
  since: number,
): Promise<{ readonly user_id: string; readonly created_at: number }[]> {
  return reader.all(sql`
    select user_id, created_at from notification_mails
    where account_id = ${accountId} and created_at > ${since} and state <> 'empty'
    order by created_at, id`);
}

/** The newest first, of one person or of all. */
export function recentMails(
  reader: Reader,
  accountId: number,
  userId: string | null,
  count: number,
): Promise<MailRow[]> {
  const ofUser = userId === null ? nothing : sql`and user_id = ${userId}`;
  return reader.all(sql`
    select ${columns} from notification_mails where account_id = ${accountId} and state <> 'empty' ${ofUser}
    order by created_at desc, id desc ${limitTo(count)}`);
}

export function forgetMails(tx: Transaction, accountId: number, before: number): Promise<number> {
  return tx.run(sql`
    delete from notification_mails where account_id = ${accountId} and created_at < ${before} and state <> 'waiting'`);
}
