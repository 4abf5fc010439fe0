import type { Failure } from "../../domain/errors.ts";

/** How much longer than PostgreSQL's own limit we wait for an answer. */
export const answerMarginMs = 2_000;

/** How often to check for overdue answers. One timer for all: one for each costs more than a short read. */
const lookEveryMs = 250;

/** Hardly any answer takes as long: from then on it is worth asking whether the connection still leads anywhere. */
const doubtAfterMs = 3_000;

export interface SilenceLimits {
  /** PostgreSQL ends a statement by itself before this: only a silent or disconnected server exceeds it. */
  readonly limitMs: number;
  /** Called once. The reason is given if it is known who is silent. */
  readonly onSilence: (reason: Failure | null) => void;
  /** Called while an answer takes long, at growing intervals. */
  readonly onDoubt: () => void;
  readonly doubtAfterMs?: number;
}

/** Where a machine behind the server may be silent, it is asked sooner: others wait for it meanwhile. */
export const workerDoubtAfterMs = 1_000;

/** Notices that PostgreSQL has stopped answering. A silent server or a lost network reports no error. */
export class SilenceWatch {
  readonly #waiting: WaitingAnswers;
  readonly #limits: SilenceLimits;
  /** Whom the statements are about, if that is known. */
  account: number | null = null;
  /** Whether one of them needs all machines behind the server. */
  isEverywhere = false;
  #allowedMs: number;
  #waitingSince = 0;
  #dueAt = 0;
  #doubtAt = 0;
  #owed = 0;

  constructor(waiting: WaitingAnswers, limits: SilenceLimits) {
    this.#waiting = waiting;
    this.#limits = limits;
    this.#allowedMs = limits.limitMs;
  }

  expectAnswer(): void {
    this.#owed++;
    this.#waitingSince = performance.now();
    this.#dueAt = this.#waitingSince + this.#limits.limitMs;
    this.#doubtAt = this.#waitingSince + (this.#limits.doubtAfterMs ?? doubtAfterMs);
    this.#waiting.add(this);
  }

  answered(): void {
    this.#owed--;
    if (this.#owed === 0) this.stop();
  }

  /** From now on a statement may take this long, as long as the server answers others. */
  allow(ms: number): void {
    this.#allowedMs = ms;
  }

  stop(): void {
    this.#waiting.delete(this);
  }

  lookAt(now: number): void {
    if (now >= this.#doubtAt) {
      this.#doubtAt = now + (now - this.#waitingSince);
      this.#limits.onDoubt();
    }
    if (now < this.#dueAt) return;
    const mayTakeLonger = now < this.#waitingSince + this.#allowedMs && this.#allowedMs > this.#limits.limitMs;
    if (mayTakeLonger) void this.#askServer();
    else this.giveUp(null);
  }

  async #askServer(): Promise<void> {
    const asked = this.#waitingSince;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const isAlive = await this.#waiting.isServerAlive();
    // Unless the answer has arrived meanwhile.
    if (!this.#waiting.has(this) || this.#waitingSince !== asked) return;
    if (isAlive) this.#dueAt = performance.now() + this.#limits.limitMs;
    else this.giveUp(null);
  }

  giveUp(reason: Failure | null): void {
    this.stop();
    this.#limits.onSilence(reason);
  }
}

export class WaitingAnswers {
  /** Whether the server answers anybody. Asked while waiting for a statement that may take longer. */
  readonly isServerAlive: () => Promise<boolean>;
  readonly #watches = new Set<SilenceWatch>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(isServerAlive: () => Promise<boolean>) {
    this.isServerAlive = isServerAlive;
  }

  add(watch: SilenceWatch): void {
    this.#watches.add(watch);
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs);
  }

  delete(watch: SilenceWatch): void {
    this.#watches.delete(watch);
  }

  /** Those who wait for what is concerned wait no longer. */
  giveUpOn(isConcerned: (watch: SilenceWatch) => boolean, reason: Failure): void {
    for (const watch of [...this.#watches]) if (isConcerned(watch)) watch.giveUp(reason);
  }

  has(watch: SilenceWatch): boolean {
    return this.#watches.has(watch);
  }

  #look(): void {
    const now = performance.now();
    for (const watch of [...this.#watches]) watch.lookAt(now);
    if (this.#watches.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
