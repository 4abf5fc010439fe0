import { BoundedMap } from "../domain/bounded-map.ts";
import { emailKey } from "../domain/identifiers.ts";
import { networkOf } from "./address-meter.ts";

interface Rule {
  /** How many attempts may fail in a row. */
  readonly burst: number;
  /** After how long one more attempt is allowed. */
  readonly refillMs: number;
}

/** Enough for users who try all their passwords. Guessing gets 60 an hour, of some million common passwords. */
const perEmail: Rule = { burst: 10, refillMs: 60_000 };

/** Several people may share an address. */
const perAddress: Rule = { burst: 30, refillMs: 10_000 };

/** A stolen session or cookie must not make guessing easier, so it has no more attempts than an e-mail. */
const perKnown: Rule = perEmail;

/**
 * An attacker with many names and addresses must not fill the memory, nor get around the limits: only allowed attempts are
 * counted, so pushing out one e-mail takes as many attempts on others, each of which also counts for an address.
 */
const maxRemembered = 20_000;

/** Who enters a password: a stranger, or a session or browser that has proved to be the user's, by its id. */
export type PasswordSource = { readonly email: string; readonly address: string } | { readonly known: string };

/**
 * Limits attempts to enter a password. Strangers are counted by e-mail and by address. A session or browser that has proved
 * to be the user's is counted alone, so that strangers cannot lock the user out. A successful attempt costs nothing. An
 * e-mail that nobody has is counted like any other, so a refusal reveals nothing. In the memory of this process only.
 */
export class Attempts {
  readonly #byEmail = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byAddress = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byKnown = new BoundedMap<string, Allowance>({ max: maxRemembered });

  /** Takes one attempt, before the password is checked. If none is left, returns how long to wait. */
  take(source: PasswordSource, now: number): { readonly waitMs: number } {
    const counted = this.#counted(source, now);
    const waitMs = Math.max(...counted.map(({ allowance }) => allowance.waitMs(now)));
    if (waitMs > 0) return { waitMs };
    for (const { map, key, allowance } of counted) {
      allowance.take(now);
      map.set(key, allowance);
    }
    return { waitMs };
  }

  /** The password was right. */
  refund(source: PasswordSource, now: number): void {
    for (const { allowance } of this.#counted(source, now)) allowance.refund(now);
  }

  /** The allowances that an attempt counts for. New ones are full, and not remembered yet. */
  #counted(source: PasswordSource, now: number): readonly Counted[] {
    const at = (map: Counted["map"], key: string, rule: Rule): Counted => {
      return { map, key, allowance: map.get(key) ?? new Allowance(rule, now) };
    };
    if ("known" in source) return [at(this.#byKnown, source.known, perKnown)];
    return [
      at(this.#byEmail, emailKey(source.email), perEmail),
      at(this.#byAddress, networkOf(source.address), perAddress),
    ];
  }
}

interface Counted {
  readonly map: BoundedMap<string, Allowance>;
  readonly key: string;
  readonly allowance: Allowance;
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
