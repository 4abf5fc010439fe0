import type { AlertsWanted, NotificationChoice, Pacing } from "../../domain/notifications/choice.ts";
import { bigint, boolean, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { nothing, sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

const choiceTable = table("notification_choices", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  user_id: uuid,
  wanted_json: text,
  pacing: oneOf<Pacing>(),
  tells_end: boolean,
  quiet_from: orNull(integer),
  quiet_until: orNull(integer),
  /** Null: the account's. */
  time_zone: orNull(text),
  since: bigint,
  /** Since when it is paused; null: it is not. */
  stopped_at: orNull(bigint),
  created_by: orNull(uuid),
  created_at: bigint,
  updated_at: bigint,
});

export type NotificationChoiceRow = RowOf<typeof choiceTable.columns>;

const columns = listed(choiceTable.columns);
const bulk = upsert(choiceTable, ["user_id", "created_by", "created_at"]);

/** In the order in which they were made. */
export function choicesOfAccount(
  reader: Reader,
  accountId: number,
  userId: string | null,
): Promise<NotificationChoiceRow[]> {
  const ofUser = userId === null ? nothing : sql`and user_id = ${userId}`;
  return reader.all(sql`
    select ${columns} from notification_choices where account_id = ${accountId} ${ofUser}
    order by user_id, created_at, id`);
}

export function choiceById(reader: Reader, accountId: number, id: string): Promise<NotificationChoiceRow | null> {
  return reader.get(sql`
    select ${columns} from notification_choices where account_id = ${accountId} and id = ${id}`);
}

export async function saveChoice(tx: Transaction, choice: NotificationChoiceRow): Promise<void> {
  await tx.insertMany(bulk, [choice]);
}

/** With what waits for it. */
export async function removeChoice(tx: Transaction, accountId: number, id: string): Promise<void> {
  await tx.run(sql`
    delete from notification_items where account_id = ${accountId} and choice_id = ${id} and mail_id is null`);
  await tx.writeAny(sql`
    update notification_mails set state = 'empty'
    where account_id = ${accountId} and choice_id = ${id} and state = 'waiting'`);
  await tx.run(sql`delete from notification_choices where account_id = ${accountId} and id = ${id}`);
}

/** Returns whether it held until now. */
export async function stopChoice(tx: Transaction, choice: NotificationChoiceRow, now: number): Promise<boolean> {
  const { account_id, user_id, id } = choice;
  const stopped = await tx.writeAny(sql`
    update notification_choices set stopped_at = ${now}, updated_at = ${now}
    where account_id = ${account_id} and user_id = ${user_id} and id = ${id} and stopped_at is null`);
  return stopped > 0;
}

/** Which alerts a stored choice is about. */
export function wantedOf({ wanted_json }: Pick<NotificationChoiceRow, "wanted_json">): AlertsWanted {
  return JSON.parse(wanted_json) as AlertsWanted;
}

export function choiceOf(row: NotificationChoiceRow, accountZone: string): NotificationChoice {
  const { quiet_from: from, quiet_until: until } = row;
  return {
    ...wantedOf(row),
    id: row.id,
    userId: row.user_id,
    pacing: row.pacing,
    tellsEnd: Boolean(row.tells_end),
    quiet: from === null || until === null ? null : { from, until },
    timeZone: row.time_zone ?? accountZone,
    since: row.since,
  };
}

/** A device that is erased is named nowhere. A choice that named no other matches nothing, not everything. */
export async function leaveDeviceOut(tx: Transaction, accountId: number, deviceId: string): Promise<void> {
  for (const row of await choicesOfAccount(tx, accountId, null)) {
    const wanted = wantedOf(row);
    if (!wanted.deviceIds?.includes(deviceId)) continue;
    const deviceIds = wanted.deviceIds.filter((id) => id !== deviceId);
    await saveChoice(tx, { ...row, wanted_json: JSON.stringify({ ...wanted, deviceIds }) });
  }
}
