import type { Transaction } from "../database.ts";
import { turnOfLoop } from "../share-thread.ts";
import { asTransaction, type SqliteConnection } from "./connection.ts";
import { isBusy } from "./errors.ts";

interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: unknown };

/** How many transactions may share a commit: enough to make the fsync cheap, few enough to answer the first soon. */
const maxGroupSize = 256;

/**
 * A writer with work without end leaves the lock free for a moment after so long. Other threads of the server and other processes
 * have writers of their own, and nothing tells them when the lock is free: between two commits it is for microseconds only.
 */
const busyMs = 500;
/** As long as a timer may be late on a machine that is not idle, and a hundredth of the time. */
const giveWayMs = 5;

/** How often a writer looks whether the lock is free: seldom at first; then so often that it does not miss such a moment. */
const seldomMs = 50;
const oftenMs = 1;
/** For as long it looks seldom. Most transactions take less. */
const patienceMs = 250;
/** A thread that did not run has not waited: between two looks no more than this counts. */
const maxCountedMs = 250;

/**
 * The one writer. Transactions that arrive while another commits are run together in one commit, each in its own
 * savepoint, so they share one fsync, and one that fails does not affect the others. Nothing is reported as stored
 * before that commit is on disk.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #lockTimeoutMs: number;
  readonly #tx: Transaction;
  #waiting: Job[] = [];
  #between: (() => void)[] = [];
  #draining: Promise<void> | null = null;
  /** Since when the lock was not free for long enough that another could take it. */
  #busySince = Number.NEGATIVE_INFINITY;
  #freedAt = Number.NEGATIVE_INFINITY;

  /** Another process (a `load` beside the server) or thread may hold the file's lock for as long as `lockTimeoutMs`. */
  constructor(connection: SqliteConnection, lockTimeoutMs: number) {
    this.#connection = connection;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#tx = asTransaction(connection);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Runs something on the connection while no transaction is under way. */
  between<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#between.push(() => {
        try {
          resolve(work(this.#connection));
        } catch (error) {
          reject(error);
        }
      });
      this.#draining ??= this.#drain();
    });
  }

  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length + this.#between.length > 0) {
      // One turn of the event loop, so that requests which came in together are committed together.
      await turnOfLoop();
      for (const work of this.#between.splice(0)) work();
      const group = this.#waiting.splice(0, maxGroupSize);
      if (group.length === 0) continue;
      try {
        await this.#giveWay();
        await this.#commitTogether(group);
      } catch (error) {
        for (const job of group) job.reject(error);
      }
      this.#freedAt = performance.now();
    }
    this.#draining = null;
  }

  async #commitTogether(group: readonly Job[]): Promise<void> {
    await this.#begin();
    const outcomes: Outcome[] = [];
    try {
      const [first, ...others] = group;
      // Alone it needs no savepoint, for which SQLite would copy each page before it is changed.
      if (first !== undefined && others.length === 0) outcomes.push({ job: first, value: await first.work(this.#tx) });
      else for (const job of group) outcomes.push(await this.#runInSavepoint(job));
      this.#connection.script("commit");
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.script("rollback");
      throw error;
    }
    for (const outcome of outcomes) {
      if ("error" in outcome) outcome.job.reject(outcome.error);
      else outcome.job.resolve(outcome.value as never);
    }
  }

  async #runInSavepoint(job: Job): Promise<Outcome> {
    this.#connection.script("savepoint job");
    try {
      const value = await job.work(this.#tx);
      this.#connection.script("release job");
      return { job, value };
    } catch (error) {
      // A full or failing disk ends the whole transaction: then nothing of the group was stored.
      if (!this.#connection.inTransaction) throw error;
      this.#connection.script("rollback to job");
      this.#connection.script("release job");
      return { job, error };
    }
  }

  /** Others that wait for the lock get it in turn, whatever this one has to do. */
  async #giveWay(): Promise<void> {
    const now = performance.now();
    if (now - this.#freedAt < giveWayMs) {
      if (now - this.#busySince < busyMs) return;
      await Bun.sleep(giveWayMs);
    }
    this.#busySince = performance.now();
  }

  /** SQLite would wait for the lock by blocking the whole process; we wait beside the event loop. */
  async #begin(): Promise<void> {
    let waitedMs = 0;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, seldomMs)) {
      const lookedAt = performance.now();
      try {
        this.#connection.script("begin immediate");
        if (waitedMs > 0) this.#busySince = performance.now();
        return;
      } catch (error) {
        if (!isBusy(error) || waitedMs > this.#lockTimeoutMs) throw error;
        await Bun.sleep(waitedMs < patienceMs ? pauseMs : oftenMs);
        waitedMs += Math.min(performance.now() - lookedAt, maxCountedMs);
      }
    }
  }
}
