import { isIP } from "node:net";
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

/** The longest address as text. One with a zone may be longer, but does not come over the internet. */
const longestAddress = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;

/**
 * Where a request comes from, for counting by address. A proxy on this machine is believed, but only the last address in
 * its list: the client may have made up those before it. Text that is no address is ignored, so that nobody can fill the
 * memory with it.
 */
export function clientAddress(headers: Headers, peer: string): string {
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(peer)) return peer;
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return forwarded.length <= longestAddress && isIP(forwarded) !== 0 ? forwarded : peer;
}
