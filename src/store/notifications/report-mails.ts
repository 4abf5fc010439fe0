import { integer, type RowOf, text, uuid } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { listed, table } from "../table.ts";
import { claimQueued, type MailOutcome, noteQueued, queueColumns } from "./mail-queue.ts";

const mailTable = table("report_mails", ["account_id", "id"], {
  ...queueColumns,
  report_id: uuid,
  from_day: text,
  to_day: text,
  row_count: integer,
});
const queue = sql`report_mails`;

export type ReportMailRow = RowOf<typeof mailTable.columns>;

const columns = listed(mailTable.columns);

export async function addReportMails(tx: Transaction, mails: readonly ReportMailRow[]): Promise<void> {
  if (mails.length > 0) await tx.insertMany(mailTable, mails);
}

/** Of all accounts. */
export function dueReportMails(reader: Reader, now: number, count: number): Promise<ReportMailRow[]> {
  return reader.all(sql`
    select ${columns} from report_mails where state = 'waiting' and next_try_at <= ${now} and claimed_until <= ${now}
    order by next_try_at ${limitTo(count)}`);
}

export async function countWaitingReports(reader: Reader): Promise<number> {
  const row = await reader.get<{ count: number }>(sql`
    select count(*) as count from report_mails where state = 'waiting'`);
  return row?.count ?? 0;
}

export function claimReportMail(database: Database, mail: ReportMailRow, now: number, until: number): Promise<boolean> {
  return claimQueued(database, queue, mail, now, until);
}

export function noteReportMail(
  tx: Transaction,
  mail: ReportMailRow,
  changed: MailOutcome & Pick<ReportMailRow, "row_count">,
): Promise<void> {
  return noteQueued(tx, queue, mail, changed, sql`, row_count = ${changed.row_count}`);
}

/** When mails were or will be sent since, and to whom. */
export function reportMailTimes(
  reader: Reader,
  accountId: number,
  since: number,
): Promise<{ readonly user_id: string; readonly at: number }[]> {
  return reader.all(sql`
    select user_id, case when state = 'waiting' and next_try_at > created_at then next_try_at else created_at end as at
    from report_mails where account_id = ${accountId} and created_at > ${since} and state <> 'empty'
    order by created_at, id`);
}

/** When mails were sent since, and to whom. Those that waited were made long before. */
export function sentReportTimes(
  reader: Reader,
  accountId: number,
  since: number,
): Promise<{ readonly user_id: string; readonly at: number }[]> {
  return reader.all(sql`
    select user_id, done_at as at from report_mails
    where account_id = ${accountId} and state = 'sent' and done_at > ${since}`);
}

/** The newest first, of one person or of all. */
export function recentReportMails(
  reader: Reader,
  accountId: number,
  userId: string | null,
  count: number,
): Promise<ReportMailRow[]> {
  const ofUser = userId === null ? nothing : sql`and user_id = ${userId}`;
  return reader.all(sql`
    select ${columns} from report_mails where account_id = ${accountId} ${ofUser}
    order by created_at desc, id desc ${limitTo(count)}`);
}

/** The plan is paused: what waits is not sent. */
export async function dropWaitingReports(tx: Transaction, accountId: number, reportId: string): Promise<void> {
  await tx.run(sql`
    delete from report_mails where account_id = ${accountId} and report_id = ${reportId} and state = 'waiting'`);
}

export function forgetReportMails(tx: Transaction, before: number): Promise<number> {
  return tx.run(sql`delete from report_mails where created_at < ${before} and state <> 'waiting'`);
}
