import { BlockList, isIP } from "node:net";

/** Networks as they are written in a setting: `10.0.0.0/8,2001:db8::/32`. */
export interface Networks {
  readonly text: string;
  has(address: string): boolean;
}

/** Null if a part is no network. A single address is a network of one. */
export function readNetworks(text: string): Networks | null {
  const list = new BlockList();
  for (const part of text.split(",").map((one) => one.trim())) {
    const [address = "", length, ...more] = part.split("/");
    const family = familyOf(address);
    if (family === null || more.length > 0) return null;
    const bits = family === "ipv4" ? 32 : 128;
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : bits + 1;
    if (prefix > bits) return null;
    list.addSubnet(address, prefix, family);
  }
  return {
    text,
    has: (address) => {
      const plain = plainAddress(address);
      const family = familyOf(plain);
      return family !== null && list.check(plain, family);
    },
  };
}

/** A socket for both kinds of addresses writes IPv4 ones as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice("::ffff:".length) : address;
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : null;
}
