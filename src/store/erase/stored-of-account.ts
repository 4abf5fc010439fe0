import type { Reader } from "../database.ts";
import { limitTo } from "../pages.ts";
import { type Sql, sql } from "../sql.ts";
import type { StoredRow } from "./stored-rows.ts";

/** What is stored of an account besides its devices, its users, its fences and its rules. No secret is among it. */

interface Part {
  readonly type: string;
  readonly row: StoredRow;
}

export async function storedOfAccount(reader: Reader, accountId: number): Promise<Part[]> {
  const queries: Readonly<Record<string, Sql>> = {
    preferences: sql`
      select p.* from preferences p join accounts a on a.account_id = p.account_id and a.id = p.whose
      where p.account_id = ${accountId}`,
    ingest_token: sql`
      select id, name, prefix, created_at, last_used_at, revoked_at from ingest_tokens
      where account_id = ${accountId} order by created_at, id`,
    unknown_device: sql`
      select imei, first_seen_at, last_seen_at, count from unknown_devices where account_id = ${accountId} order by imei`,
    geofence: sql`
      select g.id, g.name, g.description, g.color, g.removed_at, v.valid_from, v.shape, v.geometry_json, v.radius_m, v.width_m
      from geofences g join geofence_versions v on v.account_id = ${accountId} and v.geofence_id = g.id
      where g.account_id = ${accountId} and g.removed_at is not null order by g.id, v.valid_from`,
  };
  const parts: Part[] = [];
  for (const [type, query] of Object.entries(queries)) {
    for (const { whose: _, ...row } of await reader.all<StoredRow>(query)) parts.push({ type, row });
  }
  return parts;
}

const entriesPerRead = 1_000;
const columns = sql`entry_id, at, actor, actor_id, action, type as record_type, id as record_id, details_json`;

export function auditOfAccount(reader: Reader, accountId: number): AsyncGenerator<StoredRow, void, void> {
  return entries(reader, sql`account_id = ${accountId}`);
}

/** What the user did, and what was done to the user or to a key of the user. */
export function auditOfUser(reader: Reader, accountId: number, userId: string): AsyncGenerator<StoredRow, void, void> {
  // Ids of alert settings are no UUIDs, so the column is a text.
  const keys = sql`(
    select cast(k.id as text) from api_keys k where k.account_id = ${accountId} and k.user_id = ${userId})`;
  const ofUser = sql`(actor_id = ${userId} or id = ${userId} or (type = 'key' and id in ${keys}))`;
  return entries(reader, sql`account_id = ${accountId} and ${ofUser}`);
}

async function* entries(reader: Reader, which: Sql): AsyncGenerator<StoredRow, void, void> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await reader.all<StoredRow>(sql`
      select ${columns} from audit_log where ${which} and entry_id > ${after}
      order by entry_id ${limitTo(entriesPerRead)}`);
    yield* rows;
    if (rows.length < entriesPerRead) return;
    after = String(rows.at(-1)?.entry_id);
  }
}
