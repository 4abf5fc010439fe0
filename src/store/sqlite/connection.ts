import { Database as Sqlite, type Statement } from "bun:sqlite";
import type { BulkTable, BulkUpdate, Row, Transaction } from "../database.ts";
import { requiredOf, requiredOfUpdate, requireRows } from "../required-rows.ts";
import type { Sql, Value } from "../sql.ts";

/** One SQLite connection with its prepared statements. Everything it does is synchronous. */
export class SqliteConnection {
  readonly #sqlite: Sqlite;
  readonly #statements = new Map<string, Statement>();
  readonly #bulkStatements = new WeakMap<BulkTable | BulkUpdate, BulkStatement>();

  constructor(path: string, options: { readonly: boolean }) {
    this.#sqlite = new Sqlite(path, options.readonly ? { readonly: true } : { readwrite: true, create: false });
  }

  all<Result>(query: Sql): Result[] {
    if (query.instead) return query.instead.flatMap((one) => this.all<Result>(one));
    return this.#prepare(query.text).all(...(query.values as Value[])) as Result[];
  }

  get<Result>(query: Sql): Result | null {
    return this.#prepare(query.text).get(...(query.values as Value[])) as Result | null;
  }

  run(query: Sql, required = 0): number {
    if (query.instead) return query.instead.reduce((changed, one) => changed + this.run(one, required), 0);
    return requireRows(this.#prepare(query.text).run(...(query.values as Value[])).changes, required, query.text);
  }

  insertMany(table: BulkTable, rows: readonly Row[]): number {
    const insert = this.#bulk(table, () => insertText(table));
    return requireRows(runForEach(insert, rows), requiredOf(table, rows), insert.text);
  }

  updateMany(update: BulkUpdate, rows: readonly Row[]): number {
    const statement = this.#bulk(update, () => updateText(update));
    return requireRows(runForEach(statement, rows), requiredOfUpdate(update, rows), statement.text);
  }

  /** Its text is made once for each declaration: a lone frame is stored by seven of them. */
  #bulk(declared: BulkTable | BulkUpdate, make: () => Omit<BulkStatement, "statement">): BulkStatement {
    let bulk = this.#bulkStatements.get(declared);
    if (bulk === undefined) {
      const { text, columns } = make();
      bulk = { text, columns, statement: this.#prepare(text) };
      this.#bulkStatements.set(declared, bulk);
    }
    return bulk;
  }

  /** Runs statements that are not worth preparing: pragmas, transaction control, migrations. */
  script(text: string): void {
    this.#sqlite.run(text);
  }

  get inTransaction(): boolean {
    return this.#sqlite.inTransaction;
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#sqlite.close(true);
  }

  #prepare(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      // `$1` would be a name to SQLite; `?1` is the first parameter.
      statement = this.#sqlite.prepare(text.replace(/\$(\d+)/g, "?$1"));
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

interface BulkStatement {
  readonly text: string;
  /** In the order of its parameters. */
  readonly columns: readonly string[];
  readonly statement: Statement;
}

function insertText({ name, columns: declared, onConflict = "" }: BulkTable): Omit<BulkStatement, "statement"> {
  const columns = Object.keys(declared);
  const places = columns.map((_, index) => `?${index + 1}`).join(", ");
  return { columns, text: `insert into ${name} (${columns.join(", ")}) values (${places}) ${onConflict}` };
}

function updateText({ name, key, changed }: BulkUpdate): Omit<BulkStatement, "statement"> {
  const columns = [...Object.keys(changed), ...Object.keys(key)];
  const places = columns.map((column, index) => `${column} = ?${index + 1}`);
  const split = Object.keys(changed).length;
  const text = `update ${name} set ${places.slice(0, split).join(", ")} where ${places.slice(split).join(" and ")}`;
  return { columns, text };
}

/** All rows share one array for their values: thousands of rows a second pass here. */
function runForEach({ statement, columns }: BulkStatement, rows: readonly Row[]): number {
  const values: Value[] = new Array(columns.length);
  let changed = 0;
  for (const row of rows) {
    for (let index = 0; index < columns.length; index++) values[index] = row[columns[index] as string] ?? null;
    changed += statement.run(...values).changes;
  }
  return changed;
}

export function asTransaction(connection: SqliteConnection): Transaction {
  return {
    engine: "sqlite",
    all: async (query) => connection.all(query),
    get: async (query) => connection.get(query),
    run: async (query) => connection.run(query),
    write: async (query, rows = 1) => connection.run(query, rows),
    writeAny: async (query) => connection.run(query),
    insertMany: async (table, rows) => connection.insertMany(table, rows),
    updateMany: async (update, rows) => connection.updateMany(update, rows),
    // SQLite has one writer: a transaction is alone.
    lock: async () => {},
  };
}
