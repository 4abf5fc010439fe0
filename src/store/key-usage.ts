import type { BulkTable, Transaction } from "./database.ts";

/** What one key did at one endpoint on one UTC day. */
export interface KeyUsageRow {
  readonly account_id: number;
  readonly key_id: string;
  readonly day: number;
  readonly endpoint: string;
  readonly requests: number;
  readonly not_modified: number;
  readonly refused: number;
  readonly errors: number;
}

const table: BulkTable = {
  name: "key_usage",
  columns: {
    account_id: "bigint",
    key_id: "uuid",
    day: "integer",
    endpoint: "text",
    requests: "bigint",
    not_modified: "bigint",
    refused: "bigint",
    errors: "bigint",
  },
  onConflict: `on conflict (account_id, key_id, day, endpoint) do update set
    requests = key_usage.requests + excluded.requests,
    not_modified = key_usage.not_modified + excluded.not_modified,
    refused = key_usage.refused + excluded.refused,
    errors = key_usage.errors + excluded.errors`,
};

/** Adds to what is there: several nodes count the same key. */
export async function addKeyUsage(tx: Transaction, rows: readonly KeyUsageRow[]): Promise<void> {
  await tx.insertMany(
    table,
    rows.map((row) => ({ ...row })),
  );
}
