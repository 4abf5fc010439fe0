import type { HoldReason } from "../../domain/notifications/due.ts";
import { bigint, boolean, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import { limitTo, listOf, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";

export type ItemEvent = "began" | "ended";

/** An alert that a person is to hear of, or has heard of. */
const itemTable = table("notification_items", ["account_id", "user_id", "alert_id", "event"], {
  account_id: bigint,
  user_id: uuid,
  alert_id: uuid,
  event: oneOf<ItemEvent>(),
  choice_id: uuid,
  device: bigint,
  alert_type: text,
  due_at: bigint,
  held: orNull(oneOf<HoldReason>()),
  /** Null: it waits to be put into a mail. */
  mail_id: orNull(uuid),
  /** Whether the mail said that the alert has ended. */
  told_end: boolean,
  created_at: bigint,
});

export type ItemRow = RowOf<typeof itemTable.columns>;

const columns = listed(itemTable.columns);
/** One mail for an alert, whichever node noted it first. */
const bulk: BulkTable = { ...itemTable, onConflict: "on conflict do nothing" };

export async function addItems(tx: Transaction, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertMany(bulk, rows);
}

const known = omit(itemTable.columns, "account_id", "due_at", "held", "created_at");
const knownColumns = listed(known);

export type KnownItem = RowOf<typeof known>;

export function itemsOfAlerts(reader: Reader, accountId: number, alertIds: Iterable<string>): Promise<KnownItem[]> {
  return reader.all(sql`
    select ${knownColumns} from notification_items where account_id = ${accountId} and alert_id in ${listOf(alertIds)}`);
}

/** Of what is due, the first: for mails that are to be written now. */
export function dueItems(reader: Reader, accountId: number, now: number, count: number): Promise<ItemRow[]> {
  return reader.all(sql`
    select ${columns} from notification_items
    where account_id = ${accountId} and mail_id is null and due_at <= ${now}
    order by due_at ${limitTo(count)}`);
}

export function itemsOfMail(reader: Reader, accountId: number, mailId: string): Promise<ItemRow[]> {
  return reader.all(sql`
    select ${columns} from notification_items where account_id = ${accountId} and mail_id = ${mailId}
    order by created_at, alert_id, event`);
}

/** Returns how many there were: another node may have taken some. */
export function putIntoMail(
  tx: Transaction,
  { account_id, user_id, choice_id }: Pick<ItemRow, "account_id" | "user_id" | "choice_id">,
  mailId: string,
  dueUntil: number,
): Promise<number> {
  return tx.writeAny(sql`
    update notification_items set mail_id = ${mailId}
    where account_id = ${account_id} and user_id = ${user_id} and choice_id = ${choice_id} and mail_id is null
      and due_at <= ${dueUntil}`);
}

/** They wait on. */
export async function holdItems(
  tx: Transaction,
  { account_id, user_id, choice_id }: Pick<ItemRow, "account_id" | "user_id" | "choice_id">,
  { dueUntil, until, held }: { readonly dueUntil: number; readonly until: number; readonly held: HoldReason },
): Promise<void> {
  await tx.writeAny(sql`
    update notification_items set due_at = ${until}, held = ${held}
    where account_id = ${account_id} and user_id = ${user_id} and choice_id = ${choice_id} and mail_id is null
      and due_at <= ${dueUntil}`);
}

/** A mail said of these that they have ended. */
export async function noteEndsSaid(
  tx: Transaction,
  accountId: number,
  userId: string,
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx.writeAny(sql`
    update notification_items set told_end = ${true}
    where account_id = ${accountId} and user_id = ${userId} and alert_id in ${listOf(alertIds)}`);
}

/** What a mail did not say after all. */
export async function forgetUnsaid(
  tx: Transaction,
  { account_id, id }: { readonly account_id: number; readonly id: string },
  items: readonly ItemRow[],
): Promise<void> {
  for (const [event, those] of Map.groupBy(items, (item) => item.event)) {
    const alertIds = those.map(({ alert_id }) => alert_id);
    await tx.run(sql`
      delete from notification_items
      where account_id = ${account_id} and mail_id = ${id} and event = ${event} and alert_id in ${listOf(alertIds)}`);
  }
}

export interface WaitingItems {
  readonly choice_id: string;
  readonly user_id: string;
  readonly alerts: number;
  readonly due_at: number;
  /** Of the last of them. */
  readonly held: HoldReason | null;
}

/** What waits to be put into mails, by choice. */
export function waitingItems(reader: Reader, accountId: number): Promise<WaitingItems[]> {
  return reader.all(sql`
    select user_id, choice_id, count(*) as alerts, min(due_at) as due_at, max(held) as held
    from notification_items where account_id = ${accountId} and mail_id is null
    group by user_id, choice_id order by user_id, choice_id`);
}

/** Forgets what was sent long ago, with alerts that were withdrawn since and that nobody acknowledged. */
export async function forgetItems(tx: Transaction, accountId: number, before: number): Promise<void> {
  const waits = sql`select 1 from notification_mails m
    where m.account_id = ${accountId} and m.id = notification_items.mail_id and m.state = 'waiting'`;
  const forgotten = await tx.all<{ alert_id: string }>(sql`
    delete from notification_items
    where account_id = ${accountId} and created_at < ${before} and mail_id is not null and not exists (${waits})
    returning alert_id`);
  const alertIds = forgotten.map(({ alert_id }) => alert_id);
  await tx.writeAny(sql`
    delete from alerts where account_id = ${accountId} and id in ${listOf(alertIds)} and ${isForgotten(accountId)}`);
}

/** Of an alert: that it was withdrawn, and nobody has acknowledged it or hears of it. */
export function isForgotten(accountId: number): Sql {
  const item = sql`select 1 from notification_items n where n.account_id = ${accountId} and n.alert_id = alerts.id`;
  return sql`withdrawn and not acknowledged and not exists (${item})`;
}
