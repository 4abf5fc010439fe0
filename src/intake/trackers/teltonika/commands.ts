import { ByteReader, textOf } from "../kit/bytes.ts";
import { type TrackerFrame, trackerFrames } from "../kit/frame.ts";

/** Codecs for answers to commands, which we never send, and for what comes from the tracker's serial port. */
export const commandCodecs: ReadonlyMap<number, string> = new Map([
  [0x0c, "codec 12"],
  [0x0d, "codec 13"],
  [0x0e, "codec 14"],
  [0x0f, "codec 15"],
]);

/** The key's number is in the fifth field of what a card reader at the serial port says: `GTSL|6|1|0|12749884|1|`. */
const cardReader = /^GTSL\|(?:[^|]*\|){3}([!-{}~]{1,64})\|/;

export interface SerialText {
  readonly text: string;
  readonly frames: readonly TrackerFrame[];
}

/** `data` begins with the codec and the number of messages. Codec 13 has a time, so that a card read is a frame. */
export function readSerialText(data: Uint8Array): SerialText {
  const reader = new ByteReader(data, 3);
  const length = reader.u32();
  const hasTime = data[0] === 0x0d;
  const time = hasTime ? reader.u32() * 1000 : 0;
  const text = textOf(reader.take(Math.min(length - (hasTime ? 4 : 0), reader.left)));
  const driver = cardReader.exec(text)?.[1];
  return { text, frames: driver === undefined || time === 0 ? [] : trackerFrames(time, { driver_id: driver }, [], []) };
}
