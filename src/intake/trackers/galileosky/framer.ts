import type { Cut } from "../kit/family.ts";
import { noiseTo } from "../kit/text-cut.ts";

/** A packet has 1,000 bytes at most; parts of photos have the same. */
export const maxMessageBytes = 2_048;

/** Tags, a part of a photo, compressed tags. */
export const [tagsHeader, photoHeader, compressedHeader] = [0x01, 0x07, 0x08];

export const galileoskyHeadBytes = 3;
export const galileoskyChecksumBytes = 2;
/** Says that more is stored. */
const moreBit = 0x80;

/** The tags with which a packet begins: hardware, firmware, IMEI, number, place in the archive, time, place, command. */
const firstTags: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x04, 0x10, 0x20, 0x30, 0xe0]);

/** A header, a length with its lowest byte first, the tags, a checksum. */
export function cut(bytes: Uint8Array): Cut {
  if (!mayStart(bytes, 0)) return noiseTo(bytes, mayStart);
  const total = totalOf(bytes, 0);
  return total === null || bytes.length < total ? { kind: "incomplete" } : { kind: "message", length: total };
}

/** Null: the length has not come. */
function totalOf(bytes: Uint8Array, at: number): number | null {
  const [low, high] = [bytes[at + 1], bytes[at + 2]];
  if (low === undefined || high === undefined) return null;
  return galileoskyHeadBytes + low + (high & ~moreBit) * 256 + galileoskyChecksumBytes;
}

/** As far as it has come. */
function mayStart(bytes: Uint8Array, at: number): boolean {
  const header = bytes[at];
  if (header !== tagsHeader && header !== photoHeader && header !== compressedHeader) return false;
  const total = totalOf(bytes, at);
  if (total === null) return true;
  if (total <= galileoskyHeadBytes + galileoskyChecksumBytes || total > maxMessageBytes) return false;
  const first = bytes[at + galileoskyHeadBytes];
  return header !== tagsHeader || first === undefined || firstTags.has(first);
}
