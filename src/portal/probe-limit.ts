import { BoundedMap } from "../domain/bounded-map.ts";
import type { Failure } from "../domain/errors.ts";
import { tooManyProbes } from "./refusals.ts";

const hourMs = 3_600_000;
const maxRemembered = 1_000;

interface Counted {
  readonly since: number;
  readonly values: ReadonlySet<string>;
  /** More was requested. Until the hour ends, nothing new is answered. */
  readonly isUsedUp: boolean;
}

/**
 * Who adds a vehicle or a person learns whether another account has its tracker or e-mail. Nobody must learn that of all there
 * are: so many values count for an account in an hour. Afterwards every other one is refused, whether or not another account has
 * it, since a refusal of some would reveal as much. The same values may be asked for again and again. Those of the account itself
 * are no secret: the caller leaves them out. In the memory of this process only.
 */
class ProbeLimit {
  /** What is tried, in words. */
  readonly #values: string;
  readonly #maxAnHour: number;
  readonly #byAccount = new BoundedMap<number, Counted>({ max: maxRemembered });

  constructor(values: string, maxAnHour: number) {
    this.#values = values;
    this.#maxAnHour = maxAnHour;
  }

  /** Before anybody looks whether another account has these. Throws if it must not be known. */
  check(accountId: number, values: Iterable<string>, now: number): void {
    const counted = this.#counted(accountId, now);
    if (!counted.isUsedUp) return;
    if (!new Set(values).isSubsetOf(counted.values)) throw this.#refusal(counted, now);
  }

  /** Counts these, before the answer reveals them. Throws if they are too many. */
  count(accountId: number, values: Iterable<string>, now: number): void {
    const counted = this.#counted(accountId, now);
    const { since, values: before } = counted;
    const after = before.union(new Set(values));
    if (after.size === before.size) return;
    const isTooMuch = after.size > this.#maxAnHour;
    const isUsedUp = after.size >= this.#maxAnHour;
    this.#byAccount.set(accountId, { since, values: isTooMuch ? before : after, isUsedUp });
    if (isTooMuch) throw this.#refusal(counted, now);
  }

  #refusal({ since }: Counted, now: number): Failure {
    return tooManyProbes(this.#values, since + hourMs - now);
  }

  #counted(accountId: number, now: number): Counted {
    const before = this.#byAccount.get(accountId);
    return before && now < before.since + hourMs ? before : { since: now, values: new Set(), isUsedUp: false };
  }
}

/** What an account may learn of others. */
export class ProbeLimits {
  /** Trackers that others have: two full spreadsheets of vehicles that are in the wrong account. */
  readonly takenTrackers = new ProbeLimit("IMEIs that other accounts have", 2_000);
  /** E-mails that others have: few people have to do with two fleets. */
  readonly takenEmails = new ProbeLimit("e-mails that other users have", 10);
}
