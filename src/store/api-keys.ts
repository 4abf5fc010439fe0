import type { Reader, Transaction } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

export interface ApiKeyRow {
  readonly account_id: number;
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly secret_hash: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly limit_per_second: number | null;
  readonly limit_per_day: number | null;
  readonly expires_at: number | null;
  readonly created_at: number;
}

/** A key as a list shows it: without its hash, with its creator and when it was used last. */
export interface ListedApiKeyRow extends Omit<ApiKeyRow, "secret_hash"> {
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly user_email: string;
  readonly account_name: string;
}

export async function addApiKey(tx: Transaction, key: ApiKeyRow): Promise<void> {
  await tx.run(sql`
    insert into api_keys (account_id, id, user_id, name, prefix, secret_hash, scopes, limit_per_second, limit_per_day,
      expires_at, created_at)
    values (${key.account_id}, ${key.id}, ${key.user_id}, ${key.name}, ${key.prefix}, ${key.secret_hash}, ${key.scopes},
      ${key.limit_per_second}, ${key.limit_per_day}, ${key.expires_at}, ${key.created_at})`);
}

const selectListed = sql`
  select k.account_id, k.id, k.user_id, k.name, k.prefix, k.scopes, k.limit_per_second, k.limit_per_day, k.expires_at,
    k.revoked_at, k.created_at, c.last_used_at, u.email as user_email, a.name as account_name
  from api_keys k
  join users u on u.id = k.user_id
  join accounts a on a.account_id = k.account_id
  left join key_counters c on c.account_id = k.account_id and c.key_id = k.id`;

/** All keys, or those that one user made, oldest first. */
export function listApiKeys(reader: Reader, creatorId: string | null): Promise<ListedApiKeyRow[]> {
  const made: Sql = creatorId === null ? sql`` : sql`where k.user_id = ${creatorId}`;
  return reader.all(sql`${selectListed} ${made} order by k.created_at, k.id`);
}

export function apiKeyById(reader: Reader, id: string): Promise<ListedApiKeyRow | null> {
  return reader.get(sql`${selectListed} where k.id = ${id}`);
}

/** Tells whether there was such a key that was not revoked yet. */
export async function revokeApiKey(tx: Transaction, id: string, now: number): Promise<boolean> {
  return (await tx.run(sql`update api_keys set revoked_at = ${now} where id = ${id} and revoked_at is null`)) > 0;
}
