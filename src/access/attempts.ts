import { BoundedMap } from "../domain/bounded-map.ts";
import { Failure } from "../domain/errors.ts";
import { emailKeys } from "../domain/text/email.ts";
import { networkOf } from "./address-meter.ts";
import { Allowance, type AllowanceRule } from "./allowance.ts";

export interface AttemptRules {
  readonly perEmail: AllowanceRule;
  readonly perAddress: AllowanceRule;
}

/** A link's 256 random bits cannot be guessed; this only keeps those who try from keeping the store busy. */
export const linkAttempts: AttemptRules = {
  perEmail: { burst: 20, refillMs: 10_000 },
  perAddress: { burst: 20, refillMs: 10_000 },
};

const passwordAttempts: AttemptRules = {
  /** Enough for users who try all their passwords. Guessing gets 60 an hour, of some million common passwords. */
  perEmail: { burst: 10, refillMs: 60_000 },
  /** Several people may share an address. */
  perAddress: { burst: 30, refillMs: 10_000 },
};

/**
 * An attacker with many names and addresses must not fill the memory, nor get around the limits: only allowed attempts are
 * counted, so pushing out one e-mail takes as many attempts on others, each of which also counts for an address.
 */
const maxRemembered = 20_000;

/**
 * Who tries: a stranger, with an e-mail or (with a link) without, or a session or browser that has proved to be the user's,
 * by its id.
 */
export type AttemptSource = { readonly email?: string; readonly address: string } | { readonly known: string };

export type Throttled = { readonly outcome: "throttled"; readonly waitMs: number };

/**
 * Limits attempts to enter a password. Strangers are counted by e-mail and by address. A session or browser that has proved
 * to be the user's is counted alone, so that strangers cannot lock the user out. A successful attempt costs nothing. An
 * e-mail that nobody has is counted like any other, so a refusal reveals nothing. In the memory of this process only.
 */
export class Attempts {
  readonly #byEmail = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byAddress = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #byKnown = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #rules: AttemptRules;

  constructor(rules = passwordAttempts) {
    this.#rules = rules;
  }

  /** Takes one attempt, before the password is checked. If none is left, returns how long to wait. */
  take(source: AttemptSource, now: number): { readonly waitMs: number } {
    const counted = this.#counted(source, now);
    const waitMs = Math.max(...counted.map(({ allowance }) => allowance.waitMs(now)));
    if (waitMs > 0) return { waitMs };
    for (const { map, key, allowance } of counted) {
      allowance.take(now);
      map.set(key, allowance);
    }
    return { waitMs };
  }

  /**
   * Does the work as one attempt, unless none is left. The attempt is given back if it was right, and if nothing came of it
   * because the store failed or it was never its turn: the right password must not use up attempts.
   */
  async attempt<Result>(
    source: AttemptSource,
    now: number,
    work: () => Promise<Result>,
    isRight: (result: Result) => boolean,
  ): Promise<Result | Throttled> {
    const { waitMs } = this.take(source, now);
    if (waitMs > 0) return { outcome: "throttled", waitMs };
    try {
      const result = await work();
      if (isRight(result)) this.refund(source, now);
      return result;
    } catch (error) {
      if (isOurFault(error)) this.refund(source, now);
      throw error;
    }
  }

  refund(source: AttemptSource, now: number): void {
    for (const { allowance } of this.#counted(source, now)) allowance.refund(now);
  }

  /** The allowances that an attempt counts for. New ones are full, and not remembered yet. */
  #counted(source: AttemptSource, now: number): readonly Counted[] {
    const at = (map: Counted["map"], key: string, rule: AllowanceRule): Counted => {
      return { map, key, allowance: map.get(key) ?? new Allowance(rule, now) };
    };
    const { perEmail, perAddress } = this.#rules;
    // A stolen session or cookie must not make guessing easier, so it has no more attempts than an e-mail.
    if ("known" in source) return [at(this.#byKnown, source.known, perEmail)];
    const ofAddress = at(this.#byAddress, networkOf(source.address), perAddress);
    return source.email === undefined
      ? [ofAddress]
      : [at(this.#byEmail, emailKeys(source.email).normal, perEmail), ofAddress];
  }
}

/** A client that hangs up has used its attempt. */
function isOurFault(error: unknown): boolean {
  if (!(error instanceof Failure)) return true;
  return error.code.startsWith("STORE_") || error.code === "PASSWORDS_BUSY";
}

interface Counted {
  readonly map: BoundedMap<string, Allowance>;
  readonly key: string;
  readonly allowance: Allowance;
}
