import type { Observe } from "../observe/observation.ts";
import type { Sql, Value } from "./sql.ts";

export type Engine = "sqlite" | "postgres";

/**
 * Rows come back as plain objects. Integers are numbers (nothing we store exceeds 2^53), times are UTC milliseconds, and
 * booleans are 0/1 in SQLite and true/false in PostgreSQL: read them with `Boolean(…)`.
 */
export interface Reader {
  readonly engine: Engine;
  /** The store that it reads, if the reader itself is made for one page. */
  readonly store?: object;
  all<Result>(query: Sql): Promise<Result[]>;
  get<Result>(query: Sql): Promise<Result | null>;
  /** The same without waiting, if the store is part of this process. */
  getAtOnce?<Result>(query: Sql): Result | null;
}

/** Whether the store is part of this process. Then a query runs in our own thread, and a long one delays everybody else. */
export function isEmbedded({ engine }: Pick<Reader, "engine">): boolean {
  return engine === "sqlite";
}

export interface Transaction extends Reader {
  /** Removes rows, or does something with a whole table. Returns how many rows it touched, as the next two do. */
  run(query: Sql): Promise<number>;

  /** Adds or changes rows, at least so many (without a number: one): with fewer, the transaction fails (required-rows.ts). */
  write(query: Sql, rows?: number): Promise<number>;

  /** Adds or changes rows, or none: an update with a condition, or an insert of what may be there already. */
  writeAny(query: Sql): Promise<number>;

  /**
   * Adds many rows at once and returns how many were added or, by the table's conflict clause, changed. Fails if that is not each
   * row, unless the table lets rows be skipped.
   */
  insertMany(table: BulkTable, rows: readonly Row[]): Promise<number>;

  /** Changes many existing rows, each found by its key, and returns how many there were. Fails if one is missing. */
  updateMany(update: BulkUpdate, rows: readonly Row[]): Promise<number>;

  /**
   * Waits until no other transaction holds a lock of this name. Released when this transaction ends. After `waitMs` it fails
   * with STORE_LOCKED, where transactions can wait for each other.
   */
  lock(name: string, waitMs?: number): Promise<void>;
}

export interface Database extends Reader {
  /** Whether its rows are spread over many machines by account (distribution.ts). Then no statement is about two accounts. */
  readonly isDistributed: boolean;

  /**
   * Runs `work` as one transaction. The promise resolves when it is durably committed and rejects when nothing of it
   * was stored. Await only the transaction inside: in SQLite everyone else's writes wait for it.
   * Where transactions can meet, `work` is run again: whatever it takes from outside must be there for the second time.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Runs one statement that changes rows and returns some, as its own transaction. It is never run twice. */
  change<Result>(query: Sql): Promise<Result[]>;

  /**
   * A number that changes with every commit of anybody, known without a query; null if unknown. What is read after
   * reading the number is current as long as the number stays the same.
   */
  commits(): number | null;

  /**
   * The server that all connections lead to at present, known without a query; null: there is none, or more than one. After a
   * restart or a failover it is another. An embedded store has no server.
   */
  server?(): string | null;

  /** Of a store that is spread: the worker from which the account can be read; null: it is read through the coordinator. */
  workerOf?(accountId: number): string | null;

  /** A read about several accounts of one worker. Null: each has to be asked about by itself. */
  allOnWorker?<Row>(accounts: readonly number[], about: AboutAccounts): Promise<Row[] | null>;

  /** Removes what was deleted from these tables from the store's files, too. False: an open reader still holds the old data. */
  purge(tables: readonly string[]): Promise<boolean>;

  ping(): Promise<void>;

  close(): Promise<void>;
}

/** A read about any accounts, or none. */
export interface AboutAccounts {
  readonly text: string;
  /** What to select of the rows of `text`. */
  readonly columns: string;
  /** The parameters of `text`, always as many. */
  readonly valuesOf: (accounts: readonly number[]) => readonly Value[];
}

export interface OpenOptions {
  /** Whether to create a missing SQLite file. Commands that need an existing fleet set it to false. */
  readonly create: boolean;
  readonly observe?: Observe;
  /** Whether this process holds the lock of the data directory (sqlite/server-lock.ts). */
  readonly isServer?: boolean;
  /** Ends the conversion of an earlier version's rows after the step under way; opening fails with its reason. */
  readonly signal?: AbortSignal;
  /** Instead of those that this version needs: a test has its own. */
  readonly conversions?: readonly Conversion[];
}

/** Rows of an earlier form, converted in steps before the store is used (conversion.ts). */
export interface Conversion {
  readonly what: string;
  /** How many rows there are in all, with those that are converted already; null: nothing to convert. */
  readonly total: (reader: Reader) => Promise<number | null>;
  /** How many of them are converted. */
  readonly done: (reader: Reader) => Promise<number>;
  /** Converts some in one transaction. False: none was left. Killed at any moment, it goes on. */
  readonly step: (database: Database) => Promise<boolean>;
}

export type Row = Readonly<Record<string, Value>>;

/** Column types, as PostgreSQL names them, for rows that are inserted in bulk. */
export type ColumnType = "bigint" | "integer" | "text" | "uuid" | "boolean" | "double precision" | "bytea";

/** Columns that are changed together. Changing one that no index contains costs half as much. */
export interface BulkUpdate {
  readonly name: string;
  readonly key: Readonly<Record<string, ColumnType>>;
  readonly changed: Readonly<Record<string, ColumnType>>;
  /** Whether rows may have been removed meanwhile, and need no change then. */
  readonly rowsMayBeGone?: boolean;
}

export interface BulkTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** What to do with a row whose key exists already, e.g. `on conflict do nothing`. */
  readonly onConflict?: string;
}
