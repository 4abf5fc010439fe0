import type { Arrival } from "../derive/arrival.ts";
import { MemoryBases } from "../derive/base.ts";
import { type StoredBatch, storeBatch } from "../derive/batch.ts";
import { AccountContexts } from "../derive/context.ts";
import type { FrameOutcome } from "../derive/plan.ts";
import { Schedule } from "../derive/schedule.ts";
import { Upgrade } from "../derive/upgrade/upgrade.ts";
import { Failure } from "../domain/errors.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { LostRowsFailure } from "../store/required-rows.ts";
import { arrivalOf } from "./arrival.ts";
import type { IncomingFrame } from "./incoming-frame.ts";
import type { TrackerWatch } from "./tracker-watch.ts";

interface TransactionLimits {
  readonly frames: number;
  readonly ofOneSubmission: number;
}

/** Enough to share the cost of a transaction, few enough that others wait only a moment. */
const besideOthers: TransactionLimits = { frames: 4_000, ofOneSubmission: 1_000 };
/** As long as nothing else uses the store. */
export const alone: TransactionLimits = { frames: 8_000, ofOneSubmission: 8_000 };

interface StoreTimes {
  /** When it was queued, or its last transaction was committed. */
  since: number;
  transactions: number;
  waitMs: number;
  deriveMs: number;
  commitMs: number;
}

interface Submission {
  readonly arrivals: readonly Arrival[];
  /** How many of them are stored. */
  done: number;
  readonly times: StoreTimes;
  readonly outcomes: FrameOutcome[];
  /** Devices of which it had late frames. */
  readonly late: DeviceKey[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Where frames enter the store. Once a sender is answered, its frames are on disk and derived. Only if another node, or
 * this one before a restart, has left late frames of a device to be derived, its newest frames are derived a little later,
 * so that no sender waits for others. Submissions of one account that arrive while another is being stored share the next
 * transaction.
 */
export class FrameQueue {
  readonly #database: Database;
  readonly #contexts = new AccountContexts();
  readonly #memory = new MemoryBases();
  readonly #observe: Observe;
  readonly #queues = new Map<number, Submission[]>();
  readonly #limits: TransactionLimits;
  readonly #trackers: TrackerWatch | null;
  readonly schedule: Schedule;
  readonly upgrade: Upgrade;

  constructor(database: Database, observe: Observe, limits = besideOthers, trackers: TrackerWatch | null = null) {
    this.#database = database;
    this.#observe = observe;
    this.#limits = limits;
    this.#trackers = trackers;
    const deps = { database, contexts: this.#contexts, memory: this.#memory };
    this.upgrade = new Upgrade(deps, observe);
    this.schedule = new Schedule(deps, observe, () => this.upgrade.want());
  }

  /**
   * Rejects if any frame may not be stored; all can be sent again. `earliestMs`: they are imported, their times are UTC, and
   * earlier ones are not believed. Others are by the clocks of their trackers.
   */
  async submit(
    accountId: number,
    frames: readonly IncomingFrame[],
    earliestMs?: number,
  ): Promise<readonly FrameOutcome[]> {
    if (frames.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const arrivals = frames.map((frame) => arrivalOf(frame, earliestMs));
    const times = { since: performance.now(), transactions: 0, waitMs: 0, deriveMs: 0, commitMs: 0 };
    const submission: Submission = { arrivals, done: 0, times, outcomes: [], late: [], resolve, reject };
    const queue = this.#queues.get(accountId);
    if (queue) queue.push(submission);
    else {
      this.#queues.set(accountId, [submission]);
      this.#drain(accountId);
    }
    await promise;
    const isLate = submission.late.length > 0;
    if (isLate) await this.schedule.derive(submission.late);
    const { since, ...took } = times;
    const lateMs = isLate ? performance.now() - since : null;
    this.#observe({ kind: "submission_stored", ...countOutcomes(submission.outcomes), ...took, lateMs });
    return submission.outcomes;
  }

  async #drain(accountId: number): Promise<void> {
    const queue = this.#queues.get(accountId);
    while (queue && queue.length > 0) {
      let parts: readonly Part[] = [];
      const take = () => {
        parts = nextParts(queue, this.#limits);
        return parts;
      };
      try {
        await this.#store(accountId, take);
      } catch (error) {
        if (error instanceof LostRowsFailure) this.#memory.forgetAccount(accountId);
        // None if no transaction could begin.
        for (const { submission } of parts.length > 0 ? parts : take()) {
          submission.reject(error);
          submission.done = submission.arrivals.length;
        }
      }
      for (const { submission } of parts) {
        if (submission.done < submission.arrivals.length) queue.push(submission);
        else submission.resolve();
      }
    }
    this.#queues.delete(accountId);
  }

  /** Whatever has come by the time its transaction begins is stored by it; if that is run again, the same. */
  async #store(accountId: number, take: () => readonly Part[]): Promise<void> {
    let [beganAt, derivedAt] = [0, 0];
    let parts: readonly Part[] = [];
    const batch = await this.#database.transaction(async (tx) => {
      beganAt = performance.now();
      if (parts.length === 0) parts = take();
      const context = await this.#contexts.hold(tx, accountId);
      if (context === null) throw new Failure("NOT_FOUND", "the account of these frames is gone");
      const arrivals = parts.length === 1 ? (parts[0]?.arrivals ?? []) : parts.flatMap((part) => part.arrivals);
      const stored = await storeBatch(tx, context, this.#memory, arrivals, this.#trackers !== null);
      derivedAt = performance.now();
      return stored;
    });
    for (const { submission } of parts) addTimes(submission.times, beganAt, derivedAt, performance.now());
    this.#memory.put(batch.bases);
    this.#trackers?.note(batch.received);
    distribute(parts, batch);
    this.#observe({ kind: "frames_stored", ...countOutcomes(batch.outcomes) });
  }
}

interface Part {
  readonly submission: Submission;
  readonly arrivals: readonly Arrival[];
}

function addTimes(times: StoreTimes, beganAt: number, derivedAt: number, committedAt: number): void {
  times.transactions++;
  times.waitMs += beganAt - times.since;
  times.deriveMs += derivedAt - beganAt;
  times.commitMs += committedAt - derivedAt;
  times.since = committedAt;
}

/** Removes from the front of the queue what fits into one transaction. A long or last submission may be split. */
function nextParts(queue: Submission[], limits: TransactionLimits): Part[] {
  const parts: Part[] = [];
  let room = limits.frames;
  for (const submission of queue) {
    if (room === 0) break;
    const most = Math.min(room, limits.ofOneSubmission);
    const arrivals = submission.arrivals.slice(submission.done, submission.done + most);
    parts.push({ submission, arrivals });
    room -= arrivals.length;
  }
  queue.splice(0, parts.length);
  return parts;
}

/** Passes each submission its own outcomes of the batch. */
function distribute(parts: readonly Part[], { outcomes, late }: StoredBatch): void {
  let begin = 0;
  for (const { submission, arrivals } of parts) {
    const end = begin + arrivals.length;
    for (let index = begin; index < end; index++) submission.outcomes.push(outcomes[index] as FrameOutcome);
    for (const { key, indexes } of late) {
      if (indexes.some((index) => index >= begin && index < end)) submission.late.push(key);
    }
    submission.done += arrivals.length;
    begin = end;
  }
}

function countOutcomes(outcomes: readonly FrameOutcome[]): { accepted: number; duplicate: number; refused: number } {
  const counts = { accepted: 0, duplicate: 0, refused: 0 };
  for (const outcome of outcomes) {
    if (typeof outcome === "string") counts[outcome]++;
    else counts.refused++;
  }
  return counts;
}
