import type { Reader } from "../database.ts";
import { plainSql, sql } from "../sql.ts";

/** Everything about a key that decides what a request with it may do. */
export interface PrincipalRow {
  readonly account_id: number;
  readonly key_id: string;
  readonly user_id: string;
  readonly role: "owner" | "sub_account";
  readonly scopes: string;
  readonly expires_at: number | null;
  readonly key_per_second: number | null;
  readonly key_per_day: number | null;
  readonly account_per_second: number;
  /** For each key. */
  readonly account_per_day: number;
  /** For all keys together; null: no such limit. */
  readonly together_per_day: number | null;
}

/** A key that works: not revoked, of a user who is not disabled and an account that is not suspended. */
export function workingKey(reader: Reader, secretHash: string): Promise<PrincipalRow | null> {
  return reader.get(
    sql`select ${columns} from api_keys k ${inForce} where k.secret_hash = ${secretHash} and ${unrevoked}`,
  );
}

/** PostgreSQL only: the same of many, in their order, with one statement that those who ask share. */
export async function workingKeys(reader: Reader, secretHashes: readonly string[]): Promise<(PrincipalRow | null)[]> {
  const rows = await reader.all<PrincipalRow & { secret_hash: string }>(sql`
    select k.secret_hash, ${columns}
    from unnest(${`{${[...new Set(secretHashes)].join()}}`}::text[]) as asked (secret_hash)
    join api_keys k on k.secret_hash = asked.secret_hash and ${unrevoked} ${inForce}`);
  const byHash = new Map(rows.map((row) => [row.secret_hash, row]));
  return secretHashes.map((secretHash) => byHash.get(secretHash) ?? null);
}

const columns = plainSql(`
  k.account_id, k.id as key_id, k.user_id, u.role, k.scopes, k.expires_at,
  k.limit_per_second as key_per_second, k.limit_per_day as key_per_day,
  a.limit_per_second as account_per_second, a.limit_per_day as account_per_day,
  a.limit_account_per_day as together_per_day`);
const unrevoked = plainSql("k.revoked_at is null");
const inForce = plainSql(`
  join users u on u.id = k.user_id and u.status = 'active'
  join accounts a on a.account_id = k.account_id and a.status = 'active'`);
