import { ByteReader } from "../kit/bytes.ts";
import { crc16Modbus } from "../kit/crc.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage, DecodeProblem, TrackerIdentity } from "../kit/family.ts";
import { type TrackerFrame, trackerFrames, withoutPlace } from "../kit/frame.ts";
import { hexNumber } from "../kit/values.ts";
import { compressedHeader, galileoskyChecksumBytes, galileoskyHeadBytes, photoHeader } from "./framer.ts";
import { packetConfirmation, photoConfirmation } from "./replies.ts";
import { newRecord, readGalileoskyTag, type TagRecord } from "./tags.ts";

/**
 * `distrusted`: the last packet whose checksum was wrong. Without a packetConfirmation it comes again. Damage on the way differs the next time; if
 * the same comes again, the tracker itself makes it so and would send it for ever.
 */
export interface GalileoskySession {
  readonly distrusted: string | null;
}

type Decoded = DecodedMessage<GalileoskySession>;

/** No clock of a tracker is older. */
const earliest = Date.UTC(2005, 0, 1);

export function decode(message: Uint8Array, session: GalileoskySession): Decoded {
  const end = message.length - galileoskyChecksumBytes;
  if (end < galileoskyHeadBytes)
    return decoded("packet", session, { problem: problemOf("malformed", "shorter than any packet") });
  const sent = new ByteReader(message, end).u16le();
  const right = crc16Modbus(message.subarray(0, end));
  const mark = `${message.length} ${sent} ${right}`;
  if (sent !== right && session.distrusted !== mark) {
    const problem = problemOf("checksum", `the checksum is ${hexNumber(sent, 4)}, not ${hexNumber(right, 4)}`);
    return decoded("packet with a wrong checksum", { distrusted: mark }, { problem });
  }
  const next = { distrusted: null };
  if (message[0] === photoHeader)
    return decoded("part of a photo", next, { unread: ["photo"], reply: photoConfirmation(sent) });
  if (message[0] === compressedHeader) {
    const problem = problemOf("unknown_message", "compressed tags: switch compression off");
    return decoded("compressed tags", next, { problem });
  }
  return decodeTags(new ByteReader(message, galileoskyHeadBytes, end), next, packetConfirmation(sent));
}

/** From the number of a device to the time: with these a record begins. */
const lastOfHead = 0x20;

/**
 * A tag that was there already begins the next record, and one of its head behind others. Within a record, tags are in the order of the
 * maker's list, which is not that of their numbers.
 */
function decodeTags(reader: ByteReader, session: GalileoskySession, reply: Uint8Array): Decoded {
  const records: TagRecord[] = [];
  const unread: string[] = [];
  let record = newRecord();
  let before = -1;
  const seen = new Set<number>();
  let unknown: number | null = null;
  while (reader.left > 0 && unknown === null) {
    const tag = reader.u8();
    if (seen.has(tag) || (tag < before && tag <= lastOfHead)) {
      records.push(record);
      record = newRecord();
      seen.clear();
    }
    seen.add(tag);
    before = tag;
    if (!readGalileoskyTag(tag, reader, record, unread)) unknown = tag;
  }
  records.push(record);
  const leftOut: string[] = [];
  const whole = reader.isShort ? records.slice(0, -1) : records;
  const frames = whole.flatMap((one) => framesOf(one, leftOut));
  return decoded(whatOf(frames), session, {
    ...identityIn(records),
    frames,
    leftOut: [...new Set(leftOut)],
    unread: [...new Set(unread)],
    problem: problemIn(reader, unknown, whole),
    // Also if not all can be read: it would come again as it is.
    reply,
  });
}

function framesOf({ at, fields, sensors, events }: TagRecord, leftOut: string[]): readonly TrackerFrame[] {
  if (at === null || at < earliest) return [];
  const read = fields.fix === true ? fields : withoutPlace(fields);
  return trackerFrames(at, { ...read, sensors }, events, leftOut);
}

function identityIn(records: readonly TagRecord[]): { readonly identity?: TrackerIdentity } {
  const imei = records.find((record) => record.imei !== null)?.imei ?? null;
  if (imei === null || !/^[!-~]{1,15}$/.test(imei)) return {};
  return { identity: { kind: /^\d{15}$/.test(imei) ? "imei" : "tracker_id", value: imei } };
}

function problemIn(reader: ByteReader, unknown: number | null, records: readonly TagRecord[]): DecodeProblem | null {
  if (unknown !== null)
    return problemOf("unknown_message", `tag ${hexNumber(unknown)}: what follows it cannot be found`);
  if (reader.isShort) return problemOf("malformed", "the tags do not fill the packet");
  const untimed = records.filter(({ at, fields }) => fields.fix !== undefined && (at === null || at < earliest)).length;
  return untimed === 0 ? null : problemOf("no_time", `${untimed} of ${records.length} records without a time`);
}

function whatOf(frames: readonly TrackerFrame[]): string {
  if (frames.length === 0) return "head";
  return `${frames.length} ${frames.length === 1 ? "record" : "records"}`;
}
