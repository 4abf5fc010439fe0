import { availableParallelism } from "node:os";
import { Failure } from "../domain/errors.ts";
import { beforeDeadline } from "../store/deadlines.ts";

export interface HashCaller {
  /** Those of one source share their turns: a user, or the network of a stranger. */
  readonly source: string;
  /** Whether it is a user's own session, browser or link. */
  readonly isKnown: boolean;
  /** Aborted once nobody waits for the answer. */
  readonly signal: AbortSignal;
}

interface HashPace {
  readonly atOnce: number;
  /** A stranger who gets no turn in this time is refused. */
  readonly waitMs: number;
  /** The same for users who are known: strangers cannot make them wait, so it is an honest rush or a slow machine. */
  readonly knownWaitMs: number;
  /** A single hash takes far less, also on a machine that is busy. */
  readonly hashMs: number;
}

/** A hash takes a whole core: one is left for everybody else. Each takes 19 MiB, so a large machine makes four at most. */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
/** All of it is less than the time that a request has. */
const usualPace: HashPace = { atOnce, waitMs: 1_000, knownWaitMs: 3_000, hashMs: 5_000 };

/** As many as one address may try at once (attempts.ts), and more than there can be hashes in the time that anybody waits. */
const bounds = { perSource: 30, together: 1_000 };

/** Strangers come last, but they come: a user who signs in again and again must not keep new browsers out. */
const maxKnownInARow = 3;

/**
 * The slow hashes that requests ask for, a few at a time. Those who have proved to be a user come before strangers, and
 * sources take turns, so wrong passwords from elsewhere do not hold up anybody who signs in. A stranger who gets no turn
 * within a second is refused; who has hung up is left out.
 */
export class HashQueue {
  readonly #pace: HashPace;
  readonly #known = new FairLine<() => void>(bounds);
  readonly #strangers = new FairLine<() => void>(bounds);
  #running = 0;
  #knownInARow = 0;

  constructor(pace: HashPace = usualPace) {
    this.#pace = pace;
  }

  /** Makes a hash when it is the caller's turn. */
  async run<Result>(caller: HashCaller, hash: () => Promise<Result>): Promise<Result> {
    await this.#turn(caller);
    // One that takes too long keeps its place until it ends: it still takes a core.
    const made = Promise.try(hash).finally(() => this.#end());
    return beforeDeadline(made, this.#pace.hashMs, passwordsBusy);
  }

  #turn({ source, isKnown, signal }: HashCaller): Promise<void> {
    if (signal.aborted) return Promise.reject(callerGone());
    if (this.#running < this.#pace.atOnce) {
      this.#running++;
      return Promise.resolve();
    }
    const line = isKnown ? this.#known : this.#strangers;
    const { waitMs, knownWaitMs } = this.#pace;
    return new Promise((resolve, reject) => {
      const begin = () => {
        stopWaiting();
        this.#running++;
        resolve();
      };
      const giveUp = (failure: Failure) => {
        line.remove(source, begin);
        stopWaiting();
        reject(failure);
      };
      const hungUp = () => giveUp(callerGone());
      const timer = setTimeout(() => giveUp(passwordsBusy()), isKnown ? knownWaitMs : waitMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", hungUp);
      };
      signal.addEventListener("abort", hungUp);
      if (!line.add(source, begin)) giveUp(passwordsBusy());
    });
  }

  #end(): void {
    this.#running--;
    const isKnownTurn = this.#strangers.size === 0 || (this.#known.size > 0 && this.#knownInARow < maxKnownInARow);
    this.#knownInARow = isKnownTurn && this.#strangers.size > 0 ? this.#knownInARow + 1 : 0;
    const begin = (isKnownTurn ? this.#known : this.#strangers).take();
    begin?.();
  }
}

function passwordsBusy(): Failure {
  const message = "too many passwords are being checked at once; try again in a few seconds";
  return new Failure("PASSWORDS_BUSY", message);
}

function callerGone(): Failure {
  return new Failure("CLIENT_GONE", "the client hung up before its password was checked");
}

interface LineBounds {
  readonly perSource: number;
  readonly together: number;
}

/**
 * Those who wait. The sources take turns, so one that sends many holds up itself more than others. One that has had no turn
 * since it came comes before all that had one.
 */
class FairLine<Item> {
  readonly #bounds: LineBounds;
  /** Sources without a turn yet, then those that had one, each in the order of their turns. */
  readonly #lines = [new Map<string, Set<Item>>(), new Map<string, Set<Item>>()] as const;
  #size = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns whether there was room. */
  add(source: string, item: Item): boolean {
    const line = this.#lineOf(source);
    const ofSource = line.get(source) ?? new Set();
    if (ofSource.size >= this.#bounds.perSource || this.#size >= this.#bounds.together) return false;
    line.set(source, ofSource.add(item));
    this.#size++;
    return true;
  }

  remove(source: string, item: Item): void {
    const line = this.#lineOf(source);
    const ofSource = line.get(source);
    if (!ofSource?.delete(item)) return;
    this.#size--;
    if (ofSource.size === 0) line.delete(source);
  }

  /** The next one, who waits no more. */
  take(): Item | undefined {
    for (const line of this.#lines) {
      for (const [source, ofSource] of line) {
        for (const item of ofSource) {
          this.remove(source, item);
          // To the end, so that it is the others' turn.
          if (line.delete(source)) this.#lines[1].set(source, ofSource);
          return item;
        }
      }
    }
    return undefined;
  }

  #lineOf(source: string): Map<string, Set<Item>> {
    const [unserved, served] = this.#lines;
    return served.has(source) ? served : unserved;
  }
}
