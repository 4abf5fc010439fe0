import { pause } from "../observe/repeat.ts";

/** How work in the background leaves room for others. */
export interface Pace {
  readonly isStopped: boolean;
  /** Call it every few milliseconds of work. */
  rest(): Promise<void>;
}

/** It rests three times as long as it worked, so that three quarters of the thread are always for others. */
const restFactor = 3;
/** A disk that is slow for a moment must not make it sleep for long. */
const maxRestMs = 100;

/** For a server: it rests most of the time, and ends when it is stopped. */
export class Background implements Pace {
  readonly #stop: AbortSignal;
  #since = performance.now();

  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  get isStopped(): boolean {
    return this.#stop.aborted;
  }

  async rest(): Promise<void> {
    await pause(Math.min((performance.now() - this.#since) * restFactor, maxRestMs), this.#stop);
    this.#since = performance.now();
  }
}

/** For a command that does nothing else. A server in the same process would still get a turn. */
export const foreground: Pace = {
  isStopped: false,
  rest: () => new Promise((resume) => setImmediate(resume)),
};
