import type { Visibility } from "../../domain/visibility.ts";
import { bigint, integer, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { nothing, sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";
import { isKeyVisible } from "./api-keys.ts";

/** What one key did at one endpoint on one UTC day. */
const keyUsageTable = table("key_usage", ["account_id", "key_id", "day", "endpoint"], {
  account_id: bigint,
  key_id: uuid,
  day: integer,
  endpoint: text,
  requests: bigint,
  not_modified: bigint,
  refused: bigint,
  errors: bigint,
});

export type KeyUsageRow = RowOf<typeof keyUsageTable.columns>;

const columns = listed(omit(keyUsageTable.columns, "account_id"), "u");
const counts = upsert(keyUsageTable, [], {
  requests: "key_usage.requests + excluded.requests",
  not_modified: "key_usage.not_modified + excluded.not_modified",
  refused: "key_usage.refused + excluded.refused",
  errors: "key_usage.errors + excluded.errors",
});

/** Adds to the stored counts: several nodes count the same key. */
export async function addKeyUsage(tx: Transaction, rows: readonly KeyUsageRow[]): Promise<void> {
  await tx.insertMany(counts, rows);
}

export interface NamedKeyUsageRow extends Omit<KeyUsageRow, "account_id"> {
  readonly key_name: string;
  readonly key_prefix: string;
}

/** The use of the visible keys, or of the one named, from one UTC day to another, both included. In ascending day. */
export function keyUsage(
  reader: Reader,
  visibility: Visibility,
  wanted: { readonly firstDay: number; readonly lastDay: number; readonly keyId: string | null },
): Promise<NamedKeyUsageRow[]> {
  const ofKey = wanted.keyId === null ? nothing : sql`and k.id = ${wanted.keyId}`;
  return reader.all(sql`
    select ${columns}, k.name as key_name, k.prefix as key_prefix
    from api_keys k join key_usage u on u.account_id = ${visibility.accountId} and u.key_id = k.id
    where ${isKeyVisible(visibility)} ${ofKey} and u.day >= ${wanted.firstDay} and u.day <= ${wanted.lastDay}
    order by u.day, u.key_id, u.endpoint`);
}
