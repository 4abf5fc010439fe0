import { isIP } from "node:net";
import { textOf, u16At } from "../kit/bytes.ts";

/**
 * What a balancer writes before the bytes of a tracker, to say where they come from: the PROXY protocol, versions 1 and 2, as
 * HAProxy describes it.
 */
export type ProxyHeader =
  /** `address` is null if the balancer speaks for itself, as when it checks whether we are there. */
  | { readonly kind: "header"; readonly length: number; readonly address: string | null }
  | { readonly kind: "incomplete" }
  | { readonly kind: "wrong" };

const signature = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a);
/** The longest line of version 1, with its end. */
const maxLine = 107;
/** Addresses have 36 bytes at most; what a balancer may add, we do not need. */
const maxExtended = 1_024;
const word = "PROXY ";

export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  if (startsAlike(bytes, signature)) return readVersion2(bytes);
  return startsAlike(bytes, new TextEncoder().encode(word)) ? readVersion1(bytes) : { kind: "wrong" };
}

function startsAlike(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.subarray(0, bytes.length).every((byte, index) => bytes[index] === byte);
}

/** `PROXY TCP4 192.0.2.1 198.51.100.2 5612 5023`, or `PROXY UNKNOWN`. */
function readVersion1(bytes: Uint8Array): ProxyHeader {
  const text = textOf(bytes.subarray(0, maxLine));
  const end = text.indexOf("\r\n");
  if (end === -1) return { kind: bytes.length < maxLine ? "incomplete" : "wrong" };
  const [, family, address, , ...ports] = text.slice(0, end).split(" ");
  const length = end + 2;
  if (family === "UNKNOWN") return { kind: "header", length, address: null };
  const isRight = (family === "TCP4" || family === "TCP6") && isIP(address ?? "") !== 0 && ports.length === 2;
  return isRight && address !== undefined ? { kind: "header", length, address } : { kind: "wrong" };
}

function readVersion2(bytes: Uint8Array): ProxyHeader {
  const head = signature.length + 4;
  if (bytes.length < head) return { kind: "incomplete" };
  const [command = 0, family = 0, high = 0, low = 0] = bytes.subarray(signature.length, head);
  const length = head + high * 256 + low;
  if (command >> 4 !== 2 || length > head + maxExtended) return { kind: "wrong" };
  if (bytes.length < length) return { kind: "incomplete" };
  const addresses = bytes.subarray(head, length);
  // The command is LOCAL (0) or PROXY (1); the family IPv4 (1), IPv6 (2) or something without addresses of a network.
  if ((command & 15) === 0) return { kind: "header", length, address: null };
  return (command & 15) === 1
    ? { kind: "header", length, address: sourceOf(family >> 4, addresses) }
    : { kind: "wrong" };
}

function sourceOf(family: number, addresses: Uint8Array): string | null {
  if (family === 1 && addresses.length >= 12) return addresses.subarray(0, 4).join(".");
  if (family !== 2 || addresses.length < 36) return null;
  return Array.from({ length: 8 }, (_, index) => u16At(addresses, 2 * index).toString(16)).join(":");
}
