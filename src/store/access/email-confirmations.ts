import { bigint, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { listed, table } from "../table.ts";

const confirmationTable = table("email_confirmations", ["token_hash"], {
  token_hash: text,
  account_id: bigint,
  /** Null: the person was erased. */
  user_id: orNull(uuid),
  email_hash: text,
  mailbox_hash: text,
  mailed_at: bigint,
});

export type ConfirmationRow = RowOf<typeof confirmationTable.columns>;

const columns = listed(confirmationTable.columns);

export async function addConfirmation(tx: Transaction, row: ConfirmationRow): Promise<void> {
  await tx.insertMany(confirmationTable, [row]);
}

export function confirmationByHash(reader: Reader, tokenHash: string): Promise<ConfirmationRow | null> {
  return reader.get(sql`select ${columns} from email_confirmations where token_hash = ${tokenHash}`);
}

export async function removeConfirmation(tx: Transaction, tokenHash: string): Promise<void> {
  await tx.run(sql`delete from email_confirmations where token_hash = ${tokenHash}`);
}

interface MailedSince {
  readonly ofMailbox: number;
  readonly ofAccount: number;
}

/** How many such links were mailed to a mailbox, from whatever account, and how many for an account. */
export async function confirmationsSince(
  reader: Reader,
  { mailbox_hash, account_id }: Pick<ConfirmationRow, "mailbox_hash" | "account_id">,
  since: number,
): Promise<MailedSince> {
  const count = async (which: ReturnType<typeof sql>) => {
    const row = await reader.get<{ count: number }>(sql`
      select count(*) as count from email_confirmations where ${which} and mailed_at > ${since}`);
    return row?.count ?? 0;
  };
  return {
    ofMailbox: await count(sql`mailbox_hash = ${mailbox_hash}`),
    ofAccount: await count(sql`account_id = ${account_id}`),
  };
}

/** The person is erased. That a mail was sent still counts for the day. */
export async function forgetWhoConfirmed(tx: Transaction, accountId: number, userId: string): Promise<void> {
  await tx.writeAny(sql`
    update email_confirmations set user_id = null, email_hash = ''
    where account_id = ${accountId} and user_id = ${userId}`);
}

/** Those of erased people count for a shorter time. */
export async function forgetConfirmations(
  tx: Transaction,
  { before, erasedBefore }: { readonly before: number; readonly erasedBefore: number },
): Promise<void> {
  await tx.run(sql`
    delete from email_confirmations
    where mailed_at < ${before} or (user_id is null and mailed_at < ${erasedBefore})`);
}

export interface ConfirmableUser {
  readonly id: string;
  readonly account_id: number;
  readonly email: string;
  readonly is_confirmed: number;
}

/** Null for a user who may not sign in. */
export function confirmableUser(reader: Reader, userId: string): Promise<ConfirmableUser | null> {
  return reader.get(sql`
    select u.id, u.account_id, u.email, ${isConfirmed} as is_confirmed
    from users u join accounts a on a.account_id = u.account_id and a.status = 'active'
    where u.id = ${userId} and u.status = 'active' and u.removed_at is null`);
}

/** Of a user `u`: 1 if the person has confirmed the address that is stored now. */
export const isConfirmed = sql`case when u.confirmed_email = u.email then 1 else 0 end`;

/** Returns whether that is new. Another address than the stored one confirms nothing. */
export async function confirmEmail(
  tx: Transaction,
  { id, email }: Pick<ConfirmableUser, "id" | "email">,
): Promise<boolean> {
  const confirmed = await tx.writeAny(sql`
    update users set confirmed_email = email
    where id = ${id} and email = ${email} and (confirmed_email is null or confirmed_email <> email)`);
  return confirmed > 0;
}
