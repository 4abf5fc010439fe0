import type { TrackerProtocol } from "../../src/domain/tracker-protocols.ts";
import { wrap } from "../../src/intake/trackers/jt808/framer.ts";
import { crc16Arc } from "../../src/intake/trackers/kit/crc.ts";
import { longFrame } from "../../test/support/trackers/gt06-encoder.ts";

/** A message and what its content is filled up with, up to the longest there is. */
type Grow = (message: Uint8Array, token: Uint8Array) => Uint8Array;

/**
 * Messages that are as long as they can be, with right checksums: an attacker who wants to keep a decoder busy works them out. A search that
 * only changes bytes would never get behind the checksum.
 */
export const growByFamily: Readonly<Partial<Record<TrackerProtocol, Grow>>> = {
  gt06: (message, token) => {
    const isLong = message[0] === 0x79;
    const content = message.subarray(isLong ? 5 : 4, -6);
    return longFrame(message[isLong ? 4 : 3] ?? 0, [...filled(content, token, 4_000)], 7);
  },
  jt808: (message, token) => wrap([...filled(message.subarray(1, -2), token, 1_000)]),
  teltonika: (message, token) => {
    const data = filled(message.subarray(8, -4), token, 16_000);
    data[data.length - 1] = data[1] ?? 0;
    const sum = crc16Arc(data);
    const head = [0, 0, 0, 0, 0, 0, data.length >> 8, data.length & 0xff];
    return Uint8Array.from([...head, ...data, 0, 0, sum >> 8, sum & 0xff]);
  },
};

function filled(content: Uint8Array, token: Uint8Array, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => content[at] ?? token[(at - content.length) % token.length] ?? 0);
}
