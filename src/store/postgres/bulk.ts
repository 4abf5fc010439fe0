import type { BulkTable, BulkUpdate, Row } from "../database.ts";
import type { Sql } from "../sql.ts";

/** Rows that travel in one statement: large enough to be cheap, small enough to leave others a turn. */
const rowsPerStatement = 2_000;

/** Statements that add the rows. One text for any number of rows, so that it is prepared once. */
export function insertsOfRows(table: BulkTable, rows: readonly Row[]): Sql[] {
  const names = Object.keys(table.columns).join(", ");
  const text =
    `insert into ${table.name} (${names}) select ${names} ` +
    `from json_to_recordset($1::text::json) as row (${typed(table.columns)}) ${table.onConflict ?? ""}`;
  return chunks(inJson(table, rows)).map((chunk) => ({ text, values: [JSON.stringify(chunk)] }));
}

/**
 * The same for a table that is spread by account. Citus would collect the rows on the coordinator first, and send them on as a
 * copy. If they are joined with a row of their account, they go to its machine as one statement: twice as fast. Every account
 * has its row in `fleet_revisions`.
 */
export function insertsByAccount(table: BulkTable, rows: readonly Row[]): Sql[] {
  const { account_id: _, ...columns } = table.columns;
  const names = Object.keys(columns);
  const text =
    `insert into ${table.name} (account_id, ${names.join(", ")}) select f.account_id, ${names.map((name) => `row.${name}`).join(", ")} ` +
    `from fleet_revisions f cross join json_to_recordset($1::text::json) as row (${typed(columns)}) ` +
    `where f.account_id = $2::bigint ${table.onConflict ?? ""}`;
  return groups(inJson(table, rows)).flatMap((group) =>
    chunks(group).map((chunk) => ({ text, values: [JSON.stringify(chunk), group[0]?.account_id ?? null] })),
  );
}

/** Statements that change the rows, each of one account if the table has accounts. */
export function updatesOfRows({ name, key, changed }: BulkUpdate, rows: readonly Row[]): Sql[] {
  const { account_id: account, ...keyInAccount } = key;
  const values = Object.keys(changed).map((column) => `${column} = row.${column}`);
  const found = Object.keys(keyInAccount).map((column) => `there.${column} = row.${column}`);
  if (account) found.unshift(`there.account_id = $2::${account}`);
  const text =
    `update ${name} there set ${values.join(", ")} ` +
    `from json_to_recordset($1::text::json) as row (${typed({ ...keyInAccount, ...changed })}) where ${found.join(" and ")}`;
  return (account ? groups(rows) : [rows]).flatMap((group) =>
    chunks(group).map((chunk) => {
      const accountId = account ? [chunk[0]?.account_id ?? null] : [];
      return { text, values: [JSON.stringify(chunk), ...accountId] };
    }),
  );
}

function typed(columns: BulkTable["columns"]): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}

/** By account. Mostly there is one. */
function groups(rows: readonly Row[]): (readonly Row[])[] {
  const first = rows[0]?.account_id;
  if (rows.every(({ account_id }) => account_id === first)) return [rows];
  return [...Map.groupBy(rows, ({ account_id }) => account_id).values()];
}

function chunks(rows: readonly Row[]): (readonly Row[])[] {
  const size = rowsPerStatement;
  if (rows.length <= size) return rows.length === 0 ? [] : [rows];
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}

/** In JSON, bytes are hexadecimal digits. */
function inJson({ columns }: BulkTable, rows: readonly Row[]): readonly Row[] {
  return Object.values(columns).includes("bytea") ? rows.map(withHexBytes) : rows;
}

function withHexBytes(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array
        ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex")}`
        : value,
    ]),
  );
}
