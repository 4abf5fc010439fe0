import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";
import type { Settings } from "../settings/settings.ts";

/**
 * Where a program or a browser on this machine reaches a server that listens there. One that listens on all addresses, as
 * in a container, has none of its own: `http://0.0.0.0` opens in some browsers only.
 */
export function addressHere(host: string, port: number): string {
  return `http://${hostHere(host)}:${port}`;
}

/** Where people reach the server that listens at this URL: as the operator says, or else from this machine. */
export function serverOriginOf({ publicUrl, host }: Pick<Settings, "publicUrl" | "host">, url: string): string {
  // The URL names no port if it is that of http.
  return publicUrl ?? addressHere(host, Number(new URL(url).port || 80));
}

function hostHere(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

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
