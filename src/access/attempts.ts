import { BoundedMap } from "../domain/bounded-map.ts";
import { emailKey } from "../domain/identifiers.ts";
import { networkOf } from "./address-meter.ts";

interface Rule {
  /** How many attempts may fail in a row. */
  readonly burst: number;
  /** After how long one more may. */
  readonly refillMs: number;
}

/** Enough for someone who tries all passwords of theirs; guessing gets 60 an hour, of some million that are common. */
const perEmail: Rule = { burst: 10, refillMs: 60_000 };

/** Several people may share an address. */
const perAddress: Rule = { burst: 30, refillMs: 10_000 };

/**
 * An attacker with many names and addresses must not fill the memory. Nor is that a way round the limits: only attempts that
 * are let through are counted, so pushing out what is known of one e-mail takes as many attempts on others, each of which
 * costs one of an address's.
 */
const maxRemembered = 20_000;

/**
 * Attempts to give a password, by the e-mail it is tried for and by where it comes from. One that succeeds costs nothing. In
 * memory of this process only. An e-mail that nobody has is counted like any other, so being refused tells nothing.
 */
export class Attempts {
  readonly #byEmail = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byAddress = new BoundedMap<string, Allowance>({ max: maxRemembered });

  /** Takes one attempt, before the password is looked at. Else tells how long to wait. */
  take(email: string, address: string, now: number): { readonly waitMs: number } {
    const [byEmail, byAddress] = this.#allowances(email, address, now);
    const waitMs = Math.max(byEmail.waitMs(now), byAddress.waitMs(now));
    if (waitMs > 0) return { waitMs };
    byEmail.take(now);
    byAddress.take(now);
    this.#byEmail.set(emailKey(email), byEmail);
    this.#byAddress.set(networkOf(address), byAddress);
    return { waitMs };
  }

  /** The password was right. */
  giveBack(email: string, address: string, now: number): void {
    for (const allowance of this.#allowances(email, address, now)) allowance.giveBack(now);
  }

  #allowances(email: string, address: string, now: number): readonly [Allowance, Allowance] {
    return [
      this.#byEmail.get(emailKey(email)) ?? new Allowance(perEmail, now),
      this.#byAddress.get(networkOf(address)) ?? new Allowance(perAddress, now),
    ];
  }
}

/** A number of attempts that grows back with time. */
class Allowance {
  readonly #rule: Rule;
  #left: number;
  #at: number;

  constructor(rule: Rule, now: number) {
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

  giveBack(now: number): void {
    this.#refill(now);
    this.#left = Math.min(this.#rule.burst, this.#left + 1);
  }

  #refill(now: number): void {
    // A clock that is set back takes nothing away.
    const passedMs = Math.max(0, now - this.#at);
    this.#left = Math.min(this.#rule.burst, this.#left + passedMs / this.#rule.refillMs);
    this.#at = now;
  }
}
