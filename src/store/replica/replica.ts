import { Failure } from "../../domain/errors.ts";
import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { beforeDeadline } from "../deadlines.ts";
import { isConflict } from "../postgres/errors.ts";
import { connectReplica, type ReplicaConnections } from "../postgres/open.ts";
import {
  type PageState,
  type PrimaryState,
  pageState,
  primaryState,
  type ReplicaState,
  type ReplicatedStore,
  replicaState,
  replicatedStore,
} from "./replica-state.ts";

/** A page that takes longer is read from the primary, which has two thirds of a request's time left for it. */
const pageMs = 1_000;
/** How often it is looked at: how far it is behind, and whether one that was left can be used again. */
const lookEveryMs = 2_000;
/** What was stored a moment before the start is on its way. */
const startMs = 2_000;
const startPauseMs = 50;

export interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly observe: Observe;
}

export interface PageRead<Page> {
  readonly accountId: number;
  /** The account's last change, asked of the primary after the request began. */
  readonly lastChange: () => Promise<number>;
  /** Reads the page. It may be called twice. */
  readonly work: (reader: Reader) => Promise<Page>;
}

/**
 * A streaming replica of the primary, for pages of lists.
 *
 * Guarantee: a page holds everything that was stored or shown, by any node, before its request began. The primary is asked
 * for the account's last change, and the page is read from the replica only if the replica has that change. Every
 * transaction that changes a list has a number, in the order of the commits (`nextChange` in viewers.ts), and a replica
 * replays commits in their order. Check and page are in one snapshot, so it does not matter which server is behind the
 * address, or whether that is restarted in between.
 *
 * Numbers of two histories say nothing about each other. After a failover a replica may have what the new primary never had,
 * so it must be on the timeline of the very server that gave the number.
 *
 * What the replica does not have, or does not answer within a second, is read from the primary: nobody sees an error. It is
 * left for all if it fails a look, of which there is one every two seconds and one after each page that failed.
 */
export class Replica {
  readonly #primary: Database;
  readonly #store: ReplicatedStore;
  readonly #pages: ReplicaConnections;
  /** Pages that take long keep no look waiting. */
  readonly #looks: ReplicaConnections;
  readonly #observe: Observe;
  readonly #underWay = new Set<(error: unknown) => void>();
  /** The primary with which the replica was compared, and found usable. Null: it is not used. */
  #compared: PrimaryState | null = null;
  /** How far its log was when it had more than the primary. */
  #aheadAt: number | null = null;
  #looking: Promise<void> | null = null;
  /** A page failed, and the look after it has not ended. */
  #isDoubted = false;
  #isClosed = false;
  #lagBytes: number | null = null;
  #reported: string | null = null;
  #endLooking: () => Promise<void> = async () => {};

  private constructor(primary: Database, store: ReplicatedStore, options: ReplicaOptions) {
    this.#primary = primary;
    this.#store = store;
    this.#observe = options.observe;
    this.#pages = connected(options.url, options.poolSize);
    this.#looks = connected(options.url, 1);
  }

  /** Fails only if it can never be used. One that does not answer is looked at again later. */
  static async open(primary: Database, options: ReplicaOptions): Promise<Replica> {
    if (primary.isDistributed) {
      const message = "DATABASE_READ_URL: a store that is spread over several machines is read there only; remove it";
      throw new Failure("WRONG_SETTING", message);
    }
    const replica = new Replica(primary, await replicatedStore(primary), options);
    try {
      await replica.#begin();
      return replica;
    } catch (error) {
      await replica.close();
      throw error;
    }
  }

