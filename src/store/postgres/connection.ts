import type { SQL, TransactionSQL } from "bun";
import type { BulkTable, BulkUpdate, Row } from "../database.ts";
import { isDistributedTable } from "../distribution.ts";
import type { SchemaTransaction } from "../migrate.ts";
import { requiredOf, requiredOfUpdate, requireRows } from "../required-rows.ts";
import { allRows, type Sql, sql, type Value } from "../sql.ts";
import { insertsByAccount, insertsOfRows, updatesOfRows } from "./bulk.ts";
import { answerMarginMs, type SilenceWatch } from "./silence-watch.ts";
import { accountOf, isEverywhere, type Workers } from "./workers.ts";

/** A transaction with a named lock does long work, and waits for others that do. */
const lockedMinutes = 30;

/** Runs one statement and returns its rows. Texts are prepared once per connection. */
export async function rowsOf<Result>(client: SQL | TransactionSQL, query: Sql): Promise<Result[]> {
  const rows: Record<string, unknown>[] = await client.unsafe(query.text, query.values as Value[]);
  for (const row of rows) bigintsToNumbers(row);
  return rows as Result[];
}

export class PostgresConnection implements SchemaTransaction {
  readonly engine = "postgres";
  readonly #client: TransactionSQL;
  readonly #watch: SilenceWatch;
  readonly #workers: Workers | null;

  /** `workers`: those of a store that is spread. */
  constructor(client: TransactionSQL, watch: SilenceWatch, workers: Workers | null) {
    this.#client = client;
    this.#watch = watch;
    this.#workers = workers;
  }

  async all<Result>(query: Sql): Promise<Result[]> {
    return allRows(query, (one) => {
      this.#admit(one);
      return this.#answered(one, rowsOf<Result>(this.#client, one));
    });
  }

  /** Notes what the statement is about, and refuses it if it needs a worker that is silent. */
  #admit(query: Sql): void {
    if (this.#workers === null) return;
    this.#watch.account = accountOf(query) ?? this.#watch.account;
    const needsAll = isEverywhere(query);
    // The commit, too, will need them all.
    this.#watch.isEverywhere ||= needsAll;
    const refusal = this.#workers.refusalOf({ account: this.#watch.account, isEverywhere: needsAll });
    if (refusal) throw refusal;
  }

  async #answered<T>(query: Sql, statement: Promise<T>): Promise<T> {
    const result = await this.#watched(statement);
    this.#workers?.noteAnswerTo(accountOf(query));
    return result;
  }

  async get<Result>(query: Sql): Promise<Result | null> {
    return (await this.all<Result>(query))[0] ?? null;
  }

  run(query: Sql): Promise<number> {
    return this.write(query, 0);
  }

  writeAny(query: Sql): Promise<number> {
    return this.write(query, 0);
  }

  async write(query: Sql, required = 1): Promise<number> {
    if (query.instead) return this.#runAll(query.instead, required);
    this.#admit(query);
    const result = await this.#answered(query, this.#client.unsafe(query.text, query.values as Value[]));
    return requireRows(result.count ?? 0, required, query.text);
  }

  async insertMany(table: BulkTable, rows: readonly Row[]): Promise<number> {
    const required = requiredOf(table, rows);
    if (this.#workers === null || !isDistributedTable(table.name))
      return this.#runAll(insertsOfRows(table, rows), required);
    const statements = insertsByAccount(table, rows);
    const added = await this.#runAll(statements, required);
    if (added > 0 || required > 0) return added;
    // Either all are skipped, or the account's shard was replaced while this waited. A second time it is found.
    const addedThen = await this.#runAll(statements, required);
    if (addedThen === 0) await this.#requireAccounts(rows);
    return addedThen;
  }

  /** Rows of an account that is not there would be lost silently. */
  async #requireAccounts(rows: readonly Row[]): Promise<void> {
    for (const accountId of new Set(rows.map(({ account_id }) => account_id ?? null))) {
      const known = sql`select 1 as found from fleet_revisions where account_id = ${accountId}`;
      if ((await this.get(known)) === null) throw new Error(`there is no account ${accountId} to add rows to`);
    }
  }

  updateMany(update: BulkUpdate, rows: readonly Row[]): Promise<number> {
    return this.#runAll(updatesOfRows(update, rows), requiredOfUpdate(update, rows));
  }

  async #runAll(statements: readonly Sql[], required: number): Promise<number> {
    let changed = 0;
    for (const statement of statements) changed += await this.run(statement);
    return requireRows(changed, required, statements[0]?.text ?? "");
  }

  async lock(name: string, waitMs?: number): Promise<void> {
    const isBounded = waitMs !== undefined;
    await this.#settings([
      `statement_timeout = '${lockedMinutes}min'`,
      `idle_in_transaction_session_timeout = '${lockedMinutes}min'`,
      ...(isBounded ? [`lock_timeout = '${Math.max(1, Math.ceil(waitMs))}ms'`] : []),
    ]);
    this.#watch.allow(lockedMinutes * 60_000 + answerMarginMs);
    await this.all(sql`select pg_advisory_xact_lock(hashtextextended(${`odograph:${name}`}, 0))`);
    // Rows are waited for as ever.
    if (isBounded) await this.#settings(["lock_timeout to default"]);
  }

  async script(text: string): Promise<void> {
    for (const statement of statementsOf(text)) await this.#watched(this.#client.unsafe(statement));
  }

  /** Until the transaction ends. All at once. */
  async #settings(changes: readonly string[]): Promise<void> {
    await this.#watched(this.#client.unsafe(changes.map((change) => `set local ${change}`).join("; ")));
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

/** Nothing that we store exceeds 2^53: times are milliseconds, distances millimetres, digests have 53 bits. */
function bigintsToNumbers(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint") row[name] = Number(value);
  }
}

/**
 * The statements of a migration. They are sent one by one: Citus passes some of them on to its machines as prepared statements,
 * which hold one each. No text in a migration holds a semicolon at the end of a line, or two dashes.
 */
export function statementsOf(migration: string): string[] {
  const withoutComments = migration.replace(/--.*$/gm, "");
  return withoutComments
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
