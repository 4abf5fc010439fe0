import { imeiCheckDigit } from "../../../domain/text/identifiers.ts";
import { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import type { DecodeProblem, TrackerIdentity } from "../kit/family.ts";
import { hexNumber } from "../kit/values.ts";
import { contentOf } from "./framer.ts";

/** A message with its header read. */
export interface Jt808Message {
  readonly type: number;
  /** Length, encryption, parts and version, as sent. */
  readonly attributes: number;
  /** The version of the edition of 2019; null: 2011 or 2013. */
  readonly version: number | null;
  /** As sent: the number goes back in each reply. */
  readonly id: Uint8Array;
  readonly serial: number;
  /** Counted from 1; null: the message is in one piece. */
  readonly part: { readonly number: number; readonly total: number } | null;
  readonly body: Uint8Array;
}

/** Padlocks of Jointech: their header has a serial number of one byte, and other flags where the standard has the encryption. */
export const padlockLive = 0x5501;
export const padlockStored = 0x5502;

export function isPadlock(type: number): boolean {
  return type === padlockLive || type === padlockStored;
}

/** Or what is wrong with it. */
export function readMessage(message: Uint8Array): Jt808Message | DecodeProblem {
  const content = contentOf(message);
  if (!content.isRight) {
    const [sent, right] = [content.checkByte, content.expectedCheckByte].map((byte) => hexNumber(byte).slice(2));
    return problemOf("checksum", `the check byte is ${sent}, not ${right}`);
  }
  const reader = new ByteReader(content.bytes);
  const [type, attributes] = [reader.u16(), reader.u16()];
  const version = (attributes & 0x4000) === 0 || isPadlock(type) ? null : reader.u8();
  const id = reader.take(version === null ? 6 : 10);
  const serial = isPadlock(type) ? reader.u8() : reader.u16();
  const isPart = (attributes & 0x2000) !== 0 && !isPadlock(type);
  const part = isPart ? { total: reader.u16(), number: reader.u16() } : null;
  if (reader.isShort) return problemOf("malformed", "the header is cut");
  // The length in the header is not compared: the delimiters and the check byte say where the body ends.
  return { type, attributes, version, id, serial, part, body: reader.take(reader.left) };
}

/** Whether the body is encrypted with a key that only its vendor's platform has. */
export function isEncrypted({ type, attributes }: Jt808Message): boolean {
  return (attributes & 0x1c00) !== 0 && !isPadlock(type);
}

/**
 * The digits of the phone number without leading zeros, as people write it. Trackers that have no number send their IMEI: as 15
 * digits, or its first 14 as a binary number of six bytes. All zeros name no tracker.
 */
export function jt808Identity(id: Uint8Array): TrackerIdentity | undefined {
  const digits = id.toHex().replace(/^0+/, "");
  if (digits === "") return undefined;
  if (/^\d+$/.test(digits)) return { kind: digits.length === 15 ? "imei" : "tracker_id", value: digits };
  const withoutCheck = String(Number.parseInt(digits, 16));
  if (id.length === 6 && withoutCheck.length === 14)
    return { kind: "imei", value: withoutCheck + imeiCheckDigit(withoutCheck) };
  return { kind: "tracker_id", value: digits };
}
