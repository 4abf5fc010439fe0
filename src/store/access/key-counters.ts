import type { BulkTable, Reader, Transaction } from "../database.ts";
import { type Sql, sql } from "../sql.ts";

export interface CountedKey {
  readonly accountId: number;
  readonly keyId: string;
}

/** What is to be added to the count of a key and of a UTC day, counted from 1970-01-01. */
export interface KeyCharges extends CountedKey {
  readonly day: number;
  readonly charges: number;
  readonly lastUsedAt: number;
}

/** The same for all keys of an account together. */
export interface AccountCharges {
  readonly accountId: number;
  readonly day: number;
  readonly charges: number;
}

/** The columns of a key's second are the shared limiter's own. */
const keyTable: BulkTable = {
  name: "key_counters",
  columns: {
    account_id: "bigint",
    key_id: "uuid",
    day: "integer",
    day_used: "integer",
    second: "bigint",
    second_used: "integer",
    admitted: "boolean",
    last_used_at: "bigint",
  },
  onConflict: `on conflict (account_id, key_id, day) do update set
    day_used = case when key_counters.day_used + excluded.day_used > 0 then key_counters.day_used + excluded.day_used else 0 end,
    last_used_at = case when excluded.last_used_at > key_counters.last_used_at then excluded.last_used_at
      else key_counters.last_used_at end`,
};

const accountTable: BulkTable = {
  name: "account_counters",
  columns: { account_id: "bigint", day: "integer", day_used: "integer" },
  onConflict: `on conflict (account_id, day) do update set day_used =
    case when account_counters.day_used + excluded.day_used > 0 then account_counters.day_used + excluded.day_used else 0 end`,
};

/** Adds what was counted in memory. Accounts first, rows in order, as SharedCounters does, so that nodes do not deadlock. */
export async function addCharges(
  tx: Transaction,
  keys: readonly KeyCharges[],
  accounts: readonly AccountCharges[],
): Promise<void> {
  const accountRows = accounts.map(({ accountId, day, charges }) => ({
    account_id: accountId,
    day,
    day_used: charges,
  }));
  accountRows.sort((one, other) => one.account_id - other.account_id || one.day - other.day);
  const noSecond = { second: 0, second_used: 0, admitted: true };
  const keyRows = keys.map(({ accountId, keyId, day, charges, lastUsedAt }) => {
    return { account_id: accountId, key_id: keyId, day, day_used: charges, ...noSecond, last_used_at: lastUsedAt };
  });
  keyRows.sort((one, other) => (one.key_id < other.key_id ? -1 : one.key_id > other.key_id ? 1 : one.day - other.day));
  if (accountRows.length > 0) await tx.insertMany(accountTable, accountRows);
  await tx.insertMany(keyTable, keyRows);
}

/** The store's counts of one UTC day. */
export interface StoredCounts {
  readonly keyUsed: number;
  /** By all keys of the account together. */
  readonly accountUsed: number;
  /** Whether the account has its own row yet. Until then its count is the sum of its keys' use. */
  readonly hasAccountRow: boolean;
}

interface CountsRow {
  readonly key_used: number | null;
  readonly account_used: number | null;
}

export async function storedCounts(
  reader: Reader,
  key: CountedKey,
  day: number,
  isAccountLimited: boolean,
): Promise<StoredCounts> {
  const row = await reader.get<CountsRow>(selectCounts(key, day));
  if (!isAccountLimited || row?.account_used != null) return toCounts(row, null);
  return toCounts(row, await reader.get<{ used: number }>(selectSum(key.accountId, day)));
}

/** The same where the store is part of this process. */
export function storedCountsAtOnce(
  reader: Reader,
  key: CountedKey,
  day: number,
  isAccountLimited: boolean,
): StoredCounts {
  if (!reader.getAtOnce) throw new Error("only an embedded store answers at once");
  const row = reader.getAtOnce<CountsRow>(selectCounts(key, day));
  if (!isAccountLimited || row?.account_used != null) return toCounts(row, null);
  return toCounts(row, reader.getAtOnce<{ used: number }>(selectSum(key.accountId, day)));
}

function selectCounts({ accountId, keyId }: CountedKey, day: number): Sql {
  return sql`select
    (select day_used from key_counters where account_id = ${accountId} and key_id = ${keyId} and day = ${day}) as key_used,
    (select day_used from account_counters where account_id = ${accountId} and day = ${day}) as account_used`;
}

function selectSum(accountId: number, day: number): Sql {
  return sql`
    select coalesce(sum(day_used), 0) as used from key_counters where account_id = ${accountId} and day = ${day}`;
}

function toCounts(row: CountsRow | null, sum: { readonly used: number } | null): StoredCounts {
  const accountUsed = row?.account_used ?? null;
  return {
    keyUsed: row?.key_used ?? 0,
    accountUsed: accountUsed ?? Number(sum?.used ?? 0),
    hasAccountRow: accountUsed !== null,
  };
}
