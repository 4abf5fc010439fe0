import { plain, topflytechHeadBytes } from "./framer.ts";

const position = 0x02;
const answer = 0x81;

/**
 * The message's own start, type, number and IMEI; to an alarm its number, too. The oldest protocol has 1 for the number, and wants none to
 * positions. A tracker that is not set to wait for an answer has no use for it.
 */
export function topflytechAcknowledgement(
  kind: number,
  type: number,
  serial: number,
  id: Uint8Array,
  alarm: number | null,
): Uint8Array | null {
  if (type === answer || (kind === plain && type === position)) return null;
  const number = kind === plain ? 1 : serial;
  const more = alarm === null ? [] : [alarm];
  const length = topflytechHeadBytes + more.length;
  return Uint8Array.of(kind, kind, type, 0, length, number >> 8, number & 0xff, ...id, ...more);
}
