import { bigint, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { listed, table } from "../table.ts";

/** `empty`: when it was to be sent there was nothing left to say, or nobody to say it to. */
export type MailState = "waiting" | "sent" | "failed" | "empty";

const mailTable = table("notification_mails", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  user_id: uuid,
  choice_id: uuid,
  state: oneOf<MailState>(),
  alerts: integer,
  created_at: bigint,
  next_try_at: bigint,
  claimed_until: bigint,
  attempts: integer,
  problem: orNull(text),
  done_at: orNull(bigint),
});

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
export async function claimMail(
  database: Database,
  { account_id, id }: MailRow,
  now: number,
  until: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const claimed = await tx.writeAny(sql`
      update notification_mails set claimed_until = ${until}
      where account_id = ${account_id} and id = ${id} and state = 'waiting' and claimed_until <= ${now}`);
    return claimed > 0;
  });
}

/** What became of it, or when it is tried again. */
export async function noteMail(
  tx: Transaction,
  { account_id, id }: MailRow,
  changed: Pick<MailRow, "state" | "alerts" | "next_try_at" | "attempts" | "problem" | "done_at">,
): Promise<void> {
  const { state, alerts, next_try_at, attempts, problem, done_at } = changed;
  await tx.writeAny(sql`
    update notification_mails set state = ${state}, alerts = ${alerts}, next_try_at = ${next_try_at}, attempts = ${attempts},
      problem = ${problem}, done_at = ${done_at}, claimed_until = 0
    where account_id = ${account_id} and id = ${id}`);
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
