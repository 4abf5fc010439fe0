import type { Visibility } from "../../domain/visibility.ts";
import { bigint, integer, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { inEachAccount } from "../each-account.ts";
import { nothing, plainSql, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";

const apiKeyTable = table("api_keys", ["id"], {
  account_id: bigint,
  id: uuid,
  user_id: uuid,
  name: text,
  prefix: text,
  secret_hash: text,
  /** Separated by spaces. */
  scopes: text,
  limit_per_second: orNull(integer),
  limit_per_day: orNull(integer),
  expires_at: orNull(bigint),
  revoked_at: orNull(bigint),
  /** The id of its successor, once it is being replaced. */
  replaced_by: orNull(uuid),
  created_at: bigint,
});

const shown = omit(apiKeyTable.columns, "secret_hash");

export type ApiKeyRow = Omit<RowOf<typeof apiKeyTable.columns>, "revoked_at" | "replaced_by">;

/** A key as a list shows it: without its hash, with its creator and its last use. */
export interface ListedApiKeyRow extends RowOf<typeof shown> {
  readonly last_used_at: number | null;
  readonly user_email: string;
  readonly account_name: string;
}

/** A key as the portal shows it: also with its use of the day, and the account's limits. */
export interface UsedApiKeyRow extends ListedApiKeyRow {
  readonly user_name: string;
  readonly user_status: "active" | "disabled";
  readonly account_per_day: number;
  /** For all keys of the account together; null: no such limit. */
  readonly together_per_day: number | null;
  /** Its use of the requested UTC day; null: nothing. */
  readonly day_used: number | null;
}

export async function addApiKey(tx: Transaction, key: ApiKeyRow): Promise<void> {
  await tx.insertMany(apiKeyTable, [key]);
}

function columns(accountId: number): Sql {
  return sql`${shownOfKey}, u.email as user_email, a.name as account_name,
    (select c.last_used_at from key_counters c where c.account_id = ${accountId} and c.key_id = k.id
      order by c.day desc limit 1) as last_used_at`;
}

const shownOfKey = listed(shown, "k");
const fromKeys = sql`
  from api_keys k
  join users u on u.id = k.user_id
  join accounts a on a.account_id = k.account_id`;

function selectListed(accountId: number): Sql {
  return sql`select ${columns(accountId)} ${fromKeys} where k.account_id = ${accountId}`;
}

function selectUsed(visibility: Visibility, day: number): Sql {
  const { accountId } = visibility;
  return sql`
    select ${columns(accountId)}, u.name as user_name, u.status as user_status, a.limit_per_day as account_per_day,
      a.limit_account_per_day as together_per_day, t.day_used
    ${fromKeys}
    left join key_counters t on t.account_id = ${accountId} and t.key_id = k.id and t.day = ${day}
    where ${isKeyVisible(visibility)}`;
}

/** All keys, or those that one user made, oldest first. */
export async function listApiKeys(reader: Reader, creatorId: string | null): Promise<ListedApiKeyRow[]> {
  const accounts = await reader.all<Pick<ApiKeyRow, "account_id">>(
    creatorId === null
      ? sql`select distinct account_id from api_keys`
      : sql`select account_id from users where id = ${creatorId}`,
  );
  const made = creatorId === null ? nothing : sql`and k.user_id = ${creatorId}`;
  const keys = await inEachAccount(accounts, (accountId) =>
    reader.all<ListedApiKeyRow>(sql`${selectListed(accountId)} ${made}`),
  );
  return keys.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1));
}

export async function apiKeyById(reader: Reader, id: string): Promise<ListedApiKeyRow | null> {
  const key = await reader.get<Pick<ApiKeyRow, "account_id">>(sql`select account_id from api_keys where id = ${id}`);
  return key && reader.get(sql`${selectListed(key.account_id)} and k.id = ${id}`);
}

/** Returns whether there was such a key that was not revoked yet. */
export async function revokeApiKey(tx: Transaction, id: string, now: number): Promise<boolean> {
  return (await tx.writeAny(sql`update api_keys set revoked_at = ${now} where id = ${id} and revoked_at is null`)) > 0;
}

/** The keys that the viewer may manage, newest first, with their use of a UTC day: the owner all, a sub-account its own. */
export function visibleApiKeys(reader: Reader, visibility: Visibility, day: number): Promise<UsedApiKeyRow[]> {
  return reader.all(sql`${selectUsed(visibility, day)} order by k.created_at desc, k.id`);
}

