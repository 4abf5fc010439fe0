import { SQL } from "bun";
import type { Database, OpenOptions, Reader, Transaction } from "../database.ts";
import { requireKnownForms } from "../forms.ts";
import { type Migration, migrate, type SchemaTransaction } from "../migrate.ts";
import { plainSql, type Sql, sql } from "../sql.ts";
import { PostgresConnection } from "./connection.ts";
import { explainAddressError, explainPostgresError, isConflict, isConnectionLost } from "./errors.ts";
import { migrations } from "./migrations/index.ts";
import { ensureFramePartitions } from "./partitions.ts";

/** No query of a request may hold a connection longer than this. Long work raises it for its own transaction. */
const statementTimeoutMs = 15_000;
const connectionTimeoutS = 5;
const maxAttempts = 4;

interface PoolOptions {
  readonly poolSize: number;
  readonly relaxedCommits: boolean;
}

export async function openPostgres(url: string, options: OpenOptions & PoolOptions): Promise<Database> {
  const database = connect(url, options);
  try {
    await database.migrate(migrations, options);
    await requireKnownForms(database);
    await ensureFramePartitions(database, Date.now());
    return database;
  } catch (error) {
    await database.close();
    throw explainPostgresError(error);
  }
}

function connect(url: string, options: PoolOptions): PostgresDatabase {
  try {
    return new PostgresDatabase(url, options);
  } catch (error) {
    throw explainAddressError(error);
  }
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly #pool: SQL;
  readonly #reading: Reader;

  constructor(url: string, { poolSize, relaxedCommits }: PoolOptions) {
    this.#pool = new SQL(url, {
      adapter: "postgres",
      max: poolSize,
      connectionTimeout: connectionTimeoutS,
      // Gives int8 a type of its own in the rows, so that it can be told from text and made a number.
      bigint: true,
      connection: {
        application_name: "odograph",
        statement_timeout: String(statementTimeoutMs),
        idle_in_transaction_session_timeout: "60000",
        ...(relaxedCommits ? { synchronous_commit: "off" } : {}),
      },
    });
    this.#reading = new PostgresConnection(this.#pool);
  }

  all<Row>(query: Sql): Promise<Row[]> {
    return this.#read(() => this.#reading.all<Row>(query));
  }

  get<Row>(query: Sql): Promise<Row | null> {
    return this.#read(() => this.#reading.get<Row>(query));
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction((connection) => work(connection));
  }

  async change<Result>(query: Sql): Promise<Result[]> {
    try {
      return await this.#reading.all<Result>(query);
    } catch (error) {
      throw explainPostgresError(error);
    }
  }

  /** Only the server knows, and asking it takes as long as reading. */
  commits(): null {
    return null;
  }

  async ping(): Promise<void> {
    await this.get(plainSql("select 1 from schema_migrations limit 1"));
  }

  async close(): Promise<void> {
    await this.#pool.close({ timeout: 5 });
  }

  async migrate(known: readonly Migration[], options: OpenOptions): Promise<void> {
    if (await this.#isCurrent(known.length)) return;
    const applied = await this.#transaction((tx) => migrate(tx, known, Date.now()));
    if (applied > 0) options.observe?.({ kind: "schema_migrated", engine: this.engine, applied });
  }

  /** Looks without the lock: a node that joins a running cluster has nothing to migrate and nobody to wait for. */
  async #isCurrent(known: number): Promise<boolean> {
    const table = await this.get<{ there: boolean }>(sql`select to_regclass('schema_migrations') is not null as there`);
    if (!table?.there) return false;
    const row = await this.get<{ version: number | null }>(
      plainSql("select max(version) as version from schema_migrations"),
    );
    return row?.version === known;
  }

  /** A read can be asked again when a restart of the server cut its connection. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isConnectionLost(error)) throw explainPostgresError(error);
    }
    try {
      return await read();
    } catch (error) {
      throw explainPostgresError(error);
    }
  }

  async #transaction<T>(work: (tx: SchemaTransaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#pool.begin((connection) => work(new PostgresConnection(connection)));
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw explainPostgresError(error);
      }
    }
  }
}
