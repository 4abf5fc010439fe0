import { BoundedMap } from "../domain/bounded-map.ts";
import type { Limits } from "../domain/fleet.ts";
import { networkOf } from "./address-meter.ts";
import { Counter, type Spent } from "./meter.ts";

/** What one address, and everybody with one link, may ask for in a second. */
interface ShareLimits {
  readonly perAddress: number;
  readonly perLink: number;
}

/** An open page asks every few seconds: this is room for hundreds behind one address, or with one link. */
export const shareCalls: ShareLimits = { perAddress: 30, perLink: 60 };
/** A map that is moved asks for a hundred tiles at once. */
export const shareTiles: ShareLimits = { perAddress: 200, perLink: 600 };

/** More counters than these are forgotten, the longest unused first. */
const maxRemembered = 20_000;

/** Counts what visitors with share links ask for, in memory of this process only. */
export class ShareMeter {
  readonly #limits: ShareLimits;
  readonly #addresses = new BoundedMap<string, Counter>({ max: maxRemembered });
  readonly #links = new BoundedMap<string, Counter>({ max: maxRemembered });

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Before the link is looked up, so that nobody tries many secrets quickly. */
  spendAddress(address: string, now: number): Spent {
    return spend(this.#addresses, networkOf(address), this.#limits.perAddress, now);
  }

  spendLink(id: string, now: number): Spent {
    return spend(this.#links, id, this.#limits.perLink, now);
  }
}

function spend(counters: BoundedMap<string, Counter>, key: string, perSecond: number, now: number): Spent {
  const limits: Limits = { perSecond, perDay: perSecond * 86_400 };
  const counter = counters.getOrMake(key, () => new Counter());
  const inSecond = counter.takeSecond(limits, now);
  return { reading: counter.read(limits, now), refusal: inSecond ? null : "second" };
}