export function visibleApiKey(
  reader: Reader,
  visibility: Visibility,
  id: string,
  day: number,
): Promise<UsedApiKeyRow | null> {
  return reader.get(sql`${selectUsed(visibility, day)} and k.id = ${id}`);
}

/** For `api_keys k`. */
export function isKeyVisible({ sees, accountId, userId }: Visibility): Sql {
  switch (sees) {
    case "account":
      return sql`k.account_id = ${accountId}`;
    case "assigned":
      return sql`k.account_id = ${accountId} and k.user_id = ${userId}`;
    case "shared":
      return sql`1 = 0`;
  }
}

/** Names the successor of a working key that has none, and ends the key. Of two concurrent calls, one returns true. */
export async function replaceApiKey(
  tx: Transaction,
  id: string,
  { successorId, expiresAt }: { readonly successorId: string; readonly expiresAt: number },
  now: number,
): Promise<boolean> {
  const changed = await tx.writeAny(sql`
    update api_keys set replaced_by = ${successorId},
      expires_at = case when expires_at < ${expiresAt} then expires_at else ${expiresAt} end
    where id = ${id} and replaced_by is null and ${isWorking(now)}`);
  return changed > 0;
}

function isWorking(now: number): Sql {
  return sql`revoked_at is null and (expires_at is null or expires_at > ${now})`;
}

/** How many of a user's keys work: those without a successor, and those that still work beside theirs. */
export interface WorkingKeys {
  readonly plain: number;
  readonly replaced: number;
}

/** Counts the working keys of a user. Nobody else can add one before the transaction ends. */
export async function countWorkingKeys(
  tx: Transaction,
  { account_id, user_id }: Pick<ApiKeyRow, "account_id" | "user_id">,
  now: number,
): Promise<WorkingKeys> {
  // Changes nothing, but locks the row: of two concurrent counts, the second sees the first one's key.
  await tx.write(sql`update users set updated_at = updated_at where id = ${user_id}`);
  const counts = await tx.get<WorkingKeys>(sql`
    select coalesce(sum(case when replaced_by is null then 1 else 0 end), 0) as plain,
      coalesce(sum(case when replaced_by is null then 0 else 1 end), 0) as replaced
    from api_keys
    where account_id = ${account_id} and user_id = ${user_id} and ${isWorking(now)}`);
  return { plain: Number(counts?.plain ?? 0), replaced: Number(counts?.replaced ?? 0) };
}

/** What the keys of a user are called that work now. */
export async function namesOfWorkingKeys(
  reader: Reader,
  { account_id, user_id }: Pick<ApiKeyRow, "account_id" | "user_id">,
  now: number,
): Promise<string[]> {
  const rows = await reader.all<Pick<ApiKeyRow, "name">>(sql`
    select name from api_keys
    where account_id = ${account_id} and user_id = ${user_id} and ${isWorking(now)} order by name, id`);
  return rows.map(({ name }) => name);
}

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
    sql`select ${principalColumns} from api_keys k ${inForce} where k.secret_hash = ${secretHash} and ${unrevoked}`,
  );
}

/** PostgreSQL only: the same of many, in their order, with one statement that those who ask share. */
export async function workingKeys(reader: Reader, secretHashes: readonly string[]): Promise<(PrincipalRow | null)[]> {
  const rows = await reader.all<PrincipalRow & { secret_hash: string }>(sql`
    select k.secret_hash, ${principalColumns}
    from unnest(${`{${[...new Set(secretHashes)].join()}}`}::text[]) as asked (secret_hash)
    join api_keys k on k.secret_hash = asked.secret_hash and ${unrevoked} ${inForce}`);
  const byHash = new Map(rows.map((row) => [row.secret_hash, row]));
  return secretHashes.map((secretHash) => byHash.get(secretHash) ?? null);
}

const principalColumns = plainSql(`
  k.account_id, k.id as key_id, k.user_id, u.role, k.scopes, k.expires_at,
  k.limit_per_second as key_per_second, k.limit_per_day as key_per_day,
  a.limit_per_second as account_per_second, a.limit_per_day as account_per_day,
  a.limit_account_per_day as together_per_day`);
const unrevoked = plainSql("k.revoked_at is null");
const inForce = plainSql(`
  join users u on u.id = k.user_id and u.status = 'active'
  join accounts a on a.account_id = k.account_id and a.status = 'active'`);
