import { bigint, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Database, Transaction } from "../database.ts";
import { nothing, type Sql, sql } from "../sql.ts";

/** `empty`: when it was to be sent there was nothing left to say, or nobody to say it to. */
export type MailState = "waiting" | "sent" | "failed" | "empty";

/** What every table of mails has. */
export const queueColumns = {
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

/** What became of a mail, or when it is tried again. */
export type MailOutcome = Pick<QueuedMail, "state" | "next_try_at" | "attempts" | "problem" | "done_at">;

/** The right to send it, until a moment. False: another node has it. */
export async function claimQueued(
  database: Database,
  queue: Sql,
  { account_id, id }: Pick<QueuedMail, "account_id" | "id">,
  now: number,
  until: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const claimed = await tx.writeAny(sql`
      update ${queue} set claimed_until = ${until}
      where account_id = ${account_id} and id = ${id} and state = 'waiting' and claimed_until <= ${now}`);
    return claimed > 0;
  });
}

/** `further`: what else the table has, as `, name = value`. */
export async function noteQueued(
  tx: Transaction,
  queue: Sql,
  { account_id, id }: Pick<QueuedMail, "account_id" | "id">,
  { state, next_try_at, attempts, problem, done_at }: MailOutcome,
  further: Sql = nothing,
): Promise<void> {
  await tx.writeAny(sql`
    update ${queue} set state = ${state}, next_try_at = ${next_try_at}, attempts = ${attempts}, problem = ${problem},
      done_at = ${done_at}, claimed_until = 0 ${further}
    where account_id = ${account_id} and id = ${id}`);
}
