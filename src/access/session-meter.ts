import type { Limits } from "../domain/fleet.ts";
import { Counter, type Spent } from "./meter.ts";
import { RecentMap } from "./recent-map.ts";

/** A page that plays back a day asks for some twenty pages at once; a script that reads everything should use a key. */
const perSecond = 50;
/** Whoever looks has no quota: the second's limit is the only one that is ever reached. */
const limits: Limits = { perSecond, perDay: perSecond * 86_400 };

const mostRemembered = 20_000;

/** Counts the calls of each session, in memory of this process only. */
export class SessionMeter {
  readonly #counters = new RecentMap<Counter>(mostRemembered);

  spend(tokenHash: string, now: number): Spent {
    const counter = this.#counters.entry(tokenHash, () => new Counter());
    const inSecond = counter.takeSecond(limits, now);
    if (inSecond) counter.takeDay(limits, now);
    return { reading: counter.read(limits, now), refusal: inSecond ? null : "second" };
  }
}
