import { BoundedMap } from "../domain/bounded-map.ts";
import { tooManyAttempts } from "./refusals.ts";

const hourMs = 3_600_000;
/** Two full spreadsheets of vehicles that are in the wrong account. */
const maxAnHour = 2_000;
const maxRemembered = 1_000;

interface Told {
  readonly since: number;
  readonly imeis: Set<string>;
}

/**
 * Who adds a vehicle learns whether somebody else has its tracker. Nobody must learn that of all trackers there are: an
 * account is told of so many in an hour, and of the same ones again for as long as it likes. In the memory of this process only.
 */
export class ToldImeis {
  readonly #byAccount = new BoundedMap<number, Told>({ max: maxRemembered });

  /** To be called before the answer says that these are taken. Throws if it must not. */
  tell(accountId: number, imeis: Iterable<string>, now: number): void {
    const before = this.#byAccount.get(accountId);
    const told = before && now < before.since + hourMs ? before : { since: now, imeis: new Set<string>() };
    const after = told.imeis.union(new Set(imeis));
    if (after.size > maxAnHour) throw tooManyAttempts(told.since + hourMs - now);
    if (after.size > 0) this.#byAccount.set(accountId, { since: told.since, imeis: after });
  }
}
