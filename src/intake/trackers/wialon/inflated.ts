import { inflateSync } from "node:zlib";
import { compressedHeadBytes } from "./framer.ts";

/** A packet of a full black box. What grows beyond it is no packet: some bytes could become a thousand times as many. */
const maxInflatedBytes = 64 * 1024;

/** The one packet that a compressed one holds, without the end of its line; null: it is none. */
export function inflated(message: Uint8Array): Uint8Array | null {
  try {
    return new Uint8Array(inflateSync(message.subarray(compressedHeadBytes), { maxOutputLength: maxInflatedBytes }));
  } catch {
    return null;
  }
}
