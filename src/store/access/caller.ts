import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";
import { devicesInSight, ofEachDevice } from "../visible.ts";

/** Who a viewer is. */
export interface CallerRow {
  readonly account_id: string;
  readonly account_name: string;
  readonly time_zone: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly role: "owner" | "sub_account";
}

export interface CallerKeyRow {
  readonly key_id: string;
  readonly name: string;
  readonly prefix: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly expires_at: number | null;
}

export function callerRow(reader: Reader, { accountId, userId }: Visibility): Promise<CallerRow | null> {
  return reader.get(sql`
    select a.id as account_id, a.name as account_name, a.time_zone, u.id as user_id, u.name as user_name, u.role
    from users u cross join accounts a
    where u.id = ${userId} and u.account_id = ${accountId} and a.account_id = ${accountId}`);
}

export function callerKeyRow(reader: Reader, { accountId }: Visibility, id: string): Promise<CallerKeyRow | null> {
  return reader.get(sql`
    select id as key_id, name, prefix, scopes, expires_at from api_keys where account_id = ${accountId} and id = ${id}`);
}

/** When the last frame of a device in sight was received; null: none was. */
export async function newestFrameAt(reader: Reader, visibility: Visibility): Promise<number | null> {
  const { tables, condition } = devicesInSight(visibility, null);
  const ofDevice = sql`r.account_id = ${visibility.accountId} and r.device = d.device`;
  const row = await reader.get<{ at: number | null }>(sql`
    select max(r.last_seen_at) as at from ${tables}
    ${ofEachDevice(reader.engine, sql`latest_positions`, ofDevice, sql``)} where ${condition}`);
  return row?.at ?? null;
}
