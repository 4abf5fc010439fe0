import { bigint, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";

const keptTable = table("kept_mails", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  email: text,
  subject: text,
  body: text,
  html: text,
  /** Names of the files. */
  attachments_json: text,
  kept_at: bigint,
});

/** A mail that would have been sent. */
export type KeptMailRow = RowOf<typeof keptTable.columns>;

const shown = omit(keptTable.columns, "html");
const columns = listed(shown);

/** Older ones are dropped: a demo mails all day. */
const maxKept = 200;

export async function keepMail(tx: Transaction, mail: KeptMailRow): Promise<void> {
  await tx.insertMany(keptTable, [mail]);
  await tx.run(sql`
    delete from kept_mails where account_id = ${mail.account_id} and id in (
      select k.id from kept_mails k where k.account_id = ${mail.account_id}
      order by k.kept_at desc, k.id desc limit 1000 offset ${maxKept})`);
}

/** The newest first. */
export function keptMails(reader: Reader, accountId: number): Promise<RowOf<typeof shown>[]> {
  return reader.all(sql`
    select ${columns} from kept_mails where account_id = ${accountId} order by kept_at desc, id desc ${limitTo(maxKept)}`);
}

/** As a mailbox shows it; null: there is none. */
export async function keptMailHtml(reader: Reader, accountId: number, id: string): Promise<string | null> {
  const row = await reader.get<{ html: string }>(sql`
    select html from kept_mails where account_id = ${accountId} and id = ${id}`);
  return row?.html ?? null;
}

/** One of its people is erased. */
export async function forgetKeptMails(tx: Transaction, accountId: number): Promise<void> {
  await tx.run(sql`delete from kept_mails where account_id = ${accountId}`);
}
