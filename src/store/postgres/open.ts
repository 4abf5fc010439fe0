import { SQL } from "bun";
import { Failure } from "../../domain/errors.ts";
import type { Observe } from "../../observe/observation.ts";
import { convertOldRows } from "../conversion.ts";
import type { AboutAccounts, Database, OpenOptions, Transaction } from "../database.ts";
import { beforeDeadline } from "../deadlines.ts";
import { migrate, needsMigration, type SchemaTransaction } from "../migrate.ts";
import { lastVersion } from "../migrations.ts";
import { allRows, plainSql, type Sql, sql } from "../sql.ts";
import { isSpread, walkIndexes } from "./citus.ts";
import { PostgresConnection, rowsOf } from "./connection.ts";
import {
  explainAddressError,
  explainPostgresError,
  isConflict,
  isConnectionLost,
  isReadOnly,
  isRefusedByFullDisk,
  noAnswer,
  WorkerFailure,
} from "./errors.ts";
import { ConnectionPool, nowhere } from "./pool.ts";
import { purgeTables } from "./purge.ts";
import { connectionTimeoutS, findSessions, isServerAlive, sessionOn, sessionOnPrimary } from "./sessions.ts";
import { answerMarginMs } from "./silence-watch.ts";
import { spreadTables } from "./spread-tables.ts";
import { analyseUnknownTables } from "./statistics.ts";
import { WorkerReads } from "./worker-reads.ts";
import { accountOf, isEverywhere, Workers } from "./workers.ts";

/** What connections call themselves: programs of one schema have one name. */
const programName = `odograph schema ${lastVersion}`;

const maxAttempts = 4;
/** A health check must be answered within two seconds. */
const pingTimeoutMs = 1_500;

interface PoolOptions {
  readonly poolSize: number;
  readonly relaxedCommits: boolean;
  /** No query of a request may hold a connection longer than this. Long work raises it for its own transaction. */
  readonly statementTimeoutMs: number;
  /** Of a transaction: it reads, all of it in one snapshot. */
  readonly isReplica?: boolean;
}

export async function openPostgres(url: string, options: OpenOptions & PoolOptions): Promise<Database> {
  let database = connect(url, { ...options, isDistributed: false });
  try {
    if (await isSpread(database)) {
      await database.close();
      database = connect(url, { ...options, isDistributed: true });
    }
    await database.migrate(options);
    await convertOldRows(database, options);
    await analyseUnknownTables(database);
    // The counters of requests are on the coordinator.
    if (!options.relaxedCommits) await database.findWorkers();
    return database;
  } catch (error) {
    await database.close();
    throw database.explained(error);
  }
}

/** Connections to a streaming replica (replica.ts). They connect when they are used. */
export type ReplicaConnections = Pick<Database, "get" | "transaction" | "close"> & { readonly place: string };

export function connectReplica(url: string, poolSize: number, statementTimeoutMs: number): ReplicaConnections {
  return connect(url, { poolSize, statementTimeoutMs, relaxedCommits: false, isDistributed: false, isReplica: true });
}

function connect(url: string, options: ConnectionOptions): PostgresDatabase {
  try {
    return new PostgresDatabase(url, options);
  } catch (error) {
    throw explainAddressError(error);
  }
}

interface ConnectionOptions extends PoolOptions {
  readonly isDistributed: boolean;
  readonly observe?: Observe;
}

