import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import { crc16Arc, crc16Kermit, crc16Modbus, crc16X25 } from "../../../src/intake/trackers/kit/crc.ts";
import type { Wrapping } from "./silent-bytes.ts";

const none: Wrapping = { repair: () => undefined };

function setWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >> 8;
  bytes[at + 1] = word & 255;
}

/** What is around the contents of a message of each family: lengths, numbers and checksums, which are not read but checked. */
export const wrappings: Readonly<Record<TrackerProtocol, Wrapping>> = {
  gt06: {
    repair: (bytes) => setWord(bytes, bytes.length - 4, crc16X25(bytes.subarray(2, bytes.length - 4))),
    isStructure: (bytes, at) => at < 4 || at >= bytes.length - 6,
  },
  jt808: {
    repair: repairCheckByte,
    isStructure: (bytes, at) =>
      at < ((bytes[3] ?? 0) & 0x40 ? 18 : 13) + (isBatch(bytes) ? 3 : 0) || at >= bytes.length - 2,
  },
  // The letter behind an IMEI says that it is a login, and so does its length.
  gps103: { ...none, isStructure: (bytes, at) => bytes.length < 30 && bytes[at - 1] === 0x2c },
  teltonika: {
    repair: (bytes) => {
      if (bytes.length > 12 && bytes[0] === 0 && bytes[1] === 0)
        setWord(bytes, bytes.length - 2, crc16Arc(bytes.subarray(8, bytes.length - 4)));
    },
    isStructure: (bytes, at) => bytes.length > 30 && (at < 9 || at >= bytes.length - 5),
    hasElements: true,
  },
  meitrack: {
    repair: (bytes) => {
      const star = bytes.lastIndexOf(0x2a);
      let sum = 0;
      for (let at = 0; at <= star; at++) sum += bytes[at] ?? 0;
      bytes.set(Buffer.from((sum & 255).toString(16).padStart(2, "0").toUpperCase()), star + 1);
    },
    // Start, letter and length; what is behind the star.
    isStructure: (bytes, at) => at < bytes.indexOf(0x2c) || at > bytes.lastIndexOf(0x2a),
    hasElements: true,
  },
  wialon: none,
  ruptela: {
    repair: (bytes) => setWord(bytes, bytes.length - 2, crc16Kermit(bytes.subarray(2, bytes.length - 2))),
    isStructure: (_, at) => at < 2,
    hasElements: true,
  },
  topflytech: { ...none, hasElements: true, isStructure: (bytes, at) => at < 7 || (bytes[0] === 0x23 && at < 15) },
  galileosky: {
    repair: (bytes) => {
      const sum = crc16Modbus(bytes.subarray(0, bytes.length - 2));
      setWord(bytes, bytes.length - 2, (sum & 255) * 256 + (sum >> 8));
    },
    isStructure: (_, at) => at < 3,
    ...{ repliesWithChecksum: true, hasElements: true },
  },
  h02: none,
  tk103: none,
  queclink: none,
  suntech: none,
};

/** Where nothing is escaped, which is nearly everywhere. */
function repairCheckByte(bytes: Uint8Array): void {
  if (bytes[0] !== 0x7e || bytes.at(-3) === 0x7d) return;
  let check = 0;
  for (let at = 1; at < bytes.length - 2; at++) {
    const isEscape = bytes[at] === 0x7d;
    check ^= isEscape ? 0x7d + (bytes[at + 1] === 1 ? 0 : 1) : (bytes[at] ?? 0);
    if (isEscape) at++;
  }
  bytes[bytes.length - 2] = check;
}

/** Locations with their number before them, and whether they were stored. */
function isBatch(bytes: Uint8Array): boolean {
  return bytes[1] === 0x07 && bytes[2] === 0x04;
}
