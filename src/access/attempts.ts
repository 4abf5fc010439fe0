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

/** A stolen session or cookie must not become a way to guess, so these are no more than for an e-mail. */
const perKnown: Rule = perEmail;

/**
 * An attacker with many names and addresses must not fill the memory. Nor is that a way round the limits: only attempts that
 * are let through are counted, so pushing out what is known of one e-mail takes as many attempts on others, each of which
 * costs one of an address's.
 */
const maxRemembered = 20_000;

/** Who gives a password: a stranger, or a session or a browser that has proved that it is the user's, by its id. */
export type Giver = { readonly email: string; readonly address: string } | { readonly known: string };

/**
 * Attempts to give a password. Those of strangers are counted by the e-mail they are for and by where they come from. Whoever
 * has proved to be the user's is counted alone, so that strangers cannot keep the user out. An attempt that succeeds costs
 * nothing. In memory of this process only. An e-mail that nobody has is counted like any other, so a refusal shows nothing.
 */
export class Attempts {
  readonly #byEmail = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byAddress = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byKnown = new BoundedMap<string, Allowance>({ max: maxRemembered });

  /** Takes one attempt, before the password is checked. Otherwise gives how long to wait. */
  take(giver: Giver, now: number): { readonly waitMs: number } {
    const counted = this.#allowances(giver, now);
    const waitMs = Math.max(...counted.map(({ allowance }) => allowance.waitMs(now)));
    if (waitMs > 0) return { waitMs };
    for (const { among, key, allowance } of counted) {
      allowance.take(now);
      among.set(key, allowance);
    }
    return { waitMs };
  }

  /** The password was right. */
  giveBack(giver: Giver, now: number): void {
    for (const { allowance } of this.#allowances(giver, now)) allowance.giveBack(now);
  }

  #allowances(
    giver: Giver,
    now: number,
  ): { among: BoundedMap<string, Allowance>; key: string; allowance: Allowance }[] {
    const counted = (among: BoundedMap<string, Allowance>, key: string, rule: Rule) => ({
      among,
      key,
      allowance: among.get(key) ?? new Allowance(rule, now),
    });
    if ("known" in giver) return [counted(this.#byKnown, giver.known, perKnown)];
    return [
      counted(this.#byEmail, emailKey(giver.email), perEmail),
      counted(this.#byAddress, networkOf(giver.address), perAddress),
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
