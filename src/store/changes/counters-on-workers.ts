import type { Database } from "../database.ts";
import { counterKey, countersOnWorker, type Viewer, type ViewerCounters } from "./viewer-counters.ts";

/** How long others wait for a worker. Mostly it answers within a few milliseconds. */
const patienceMs = 50;

/**
 * The counters of many viewers where the store is spread over many machines, with a statement for each worker. Nobody waits long for
 * one that is slow or silent: for its viewers there is nothing then, and who needs them asks again and learns why.
 */
export class CountersOnWorkers {
  readonly #database: Database;
  /** Workers that have not answered yet, and accounts that are read through the coordinator. They are not asked meanwhile. */
  readonly #asked = new Set<string | number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** By `counterKey`. */
  async read(viewers: readonly Viewer[]): Promise<ReadonlyMap<string, ViewerCounters>> {
    const distinct = new Map(viewers.map((viewer) => [counterKey(viewer), viewer]));
    const ofWorkers = Map.groupBy(distinct.values(), ({ accountId }) => this.#workerOf(accountId));
    const found = new Map<string, ViewerCounters>();
    const reads = Array.from(ofWorkers, ([worker, own]) => this.#readAt(worker, own, found));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    await Promise.race([Promise.all(reads), late]);
    clearTimeout(timer);
    return found;
  }

  #workerOf(accountId: number): string | number {
    return this.#database.workerOf?.(accountId) ?? accountId;
  }

  async #readAt(
    worker: string | number,
    viewers: readonly Viewer[],
    found: Map<string, ViewerCounters>,
  ): Promise<void> {
    if (this.#asked.has(worker)) return;
    this.#asked.add(worker);
    try {
      const counters = await countersOnWorker(this.#database, viewers);
      for (const [index, one] of counters.entries()) found.set(counterKey(viewers[index] as Viewer), one);
    } catch {
      // Found out again by those who need them.
    } finally {
      this.#asked.delete(worker);
    }
  }
}
