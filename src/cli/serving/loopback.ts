import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether only this machine can reach that address or name. One that cannot be resolved counts as reachable by others. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  // The list also matches IPv4 addresses written as IPv6.
  const isInside = addresses.map(({ address, family }) => loopback.check(address, family === 6 ? "ipv6" : "ipv4"));
  return isInside.length > 0 && isInside.every(Boolean);
}
