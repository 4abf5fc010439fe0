import { inflateSync } from "node:zlib";
import { compressedHeadBytes, maxMessageBytes } from "./framer.ts";

/** Of text with its numbers it is three to five. */
const usualGrowth = 6;
/** A black box of a vehicle that stands grows thirtyfold: a connection may have some of these. */
export const extraBytesOverTcp = 128 * 1024;
/** Behind a few bytes, the head of the format weighs more than the text. */
const alwaysAllowedBytes = 256;

interface Inflated {
  /** The one packet that it holds, without the end of its line; null: it is none, or too large. */
  readonly packet: Uint8Array | null;
  /** What is left of the bytes that a connection may have beyond the usual growth. */
  readonly extraBytes: number;
}

/** Some bytes can become a thousand times as many, so what comes of them is bounded: in a message, and over a connection. */
export function inflated(message: Uint8Array, extraBytes: number): Inflated {
  const packed = message.subarray(compressedHeadBytes);
  const usual = Math.max(alwaysAllowedBytes, packed.length * usualGrowth);
  try {
    const maxOutputLength = Math.min(maxMessageBytes, usual + extraBytes);
    const packet = new Uint8Array(inflateSync(packed, { maxOutputLength }));
    return { packet, extraBytes: extraBytes - Math.max(0, packet.length - usual) };
  } catch {
    return { packet: null, extraBytes };
  }
}
