import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { itemsOfAlerts } from "./items.ts";

/** When people were mailed of these alerts; those of which nobody was are left out. */
export async function mailedAlerts(
  reader: Reader,
  accountId: number,
  alertIds: Iterable<string>,
): Promise<Map<string, number>> {
  const rows = await reader.all<{ alert_id: string; at: number }>(sql`
    select alert_id, max(created_at) as at from notification_items
    where account_id = ${accountId} and alert_id in ${listOf(alertIds)} and mail_id is not null group by alert_id`);
  return new Map(rows.map(({ alert_id, at }) => [alert_id, at]));
}

/** Alerts have another moment, and so another id: who has heard of one hears no more. */
export async function itemsMoved(
  tx: Transaction,
  accountId: number,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const ids = moves.flatMap(({ from, to }) => [from, to]);
  const items = await itemsOfAlerts(tx, accountId, ids);
  // By which of its alerts each person has heard of one: by one is enough.
  const heard = new Map(items.map(({ user_id, alert_id }) => [`${user_id} ${alert_id}`, alert_id]));
  const targets = new Map(moves.map(({ from, to }) => [from, to]));
  for (const { user_id, alert_id, event } of items) {
    const to = targets.get(alert_id);
    if (to === undefined) continue;
    const isThis = sql`account_id = ${accountId} and user_id = ${user_id} and alert_id = ${alert_id} and event = ${event}`;
    const heardBy = heard.getOrInsert(`${user_id} ${to}`, alert_id);
    if (heardBy === alert_id) await tx.writeAny(sql`update notification_items set alert_id = ${to} where ${isThis}`);
    else await tx.writeAny(sql`delete from notification_items where ${isThis}`);
  }
}