  async read<Page>({ accountId, lastChange, work }: PageRead<Page>): Promise<Page> {
    if (this.#compared !== null && !this.#isDoubted) {
      const change = await lastChange();
      const timeline = this.#timeline();
      const found = timeline === null ? null : await this.#tryReplica({ accountId, change, timeline }, work);
      if (found !== null) {
        this.#observe({ kind: "page_read", from: "replica" });
        return found.page;
      }
    }
    this.#observe({ kind: "page_read", from: "primary" });
    return work(this.#primary);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leaveAtOnce(new Failure("STORE_UNREACHABLE", "the replica is being closed"));
    await this.#endLooking();
    await this.#looking;
    await Promise.all([this.#pages.close(), this.#looks.close()]);
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + startMs;
    let seen = await this.#look();
    while (seen === "behind the start" && performance.now() < deadline) {
      await Bun.sleep(startPauseMs);
      seen = await this.#look();
    }
    if (seen === "another cluster" || seen === "another database") {
      throw new Failure("WRONG_SETTING", `DATABASE_READ_URL: ${expectations[seen]}`);
    }
    this.#take(seen);
    this.#endLooking = repeat("replica", lookEveryMs, this.#observe, () => this.#lookNow());
  }

  /** The timeline of the server that gave a number just now; null: it may be another server than the one compared. */
  #timeline(): number | null {
    if (this.#compared === null) return null;
    if (this.#primary.server?.() === this.#compared.server) return this.#compared.timeline;
    this.#compared = null;
    void this.#lookNow();
    return null;
  }

  async #tryReplica<Page>(
    { accountId, change, timeline }: PageNeed,
    work: (reader: Reader) => Promise<Page>,
  ): Promise<{ readonly page: Page } | null> {
    const attempt = { isOver: false };
    const reading = this.#pages.transaction(async (tx) => {
      const state = await tx.get<PageState>(pageState(accountId));
      if (state === null || !this.#isCopy(state) || !state.isStandby || state.timeline !== timeline) {
        throw new Failure("STORE_UNREACHABLE", "another server than before answers at the address");
      }
      const isLevel = state.replayed >= this.#store.storedBefore && state.change >= change;
      return isLevel ? { page: await work(whileOpen(tx, this.#pages, attempt)) } : null;
    });
    try {
      return await this.#bounded(reading);
    } catch (error) {
      if (this.#compared !== null && isTroubleOfReplica(error)) this.#doubt();
      return null;
    } finally {
      attempt.isOver = true;
    }
  }

  #isCopy({ cluster, database }: Pick<ReplicaState, "cluster" | "database">): boolean {
    return cluster === this.#store.cluster && database === this.#store.database;
  }

  /** In time, and only as long as the replica is used: what one has found out, the others need not wait for. */
  async #bounded<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#underWay.add(reject);
    beforeDeadline(work, pageMs, () => new Failure("STORE_UNREACHABLE", tooSlow)).then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#underWay.delete(reject);
    }
  }

  /** One page may just be long. Others are read from the primary until the replica has answered a look. */
  #doubt(): void {
    this.#isDoubted = true;
    void this.#lookNow().finally(() => {
      this.#isDoubted = false;
    });
  }

  /** One at a time. */
  #lookNow(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#looking ??= this.#look()
      .then((seen) => this.#take(seen))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** Null: the primary did not answer, so there is nothing to compare the replica with. */
  async #look(): Promise<Look> {
    let seen: ReplicaState | null;
    try {
      // First the replica: what the primary has by then is at least as much.
      seen = await this.#bounded(this.#looks.get<ReplicaState>(replicaState));
    } catch (error) {
      return { reason: reasonOf(error) };
    }
    if (seen?.cluster !== this.#store.cluster) return "another cluster";
    if (!this.#isCopy(seen)) return "another database";
    const primary = await this.#primary.get<PrimaryState>(primaryState).catch(() => null);
    return primary && this.#compare(seen, primary);
  }

  #compare(seen: ReplicaState, primary: PrimaryState): Look {
    if (!seen.isStandby) return seen.server === primary.server ? "the primary" : "promoted";
    if (seen.received > primary.stored) this.#aheadAt = Math.max(seen.received, this.#aheadAt ?? 0);
    // It can replay nothing of the primary behind that, even if the primary has come as far meanwhile. One that can is new.
    if (this.#aheadAt !== null && seen.replayed <= this.#aheadAt) return "ahead of the primary";
    this.#aheadAt = null;
    if (seen.timeline !== primary.timeline) return "another timeline";
    const lagBytes = primary.stored - seen.replayed;
    return seen.replayed >= this.#store.storedBefore ? { primary, lagBytes } : "behind the start";
  }

  #take(seen: Look): void {
    if (this.#isClosed) return;
    const isUsable = seen !== null && typeof seen === "object" && "primary" in seen;
    this.#measured(isUsable ? seen.lagBytes : null);
    if (seen === null) return;
    if (!isUsable) {
      this.#leave(typeof seen === "string" ? reasons[seen] : seen.reason, typeof seen === "string");
      return;
    }
    this.#compared = seen.primary;
    if (this.#reported === inUse) return;
    this.#reported = inUse;
    this.#observe({ kind: "replica_used", replica: this.#pages.place });
  }

  #measured(lagBytes: number | null): void {
    if (lagBytes !== null || this.#lagBytes !== null) this.#observe({ kind: "replica_measured", lagBytes });
    this.#lagBytes = lagBytes;
  }

  /** Said once, and again if an operator has to do something (`isLasting`) about something else than before. */
  #leave(reason: string, isLasting: boolean): void {
    const isNews = this.#reported === inUse || this.#reported === null || (isLasting && this.#reported !== reason);
    this.#leaveAtOnce(new Failure("STORE_UNREACHABLE", reason));
    if (!isNews) return;
    this.#reported = reason;
    this.#observe({ kind: "replica_left", replica: this.#pages.place, reason });
  }

  #leaveAtOnce(error: Failure): void {
    this.#compared = null;
    for (const reject of this.#underWay) reject(error);
  }
}

function connected(url: string, poolSize: number): ReplicaConnections {
  try {
    return connectReplica(url, poolSize, pageMs);
  } catch (error) {
    throw error instanceof Failure ? new Failure(error.code, reasonOf(error), { cause: error.cause }) : error;
  }
}

interface PageNeed {
  readonly accountId: number;
  readonly change: number;
  readonly timeline: number;
}

const inUse = "in use";
const tooSlow = `the replica did not answer within ${pageMs} ms`;

const expectations = {
  "another cluster": "expected a streaming replica of the server of DATABASE_URL, got one of another",
  "another database": "expected the database of DATABASE_URL on its streaming replica, got another database",
} as const;

const reasons = {
  "another cluster": "it is no replica of the server of DATABASE_URL",
  "another database": "it is another database than that of DATABASE_URL",
  "the primary": "it is the server of DATABASE_URL itself: name a replica of it, or remove DATABASE_READ_URL",
  promoted: "it is a primary itself now: build it again as a replica, or remove DATABASE_READ_URL",
  "ahead of the primary": "it has what the primary does not have: build it again as a replica",
  "another timeline":
    "it has not noted yet that it follows the primary since a failover: if that lasts, build it again as a replica",
  "behind the start": "it does not have yet what was stored before this node started",
} as const;

/** Null: nothing is known. */
type Look =
  | { readonly primary: PrimaryState; readonly lagBytes: number }
  | keyof typeof reasons
  | { readonly reason: string }
  | null;

/** A query that was cancelled in favour of the replay says nothing about the next one; nor does a refusal of ours. */
function isTroubleOfReplica(error: unknown): boolean {
  if (isConflict(error)) return false;
  return !(error instanceof Failure) || error.code.startsWith("STORE_");
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll("DATABASE_URL", "DATABASE_READ_URL");
}

/** What nobody waits for any more asks for nothing more. */
function whileOpen(tx: Transaction, store: object, attempt: { readonly isOver: boolean }): Reader {
  const ask = <T>(asking: () => Promise<T>): Promise<T> =>
    attempt.isOver ? Promise.reject(new Failure("STORE_UNREACHABLE", tooSlow)) : asking();
  return {
    engine: tx.engine,
    store,
    all: (query) => ask(() => tx.all(query)),
    get: (query) => ask(() => tx.get(query)),
  };
}
