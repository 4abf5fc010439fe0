import type { SQL, TransactionSQL } from "bun";
import type { BulkTable, BulkUpdate, Row } from "../database.ts";
import type { SchemaTransaction } from "../migrate.ts";
import { type Sql, sql, type Value } from "../sql.ts";
import { answerMarginMs, type SilenceWatch } from "./silence-watch.ts";

/** Rows of a bulk insert that travel in one statement: large enough to be cheap, small enough to leave others a turn. */
const rowsPerInsert = 2_000;

/** A transaction with a named lock does long work, and waits for others that do. */
const lockedMinutes = 30;

/** Runs one statement and returns its rows. Texts are prepared once per connection. */
export async function rowsOf<Result>(client: SQL | TransactionSQL, query: Sql): Promise<Result[]> {
  const rows: Record<string, unknown>[] = await client.unsafe(query.text, query.values as Value[]);
  for (const row of rows) bigintsToNumbers(row);
  return rows as Result[];
}

/** Statements on the one connection of a transaction. */
export class PostgresConnection implements SchemaTransaction {
  readonly engine = "postgres";
  readonly #client: TransactionSQL;
  readonly #watch: SilenceWatch;

  constructor(client: TransactionSQL, watch: SilenceWatch) {
    this.#client = client;
    this.#watch = watch;
  }

  all<Result>(query: Sql): Promise<Result[]> {
    return this.#watched(rowsOf<Result>(this.#client, query));
  }

  async get<Result>(query: Sql): Promise<Result | null> {
    return (await this.all<Result>(query))[0] ?? null;
  }

  async run(query: Sql): Promise<number> {
    const result = await this.#watched(this.#client.unsafe(query.text, query.values as Value[]));
    return result.count ?? 0;
  }

  async insertMany(table: BulkTable, rows: readonly Row[]): Promise<number> {
    const columns = Object.keys(table.columns);
    const names = columns.join(", ");
    const types = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`);
    const text =
      `insert into ${table.name} (${names}) select ${names} ` +
      `from json_to_recordset($1::text::json) as row (${types.join(", ")}) ${table.onConflict ?? ""}`;
    return this.#inChunks(text, Object.values(table.columns).includes("bytea") ? rows.map(withHexBytes) : rows);
  }

  async updateMany({ name, key, changed }: BulkUpdate, rows: readonly Row[]): Promise<number> {
    const types = Object.entries({ ...key, ...changed }).map(([column, type]) => `${column} ${type}`);
    const values = Object.keys(changed).map((column) => `${column} = row.${column}`);
    const found = Object.keys(key).map((column) => `there.${column} = row.${column}`);
    const text =
      `update ${name} there set ${values.join(", ")} ` +
      `from json_to_recordset($1::text::json) as row (${types.join(", ")}) where ${found.join(" and ")}`;
    return this.#inChunks(text, rows);
  }

  async #inChunks(text: string, rows: readonly Row[]): Promise<number> {
    let changed = 0;
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert);
      const result = await this.#watched(this.#client.unsafe(text, [JSON.stringify(chunk)]));
      changed += result.count ?? 0;
    }
    return changed;
  }

  async lock(name: string, waitMs?: number): Promise<void> {
    const isBounded = waitMs !== undefined;
    await this.script(
      `set local statement_timeout = '${lockedMinutes}min'` +
        (isBounded ? `; set local lock_timeout = '${Math.max(1, Math.ceil(waitMs))}ms'` : ""),
    );
    this.#watch.allow(lockedMinutes * 60_000 + answerMarginMs);
    await this.all(sql`select pg_advisory_xact_lock(hashtextextended(${`odograph:${name}`}, 0))`);
    // Rows are waited for as ever.
    if (isBounded) await this.script("set local lock_timeout to default");
  }

  async script(text: string): Promise<void> {
    await this.#watched(this.#client.unsafe(text));
  }

  /** Each statement must be answered in time; a transaction with many statements may take longer. */
  async #watched<T>(statement: Promise<T>): Promise<T> {
    this.#watch.expectAnswer();
    try {
      return await statement;
    } finally {
      this.#watch.answered();
    }
  }
}

/** In JSON, bytes are hexadecimal digits. */
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

/** Nothing that we store exceeds 2^53: times are milliseconds, distances millimetres, digests have 53 bits. */
function bigintsToNumbers(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint") row[name] = Number(value);
  }
}
