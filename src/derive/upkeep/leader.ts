import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import { type Database, isEmbedded } from "../../store/database.ts";
import { giveBackLease, takeLease } from "../../store/upkeep/upkeep.ts";

/** What one node does for all. Each has a lease of its own, since threads of a process do not share one. */
export type LedWork = "background work" | "notifications" | "reports" | "made-up fleet";

export interface LeaseTimes {
  /** How often it is taken or renewed. A node that finds it free waits no longer. */
  readonly renewMs: number;
  /** How long it is valid without being renewed. With the time above: how long a dead leader is missed. */
  readonly validMs: number;
}

/** A leader that was killed is replaced after 25 seconds at the latest. */
const usualTimes: LeaseTimes = { renewMs: 5_000, validMs: 20_000 };

/** A leader that cannot renew stops this share of the time before another may begin. */
const stopEarlyShare = 0.1;

/**
 * Whether this node does the work that one node should do. The node that holds a lease in the database leads. It renews the
 * lease by the database's clock; how long it is still valid it measures itself, by how much time has passed. So no node's
 * clock matters. On an embedded store the one server always leads.
 *
 * A node that was frozen may wake up and finish a step while another leads already. All work that is led allows for that: it
 * holds the rows that it changes, and looks at them again.
 */
export class Leader {
  readonly #database: Database;
  readonly #observe: Observe;
  readonly #times: LeaseTimes;
  readonly #work: LedWork;
  /** For the log, and unlike any other node's. */
  readonly #node = `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  readonly #endRenewing: () => Promise<void>;
  readonly #waiting = new Set<() => void>();
  /** While this node leads; aborted at the end of that. */
  #term: AbortController | null = null;
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(database: Database, observe: Observe, times: LeaseTimes = usualTimes, work: LedWork = "background work") {
    this.#database = database;
    this.#observe = observe;
    this.#times = times;
    this.#work = work;
    if (isEmbedded(database)) {
      this.#term = new AbortController();
      this.#endRenewing = async () => {};
    } else {
      this.#endRenewing = repeat("leading", times.renewMs, observe, () => this.#renew());
    }
  }

  get isLeading(): boolean {
    return this.#term !== null;
  }

  /** Waits until this node leads, then does the work. The signal says that it is stopped, or does not lead any more. */
  async lead(stop: AbortSignal, work: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
    await this.#untilLeading(stop);
    if (stop.aborted || this.#term === null) return;
    // Not by AbortSignal.any: in Bun each keeps a kilobyte for as long as its sources, and this is called all day.
    const either = new AbortController();
    const abort = () => either.abort();
    const signals = [stop, this.#term.signal];
    for (const signal of signals) signal.addEventListener("abort", abort);
    try {
      await work(either.signal);
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    }
  }

  /** Gives the lease back, so that another node leads at once. Stop the work before. */
  async close(): Promise<void> {
    await this.#endRenewing();
    if (isEmbedded(this.#database) || this.#term === null) return;
    this.#end();
    await giveBackLease(this.#database, this.#work, this.#node);
  }

  async #renew(): Promise<void> {
    const { validMs } = this.#times;
    const askedAt = performance.now();
    const lease = await takeLease(this.#database, { name: this.#work, holder: this.#node, validMs });
    // Counted from before the question: the database may have answered late.
    const leftMs = askedAt + validMs * (1 - stopEarlyShare) - performance.now();
    if (lease === null || leftMs <= 0) return this.#lose();
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#lose(), leftMs);
    if (this.#term === null) this.#begin(lease.before);
  }

  #begin(before: string | null): void {
    this.#term = new AbortController();
    const [node, work] = [this.#node, this.#work];
    if (before === null || before === node) this.#observe({ kind: "work_led", node, work });
    else this.#observe({ kind: "work_taken_over", node, work, from: before });
    for (const resume of [...this.#waiting]) resume();
  }

  #lose(): void {
    if (this.#term === null) return;
    this.#end();
    this.#observe({ kind: "work_lost", node: this.#node, work: this.#work });
  }

  #end(): void {
    clearTimeout(this.#expiry);
    this.#term?.abort();
    this.#term = null;
  }

  #untilLeading(stop: AbortSignal): Promise<void> {
    if (stop.aborted || this.#term !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        this.#waiting.delete(resume);
        stop.removeEventListener("abort", resume);
        resolve();
      };
      this.#waiting.add(resume);
      stop.addEventListener("abort", resume);
    });
  }
}
