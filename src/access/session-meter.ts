import { BoundedMap } from "../domain/bounded-map.ts";
import type { Limits } from "../domain/fleet.ts";
import { Counter, type Spent } from "./meter.ts";

/** A page that plays back a day asks for some twenty pages at once; a script that reads everything should use a key. */
const perSecond = 50;
/** Viewers have no daily quota: only the limit per second is ever reached. */
const limits: Limits = { perSecond, perDay: perSecond * 86_400 };

/** Only sessions that exist are counted: nobody can push a counter out without signing in as often. */
const maxRemembered = 20_000;

/** Counts the calls of each session, in memory of this process only. */
export class SessionMeter {
  readonly #counters = new BoundedMap<string, Counter>({ max: maxRemembered });

  spend(tokenHash: string, now: number): Spent {
    const counter = this.#counters.getOrMake(tokenHash, () => new Counter());
    const inSecond = counter.takeSecond(limits, now);
    if (inSecond) counter.takeDay(limits, now);
    return { reading: counter.read(limits, now), refusal: inSecond ? null : "second" };
  }
}