class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly isDistributed: boolean;
  readonly #connect: () => SQL;
  readonly #pool: ConnectionPool;
  /** Of a store that is spread. */
  readonly #workers: Workers | null;
  readonly #workerReads: WorkerReads | null;
  readonly #observe: Observe;
  /** PostgreSQL ends a statement by itself before this: if there is no answer by then, none will come. */
  readonly #answerMs: number;

  constructor(url: string, options: ConnectionOptions) {
    this.isDistributed = options.isDistributed;
    const connect = (onEnd?: () => void) => newClient(url, options, onEnd);
    this.#connect = connect;
    this.#observe = options.observe ?? (() => {});
    const workers = options.isDistributed
      ? new Workers({
          connect: (statementTimeoutMs) => newClient(url, { ...options, statementTimeoutMs }),
          onSilent: (isConcerned, failure) => {
            this.#pool.giveUpOn(isConcerned, failure);
            this.#workerReads?.giveUpOn(isConcerned, failure);
          },
          onUnknownPlaces: (cause) => this.#failed("finding the accounts' workers", cause),
          onPlaces: (places) =>
            void this.#workerReads
              ?.connectTo(places)
              .catch((cause) => this.#failed("finding the accounts' shards", cause)),
        })
      : null;
    this.#workers = workers;
    this.#workerReads =
      workers &&
      new WorkerReads({
        url,
        poolSize: Math.ceil(options.poolSize / 2),
        limitMs: options.statementTimeoutMs + answerMarginMs,
        connect: (worker, onEnd) => newClient(worker, { ...options, isDistributed: false }, onEnd),
        ask: (query) => this.#share(this.#answerMs, query),
        placementOf: (accountId) => workers.answeringPlacementOf(accountId),
        shardsOf: (place) => workers.shardsOf(place),
        onMoved: () => workers.readPlacesSoon(),
        onDoubt: (watch) => void workers.doubt(watch),
        onUnusable: (worker, cause) =>
          this.#failed(`reading from the worker ${worker}, instead of through the coordinator`, cause),
      });
    this.#answerMs = options.statementTimeoutMs + answerMarginMs;
    this.#pool = new ConnectionPool({
      size: options.poolSize,
      limitMs: this.#answerMs,
      connect,
      check: options.isReplica ? sessionOn : sessionOnPrimary,
      isUnfit: isReadOnly,
      findSessions: (sessions) => findSessions(connect, sessions),
      isServerAlive: () => isServerAlive(connect),
      ...(workers && { onDoubt: (watch) => void workers.doubt(watch) }),
    });
  }

  all<Row>(query: Sql): Promise<Row[]> {
    return allRows(query, (one) => this.#read(one));
  }

  async get<Row>(query: Sql): Promise<Row | null> {
    return (await this.#read<Row>(query))[0] ?? null;
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction((connection) => work(connection));
  }

  async change<Result>(query: Sql): Promise<Result[]> {
    try {
      return await this.#share(this.#answerMs, query);
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** Only the server knows, and asking it takes as long as reading. */
  commits(): null {
    return null;
  }

  server(): string | null {
    return this.#pool.server;
  }

  workerOf(accountId: number): string | null {
    return this.#workerReads?.workerOf(accountId) ?? null;
  }

  async allOnWorker<Row>(accounts: readonly number[], about: AboutAccounts): Promise<Row[] | null> {
    try {
      return (await this.#workerReads?.readTogether<Row>(accounts, about)) ?? null;
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** Over a connection of its own: of large tables it takes minutes. */
  async purge(tables: readonly string[]): Promise<boolean> {
    const client = this.#connect();
    try {
      return await purgeTables(client, tables, this.isDistributed);
    } catch (error) {
      throw this.explained(error);
    } finally {
      await client.close({ timeout: 0 });
    }
  }

  async ping(): Promise<void> {
    const { place } = this.#pool;
    const asking = this.get(plainSql("select 1 from schema_migrations limit 1"));
    await beforeDeadline(asking, pingTimeoutMs, () => noAnswer(place));
  }

  /** So that the first statements find their part of the pool. */
  async findWorkers(): Promise<void> {
    await this.#workers?.readPlaces();
  }

  get place(): string {
    return this.#pool.place;
  }

  explained(error: unknown): unknown {
    const explained = explainPostgresError(error, this.#pool.place);
    if (explained instanceof WorkerFailure) this.#observe({ kind: "worker_failed", worker: explained.worker });
    return explained;
  }

  #failed(task: string, cause: unknown): void {
    this.#observe({ kind: "maintenance_failed", task, cause });
  }

  async close(): Promise<void> {
    this.#workers?.close();
    await Promise.all([this.#workerReads?.close(), this.#pool.close()]);
  }

  async migrate(options: OpenOptions): Promise<void> {
    // Without the lock: a node that joins a running cluster has nothing to migrate and need not wait.
    if (!(await needsMigration(this))) return;
    await this.#refuseBesideOlder();
    const applied = await this.#transaction(async (tx) => {
      const count = await migrate(tx, Date.now());
      if (count > 0 && this.isDistributed) await spreadNew(tx);
      return count;
    });
    if (applied > 0) options.observe?.({ kind: "schema_migrated", engine: this.engine, applied });
  }

  /** An older program knows neither the new tables nor that they are being filled. It calls itself by another number. */
  async #refuseBesideOlder(): Promise<void> {
    const others = await this.get<{ count: number }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name like 'odograph%' and application_name <> ${programName}`);
    if (!others?.count) return;
    throw new Failure(
      "STORE_LOCKED",
      `the database must be upgraded, and another version of odograph uses it (${others.count} connections): stop that on all nodes first`,
    );
  }

  /** A read can be repeated when a restart of the server cut its connection, or a full disk prevents a new one. */
  async #read<Row>(query: Sql): Promise<Row[]> {
    const begun = performance.now();
    try {
      const there = (await this.#workerReads?.read<Row>(query)) ?? null;
      if (there !== null) return there;
      return await this.#share(this.#answerMs - (performance.now() - begun), query);
    } catch (error) {
      if (!isConnectionLost(error) && !isRefusedByFullDisk(error)) throw this.explained(error);
    }
    try {
      return await this.#share(this.#answerMs - (performance.now() - begun), query);
    } catch (error) {
      throw this.explained(error);
    }
  }

  async #share<Row>(limitMs: number, query: Sql): Promise<Row[]> {
    const run = (client: SQL) => rowsOf<Row>(client, query);
    // Awaited: Bun reports a rejected promise that an async function returns as one that nobody handles.
    if (this.#workers === null) return await this.#pool.share(limitMs, nowhere, run);
    const account = accountOf(query);
    const aim = { account, worker: this.#workers.placeOf(account), isEverywhere: isEverywhere(query) };
    const refusal = this.#workers.refusalOf(aim);
    if (refusal) throw refusal;
    const rows = await this.#pool.share(limitMs, aim, run);
    this.#workers.noteAnswerTo(account);
    return rows;
  }

  /** If the answer to the commit is lost, nobody knows whether it is stored: it counts as failed, and is never run again. */
  async #transaction<T>(work: (tx: SchemaTransaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#pool.alone((client, watch) =>
          client.begin(async (connection) => {
            watch.answered();
            try {
              return await work(new PostgresConnection(connection, watch, this.#workers));
            } finally {
              // The answer to the commit or rollback, which follows.
              watch.expectAnswer();
            }
          }),
        );
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw this.explained(error);
      }
    }
  }
}

async function spreadNew(tx: SchemaTransaction): Promise<void> {
  await spreadTables((text, values = []) => tx.all({ text, values }), { shards: null, onTable: () => {} });
}

/**
 * A plan for certain values is never better than the one for all (citus.ts). Left to itself, PostgreSQL guesses that it is
 * for trips, alerts, readings and live positions, and plans these at every call, for as long as running them takes.
 */
const planOnce = { plan_cache_mode: "force_generic_plan" };

const readOnlySnapshots = {
  default_transaction_isolation: "repeatable read",
  default_transaction_read_only: "on",
};

/** Citus plans for certain values, because they say on which machine the rows are; it refuses to plan for all. */
const onCitus = {
  plan_cache_mode: "auto",
  // A transaction that changes reference tables after others is refused otherwise.
  "citus.multi_shard_modify_mode": "sequential",
};

function newClient(url: string, options: ConnectionOptions, onEnd?: () => void): SQL {
  const { relaxedCommits, statementTimeoutMs, isDistributed, isReplica } = options;
  return new SQL(url, {
    adapter: "postgres",
    max: 1,
    connectionTimeout: connectionTimeoutS,
    onclose: onEnd,
    // Makes int8 a separate type in rows, so that it can be distinguished from text and converted to a number.
    bigint: true,
    connection: {
      application_name: programName,
      statement_timeout: String(statementTimeoutMs),
      // A node whose machine is gone must not hold its rows for long. Long work under a lock allows itself more.
      idle_in_transaction_session_timeout: "20000",
      ...walkIndexes,
      // The counters of requests are in tables that are not spread.
      ...(isDistributed && !relaxedCommits ? onCitus : planOnce),
      ...(relaxedCommits ? { synchronous_commit: "off" } : {}),
      ...(isReplica ? readOnlySnapshots : {}),
    },
  });
}
