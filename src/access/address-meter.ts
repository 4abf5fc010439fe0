import { BoundedMap } from "../domain/bounded-map.ts";
import { defaultPerDayLimit, defaultPerSecondLimit } from "../domain/fleet.ts";
import { Counter, type MeterReading, type Spent } from "./meter.ts";

/** Calls without a valid key or token, so that neither can be guessed quickly. */
const limits = { perSecond: defaultPerSecondLimit, perDay: defaultPerDayLimit };

/**
 * An attacker with many addresses must not fill the memory, nor get around the limit: pushing a counter out takes calls
 * from as many other networks, each of which has an allowance just as large.
 */
const maxNetworks = 50_000;

/** Counts the calls without a valid key or token, by client address. In the memory of this process only. */
export class AddressMeter {
  readonly #counters = new BoundedMap<string, Counter>({ max: maxNetworks });

  spend(address: string, now: number): Spent {
    const counter = this.#counters.getOrMake(networkOf(address), () => new Counter());
    const inSecond = counter.takeSecond(limits, now);
    const inDay = inSecond && counter.takeDay(limits, now);
    return { reading: counter.read(limits, now), refusal: !inSecond ? "second" : !inDay ? "day" : null };
  }

  read(address: string, now: number): MeterReading {
    return (this.#counters.get(networkOf(address)) ?? new Counter()).read(limits, now);
  }
}

/** A single customer of a provider has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  if (tail !== undefined) {
    const rest = tail.split(":").filter((group) => group !== "");
    while (groups.length + rest.length < 8) groups.push("0");
    groups.push(...rest);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
