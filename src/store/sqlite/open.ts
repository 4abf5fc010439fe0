import { constants } from "node:fs";
import { access, mkdir, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { convertOldRows } from "../conversion.ts";
import type { Database, OpenOptions, Transaction } from "../database.ts";
import { migrate, needsMigration } from "../migrate.ts";
import { plainSql, type Sql } from "../sql.ts";
import { CommitStamp } from "./commit-stamp.ts";
import { SqliteConnection } from "./connection.ts";
import { explainSqliteError } from "./errors.ts";
import { requireOurSchema } from "./known-schema.ts";
import { isServed } from "./server-lock.ts";
import { SqliteWriter } from "./writer.ts";

/** While the store is open, SQLite has two more files next to it. */
export const fileName = "odograph.db";

/** Requests are answered in less. Only a long export, a backup or a forgotten console holds the log for longer. */
const purgeMs = 10_000;
const purgePauseMs = 20;

interface FileOptions {
  readonly lockTimeoutMs: number;
}

/** The embedded store: one file in WAL mode, one connection that writes and one that reads the last commit. */
export async function openSqlite(directory: string, options: OpenOptions & FileOptions): Promise<Database> {
  const path = join(directory, fileName);
  await findOrMakeFile(directory, path, options.create);
  let database: SqliteDatabase | null = null;
  try {
    database = new SqliteDatabase(path, options);
    await database.migrate(options);
    await convertOldRows(database, options);
    return database;
  } catch (error) {
    await database?.close();
    throw explainSqliteError(error, path);
  }
}

class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly isDistributed = false;
  readonly #path: string;
  readonly #writing: SqliteConnection;
  readonly #reading: SqliteConnection;
  readonly #writer: SqliteWriter;
  #commits: CommitStamp | null = null;

  constructor(path: string, { lockTimeoutMs }: FileOptions) {
    this.#path = path;
    this.#writing = openForWriting(path);
    this.#reading = openForReading(path);
    this.#writer = new SqliteWriter(this.#writing, lockTimeoutMs);
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return this.#explained(() => this.#reading.all<Row>(query));
  }

  async get<Row>(query: Sql): Promise<Row | null> {
    return this.getAtOnce(query);
  }

  getAtOnce<Row>(query: Sql): Row | null {
    return this.#explained(() => this.#reading.get<Row>(query));
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#writer.transaction(work);
    } catch (error) {
      throw explainSqliteError(error, this.#path);
    }
  }

  change<Result>(query: Sql): Promise<Result[]> {
    return this.transaction((tx) => tx.all<Result>(query));
  }

  commits(): number | null {
    this.#commits ??= new CommitStamp(this.#path);
    return this.#commits.read();
  }

  /** `secure_delete` overwrites rows in the file. The log has them until it is cut off, when nobody reads an earlier state. */
  async purge(): Promise<boolean> {
    const copy = (connection: SqliteConnection) =>
      connection.get<{ busy: number }>(plainSql("pragma wal_checkpoint(truncate)"))?.busy === 0;
    // Most of the log is copied while others write. They wait for the rest.
    await this.#writer.between((connection) => connection.get(plainSql("pragma wal_checkpoint(passive)")));
    const deadline = performance.now() + purgeMs;
    while (!(await this.#writer.between(copy))) {
      if (performance.now() > deadline) return false;
      await Bun.sleep(purgePauseMs);
    }
    return true;
  }

  async ping(): Promise<void> {
    this.#explained(() => this.#reading.get(plainSql("select 1 from schema_migrations")));
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    this.#reading.close();
    this.#writing.close();
  }

  async migrate(options: OpenOptions): Promise<void> {
    this.#refuseForeign();
    // Without the write lock, so that a short command need not wait for a long load.
    if (!(await needsMigration(this))) return;
    if (!options.isServer) refuseServed(dirname(this.#path));
    const script = async (text: string) => this.#writing.script(text);
    const applied = await this.#writer.transaction((tx) => migrate({ ...tx, script }, Date.now()));
    if (applied > 0) options.observe?.({ kind: "schema_migrated", engine: this.engine, applied });
  }

  /** A new file has no tables. */
  #refuseForeign(): void {
    const any = plainSql("select 1 as there from sqlite_master where type = 'table' limit 1");
    if (this.#reading.get(any)) requireOurSchema(this.#reading, this.#path);
  }

  #explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw explainSqliteError(error, this.#path);
    }
  }
}

/** A server of an earlier version would find its tables gone. One of this version has changed the schema itself. */
function refuseServed(directory: string): void {
  if (!isServed(directory)) return;
  const message = `an earlier odograph serves ${directory}: stop it before this version upgrades the store`;
  throw new Failure("STORE_LOCKED", message);
}

function openForWriting(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, { readonly: false });
  // Switching a new file to WAL needs exclusive access for a moment; two programs may start at once.
  connection.script("pragma busy_timeout = 5000");
  connection.script("pragma journal_mode = wal");
  // An acknowledgement means that it is on disk: NORMAL loses commits at a power cut, FULL does not.
  connection.script("pragma synchronous = full");
  connection.script("pragma foreign_keys = on");
  // Overwrites what is deleted. What is erased must be gone from the file; and an erased row may have had copies in places
  // that were deleted long before, such as a frame that was moved into a block.
  connection.script("pragma secure_delete = on");
  connection.script("pragma journal_size_limit = 67108864");
  // Frames of many devices change many pages, and the next batch changes the same ones: so the log may grow to 64 MB
  // before it is copied, and a transaction's pages stay in memory until it commits.
  connection.script("pragma wal_autocheckpoint = 16000");
  connection.script("pragma cache_size = -65536");
  // From here on the writer waits for locks by itself, without blocking the process.
  connection.script("pragma busy_timeout = 0");
  return connection;
}

function openForReading(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, { readonly: true });
  // A reader waits only while another process recovers the log after a crash.
  connection.script("pragma busy_timeout = 5000");
  connection.script("pragma mmap_size = 268435456");
  connection.script("pragma cache_size = -65536");
  return connection;
}

/** Readable only by the service's own user: it contains password hashes and signing secrets. */
async function findOrMakeFile(directory: string, path: string, create: boolean): Promise<void> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw notWritable(directory, error);
  });
  if (there && !there.isFile()) throw new Failure("STORE_CORRUPT", `the database ${path} is not a file`);
  if (there) {
    await requireWritable(path);
    await requireWritable(directory);
    return;
  }
  if (!create) {
    throw new Failure(
      "STORE_MISSING",
      `there is no database in ${directory}: \`odograph load\` or \`odograph serve\` makes one`,
    );
  }
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw notWritable(directory, error);
  }
}

function notWritable(directory: string, error: unknown): Failure {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  const code = reason === "ENOSPC" ? "STORE_FULL" : "STORE_READ_ONLY";
  // A file has the name of the directory.
  if (reason === "EEXIST") return new Failure(code, `${directory} is not a directory`, { cause: error });
  return new Failure(code, `the data directory ${directory} cannot be written (${reason})`, { cause: error });
}

async function requireWritable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Failure("STORE_READ_ONLY", `the database is read-only: ${path} may not be written`, { cause: error });
  }
}
