/** So much longer than PostgreSQL allows a statement is waited for its answer. */
export const answerMarginMs = 2_000;

/** Who owes an answer over one connection, and how long it may take. */
export interface SilenceLimits {
  /** PostgreSQL ends a statement by itself before this has passed: only one that is silent, or cut off, exceeds it. */
  readonly limitMs: number;
  /** Whether the server answers anybody. Asked while something is waited for that was allowed to take longer. */
  readonly isServerAlive: () => Promise<boolean>;
  /** Called once. */
  readonly onSilence: () => void;
}

/** Notices that PostgreSQL says nothing any more. A silent server, or a network that is gone, reports no error. */
export class SilenceWatch {
  readonly #limits: SilenceLimits;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #allowedMs: number;
  #waitingSince = 0;
  #owed = 0;

  constructor(limits: SilenceLimits) {
    this.#limits = limits;
    this.#allowedMs = limits.limitMs;
  }

  /** An answer is waited for from now on. */
  expectAnswer(): void {
    this.#owed++;
    this.#waitingSince = performance.now();
    this.#startTimer();
  }

  answered(): void {
    this.#owed--;
    if (this.#owed === 0) this.stop();
  }

  /** From now on a statement may take so long, as long as the server answers others. */
  allow(ms: number): void {
    this.#allowedMs = ms;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #startTimer(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#lookAgain(), this.#limits.limitMs);
  }

  async #lookAgain(): Promise<void> {
    const asked = this.#timer;
    const mayTakeLonger = this.#allowedMs > this.#limits.limitMs;
    const isOver = !mayTakeLonger || performance.now() - this.#waitingSince >= this.#allowedMs;
    if (!isOver && (await this.#limits.isServerAlive())) {
      // Unless the answer has come meanwhile.
      if (this.#timer === asked) this.#startTimer();
    } else if (this.#timer === asked) {
      this.stop();
      this.#limits.onSilence();
    }
  }
}
