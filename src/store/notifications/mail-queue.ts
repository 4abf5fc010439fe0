import type { CountedMail } from "../../domain/notifications/limits.ts";
import { bigint, type Column, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "../sql.ts";
import { listed, type Table, table } from "../table.ts";

/** `empty`: when it was to be sent there was nothing left to say, or nobody to say it to. */
export type MailState = "waiting" | "sent" | "failed" | "empty";

const queueColumns = {
  account_id: bigint,
  id: uuid,
  user_id: uuid,
  state: oneOf<MailState>(),
  created_at: bigint,
  next_try_at: bigint,
  claimed_until: bigint,
  attempts: integer,
  problem: orNull(text),
  done_at: orNull(bigint),
} as const;

export type QueuedMail = RowOf<typeof queueColumns>;

/** What becomes of a mail, or when it is tried again. */
export type MailOutcome = Pick<QueuedMail, "state" | "next_try_at" | "attempts" | "problem" | "done_at">;

/** Mails of one kind: those that wait, and those that were sent or given up. */
export interface MailQueue<Row extends QueuedMail> {
  readonly table: Table<{ readonly [Name in keyof Row]-?: Column<Row[Name]> }>;
  readonly name: Sql;
  readonly columns: Sql;
  /** The column with how many alerts or rows a mail has. */
  readonly size: Sql;
  /** When the limits count a mail that waits or was sent. */
  readonly countedAt: Sql;
  /** Which mails people see. */
  readonly isShown: Sql;
}

const alertTable = table("notification_mails", ["account_id", "id"], {
  ...queueColumns,
  choice_id: uuid,
  alerts: integer,
});
export type AlertMailRow = RowOf<typeof alertTable.columns>;

/** Spread by account: each statement names one. */
export const alertMails: MailQueue<AlertMailRow> = {
  table: alertTable,
  name: plainSql(alertTable.name),
  columns: listed(alertTable.columns),
  size: plainSql("alerts"),
  countedAt: plainSql("created_at"),
  isShown: sql`and state <> 'empty'`,
};

const reportTable = table("report_mails", ["account_id", "id"], {
  ...queueColumns,
  report_id: uuid,
  from_day: text,
  to_day: text,
  row_count: integer,
});
export type ReportMailRow = RowOf<typeof reportTable.columns>;

/** On one machine: a statement may be about all accounts. */
export const reportMails: MailQueue<ReportMailRow> = {
  table: reportTable,
  name: plainSql(reportTable.name),
  columns: listed(reportTable.columns),
  size: plainSql("row_count"),
  countedAt: sql`case when state = 'waiting' and next_try_at > created_at then next_try_at else created_at end`,
  isShown: nothing,
};

export async function addMails<Row extends QueuedMail>(
  tx: Transaction,
  queue: MailQueue<Row>,
  mails: readonly Row[],
): Promise<void> {
  if (mails.length > 0) await tx.insertMany(queue.table, mails);
}

/** Of an account; null: of all. */
function ofAccount(accountId: number | null): Sql {
  return accountId === null ? nothing : sql`account_id = ${accountId} and`;
}

/** Those that no node has claimed. */
export function dueMails<Row extends QueuedMail>(
  reader: Reader,
  queue: MailQueue<Row>,
  accountId: number | null,
  now: number,
  count: number,
): Promise<Row[]> {
  return reader.all(sql`
    select ${queue.columns} from ${queue.name}
    where ${ofAccount(accountId)} state = 'waiting' and next_try_at <= ${now} and claimed_until <= ${now}
    order by next_try_at ${limitTo(count)}`);
}

/** How many wait, for whatever reason. */
export async function countWaitingMails<Row extends QueuedMail>(
  reader: Reader,
  queue: MailQueue<Row>,
  accountId: number | null,
): Promise<number> {
  const row = await reader.get<{ count: number }>(sql`
    select count(*) as count from ${queue.name} where ${ofAccount(accountId)} state = 'waiting'`);
  return row?.count ?? 0;
}

/** The right to send it, until a moment. False: another node has it. */
export async function claimMail<Row extends QueuedMail>(
  database: Database,
  queue: MailQueue<Row>,
  { account_id, id }: Row,
  now: number,
  until: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const claimed = await tx.writeAny(sql`
      update ${queue.name} set claimed_until = ${until}
      where account_id = ${account_id} and id = ${id} and state = 'waiting' and claimed_until <= ${now}`);
    return claimed > 0;
  });
}

/** `size`: how many alerts or rows it has. */
export async function noteMail<Row extends QueuedMail>(
  tx: Transaction,
  queue: MailQueue<Row>,
  { account_id, id }: Row,
  { state, next_try_at, attempts, problem, done_at }: MailOutcome,
  size: number,
): Promise<void> {
  await tx.writeAny(sql`
    update ${queue.name} set state = ${state}, next_try_at = ${next_try_at}, attempts = ${attempts}, problem = ${problem},
      done_at = ${done_at}, claimed_until = 0, ${queue.size} = ${size}
    where account_id = ${account_id} and id = ${id}`);
}

/** The mails that the limits count: when and to whom they were or will be sent. */
export function mailTimes<Row extends QueuedMail>(
  reader: Reader,
  queue: MailQueue<Row>,
  accountId: number,
  since: number,
): Promise<CountedMail[]> {
  return reader.all(sql`
    select user_id, ${queue.countedAt} as at from ${queue.name}
    where account_id = ${accountId} and created_at > ${since} and state <> 'empty'
    order by created_at, id`);
}

/** When reports were sent since, and to whom. Those that waited were made long before. */
export function sentReportTimes(reader: Reader, accountId: number, since: number): Promise<CountedMail[]> {
  return reader.all(sql`
    select user_id, done_at as at from report_mails
    where account_id = ${accountId} and state = 'sent' and done_at > ${since}`);
}

/** The newest first, of one person or of all. */
export function recentMails<Row extends QueuedMail>(
  reader: Reader,
  queue: MailQueue<Row>,
  accountId: number,
  userId: string | null,
  count: number,
): Promise<Row[]> {
  const ofUser = userId === null ? nothing : sql`and user_id = ${userId}`;
  return reader.all(sql`
    select ${queue.columns} from ${queue.name} where account_id = ${accountId} ${queue.isShown} ${ofUser}
    order by created_at desc, id desc ${limitTo(count)}`);
}

/** The plan is paused: what waits is not sent. */
export async function dropWaitingReports(tx: Transaction, accountId: number, reportId: string): Promise<void> {
  await tx.run(sql`
    delete from report_mails where account_id = ${accountId} and report_id = ${reportId} and state = 'waiting'`);
}

export function forgetMails<Row extends QueuedMail>(
  tx: Transaction,
  queue: MailQueue<Row>,
  accountId: number | null,
  before: number,
): Promise<number> {
  return tx.run(sql`
    delete from ${queue.name} where ${ofAccount(accountId)} created_at < ${before} and state <> 'waiting'`);
}
