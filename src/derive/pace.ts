import { pause } from "../observe/repeat.ts";
import { turnOfLoop } from "../store/share-thread.ts";

/** How work in the background leaves room for others. */
export interface WorkPace {
  readonly isStopped: boolean;
  /** Call it every few milliseconds of work. */
  rest(): Promise<void>;
}

/** On a quiet server it rests three times as long as it works: three quarters of the thread are left for others. */
const minRestFactor = 3;
/** On a busy one up to nine times as long. */
const maxRestFactor = 9;
/** A timer that is so late was held up by others, or they have most of the processor. */
const busyMs = 2;
/** A disk that is slow for a moment must not make it sleep for long. */
const maxRestMs = 100;

/** For a server: it rests most of the time, longer while others are busy, and ends when it is stopped. */
export class Background implements WorkPace {
  readonly #stop: AbortSignal;
  #restFactor = minRestFactor;
  #since = performance.now();

  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  get isStopped(): boolean {
    return this.#stop.aborted;
  }

  async rest(): Promise<void> {
    const began = performance.now();
    const restMs = Math.min((began - this.#since) * this.#restFactor, maxRestMs);
    await pause(restMs, this.#stop);
    this.#since = performance.now();
    const isBusy = this.#since - began > restMs + busyMs;
    this.#restFactor = isBusy ? Math.min(this.#restFactor * 2, maxRestFactor) : minRestFactor;
  }
}

/** The same for work that may never be stopped. */
export function backgroundOf(stop: AbortSignal | undefined): Background {
  return new Background(stop ?? new AbortController().signal);
}

/** For a command that does nothing else. A server in the same process would still get a turn. */
export const foreground: WorkPace = {
  isStopped: false,
  rest: turnOfLoop,
};

/** A writer of the embedded store that waits for another process looks again after this at the latest. */
const writerLooksAgainMs = 50;

/** For a command that writes beside a server: others that wait to write get in between any two steps. */
export class BesideServer implements WorkPace {
  readonly isStopped = false;
  readonly #isServed: () => boolean;
  #since = performance.now();

  /** `isServed` is asked at every rest: a server may start or stop meanwhile. */
  constructor(isServed: () => boolean) {
    this.#isServed = isServed;
  }

  async rest(): Promise<void> {
    if (this.#isServed()) await Bun.sleep(Math.max(writerLooksAgainMs + busyMs, performance.now() - this.#since));
    else await foreground.rest();
    this.#since = performance.now();
  }
}

/** Goes through pages of an account's devices. A step takes one after a device, and returns the last of it; null: of all. */
export async function eachPage(pace: WorkPace, step: (after: number) => Promise<number | null>): Promise<void> {
  for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null && !pace.isStopped; ) {
    after = await step(after);
    if (after !== null) await pace.rest();
  }
}

/** The last device of a page; null if the page is not full, and so the last one. */
export function lastOf(page: readonly { readonly device: number }[], devicesPerPage: number): number | null {
  return page.length < devicesPerPage ? null : (page.at(-1)?.device ?? null);
}
