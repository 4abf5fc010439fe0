export interface AllowanceRule {
  /** How many times in a row. */
  readonly burst: number;
  /** After how long once more. */
  readonly refillMs: number;
}

/** A number of attempts that grows back with time. */
export class Allowance {
  readonly #rule: AllowanceRule;
  #left: number;
  #at: number;

  constructor(rule: AllowanceRule, now: number) {
    this.#rule = rule;
    this.#left = rule.burst;
    this.#at = now;
  }

  waitMs(now: number): number {
    this.#refill(now);
    return this.#left >= 1 ? 0 : Math.ceil((1 - this.#left) * this.#rule.refillMs);
  }

  take(now: number): void {
    this.#refill(now);
    this.#left--;
  }

  refund(now: number): void {
    this.#refill(now);
    this.#left = Math.min(this.#rule.burst, this.#left + 1);
  }

  #refill(now: number): void {
    // Setting the clock back takes nothing away.
    const passedMs = Math.max(0, now - this.#at);
    this.#left = Math.min(this.#rule.burst, this.#left + passedMs / this.#rule.refillMs);
    this.#at = now;
  }
}
