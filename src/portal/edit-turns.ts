import { Failure } from "../domain/errors.ts";
import { HttpFailure } from "../http/failures.ts";
import type { Database } from "../store/database.ts";
import { beforeDeadline } from "../store/deadlines.ts";
import { SharedThread } from "../store/share-thread.ts";

interface EditTimes {
  /** How long an edit waits for others of its account. */
  readonly turnMs: number;
  /** From its request on; what is not ready to be committed by then is not stored. */
  readonly editMs: number;
  /** What remains for the commit, and for reading what was stored. */
  readonly commitMs: number;
}

/** All of it is less than the time that a request has. */
const usualTimes: EditTimes = { turnMs: 4_000, editMs: 7_000, commitMs: 2_000 };

/** A person with a few windows open needs no more. */
const maxWaitingOfAccount = 4;
const maxWaiting = 100;

/**
 * Edits of fleets and their previews. Each holds the lock of all fleets, and the embedded store works in the thread that
 * answers everybody. So an account has one under way, and few that wait; and of all accounts, one at a time is in the store:
 * edits that wait there would each hold a connection, and be served in no fair order. Others are answered between any two
 * steps of it.
 */
export class EditTurns {
  readonly #database: Database;
  readonly #times: EditTimes;
  readonly #ofAccount = new Map<number, Turns>();
  readonly #ofAll = new Turns(maxWaiting);

  constructor(database: Database, times = usualTimes) {
    this.#database = database;
    this.#times = times;
  }

  /**
   * Does an edit when it is its account's turn. It must use the store that it is given: that one waits for the lock only as
   * long as the person does, and stores nothing after that.
   */
  async run<Result>(accountId: number, work: (database: Database) => Promise<Result>): Promise<Result> {
    const { turnMs, editMs, commitMs } = this.#times;
    const begun = performance.now();
    const turns = this.#ofAccount.get(accountId) ?? new Turns(maxWaitingOfAccount);
    this.#ofAccount.set(accountId, turns);
    try {
      const end = await turns.take(turnMs);
      if (end === null) throw tooManyEdits();
      try {
        const remainingMs = begun + editMs + commitMs - performance.now();
        return await beforeDeadline(work(this.#within(begun + editMs)), remainingMs, outcomeUnknown);
      } finally {
        end();
      }
    } finally {
      if (turns.isIdle) this.#ofAccount.delete(accountId);
    }
  }

  /** The store, of which transactions end before the deadline or store nothing. */
  #within(dueAt: number): Database {
    const database = this.#database;
    const remainingMs = () => Math.max(1, dueAt - performance.now());
    const { commitMs } = this.#times;
    const ofAll = this.#ofAll;
    const thread = new SharedThread();
    return {
      engine: database.engine,
      isDistributed: database.isDistributed,
      ...thread.reader(database),
      ...(database.getAtOnce && { getAtOnce: (query) => database.getAtOnce?.(query) ?? null }),
      change: (query) => database.change(query),
      commits: () => database.commits(),
      purge: (tables) => database.purge(tables),
      ping: () => database.ping(),
      close: () => database.close(),
      async transaction(work) {
        const end = await ofAll.take(remainingMs());
        if (end === null) throw busy();
        let isCommitting = false;
        const stored = database.transaction(async (tx) => {
          if (performance.now() > dueAt) throw busy();
          const result = await work({ ...thread.transaction(tx), lock: (name) => tx.lock(name, remainingMs()) });
          if (performance.now() > dueAt) throw busy();
          isCommitting = true;
          return result;
        });
        try {
          const late = () => (isCommitting ? outcomeUnknown() : busy());
          return await beforeDeadline(stored, remainingMs() + commitMs / 2, late);
        } catch (error) {
          // Another process, such as a `load`, holds the lock.
          throw error instanceof Failure && error.code === "STORE_LOCKED" ? busy(error) : error;
        } finally {
          end();
        }
      },
    };
  }
}

/** The person has more under way than anybody can read. */
function tooManyEdits(): Failure {
  const message = "other changes of this account are under way; wait a second before the next";
  return new HttpFailure("RATE_LIMITED", message, { headers: { "Retry-After": "1" } });
}

function busy(cause?: unknown): Failure {
  return new Failure("UNAVAILABLE", "others are changing fleets; nothing was stored, try again in a moment", { cause });
}

/** The commit itself takes too long, or what follows it. */
function outcomeUnknown(): Failure {
  return new Failure("STORE_UNREACHABLE", "the store did not answer in time whether an edit is stored");
}

/** Lets one at a time do something, in the order in which they asked. */
class Turns {
  readonly #maxWaiting: number;
  #isTaken = false;
  readonly #waiting = new Set<() => void>();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  get isIdle(): boolean {
    return !this.#isTaken;
  }

  /** Resolves with what ends the turn; with null if too many wait already, or if the turn does not come in time. */
  take(waitMs: number): Promise<(() => void) | null> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(this.#endOnce());
    }
    if (this.#waiting.size >= this.#maxWaiting) return Promise.resolve(null);
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(this.#endOnce());
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(null);
      }, waitMs);
      this.#waiting.add(begin);
    });
  }

  #endOnce(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#isTaken = false;
        return;
      }
      this.#waiting.delete(next);
      // What else has come in meanwhile is answered between two turns.
      setImmediate(next);
    };
  }
}
