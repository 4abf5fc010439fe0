import { bytesOf } from "../kit/bytes.ts";
import type { SuntechText } from "./message.ts";

/**
 * Over UDP, a tracker that is set to wait for it sends a report again after two minutes without this. Heartbeats and answers to
 * commands need none. How the universal protocol wants it is not published, and ST910 has no such setting that we know.
 */
export function acknowledgementOf({ series, kind, id, isAnswer, isWhole }: SuntechText): Uint8Array | null {
  if (isAnswer || !isWhole || kind === "ALV" || kind === "CMD" || !/^S[AT]\d{3,4}$/.test(series)) return null;
  return series.startsWith("ST9") ? null : bytesOf(`${series}ACK;${id}\r`);
}

/** The number as it was sent: nine digits and a zero. */
export function zipAcknowledgement(bytes: Uint8Array): Uint8Array {
  return Uint8Array.of(0x15, ...bytes.subarray(4, 9));
}
