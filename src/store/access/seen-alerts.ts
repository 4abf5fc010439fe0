import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";

/** When the person last looked at the alerts; null: never. */
export async function alertsSeenAt(reader: Reader, userId: string): Promise<number | null> {
  const row = await reader.get<{ at: number | null }>(sql`select alerts_seen_at as at from users where id = ${userId}`);
  return row?.at ?? null;
}

/** The latest look counts, whichever is stored first. */
export async function noteAlertsSeen(tx: Transaction, userId: string, at: number): Promise<void> {
  await tx.writeAny(sql`
    update users set alerts_seen_at = ${at} where id = ${userId} and coalesce(alerts_seen_at, 0) < ${at}`);
}
