import { ByteReader, textOf } from "../kit/bytes.ts";
import { crc16Arc } from "../kit/crc.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { hexNumber } from "../kit/values.ts";
import { commandCodecs, readSerialText } from "./commands.ts";
import { dialectOf, gh3000 } from "./dialects.ts";
import { checksumBytes, dataFrom, imeiLength, loginBytes, ping, udpDataFrom } from "./framer.ts";
import { readGh3000Records } from "./gh3000.ts";
import { framesOf } from "./meaning.ts";
import { type AvlRecord, layouts, readRecords } from "./records.ts";
import { acceptedReply, packetStored, recordsStored } from "./replies.ts";

/**
 * `distrusted`: length and checksums of the last packet whose checksum or length was wrong, or null. We ask for it again at once.
 * Damage on the way differs the next time; if the same comes again, the tracker itself makes it so and would send it for ever.
 */
export interface TeltonikaSession {
  readonly distrusted: string | null;
}

type Decoded = DecodedMessage<TeltonikaSession>;

export function decode(message: Uint8Array, session: TeltonikaSession): Decoded {
  if (message[0] === ping) return decoded("ping", session);
  // Data over TCP begins with zeros, a login with the length of an IMEI, a packet over UDP with a greater length.
  const length = new ByteReader(message).u16();
  if (length === 0) return decodeStream(message, session);
  if (length !== imeiLength) return decodePacket(message, session);
  return decoded("login", session, { identity: imei(message), reply: acceptedReply });
}

function imei(login: Uint8Array) {
  return { kind: "imei", value: textOf(login.subarray(2)) } as const;
}

function decodeStream(message: Uint8Array, session: TeltonikaSession): Decoded {
  const end = message.length - checksumBytes;
  // In a datagram: over TCP the rest of it would come.
  if (end < dataFrom) return decoded("data", session, { problem: problemOf("malformed", "shorter than any data") });
  const data = message.subarray(dataFrom, end);
  const sent = new ByteReader(message, end).u32();
  const sum = crc16Arc(data);
  const distrusted = sent === sum ? null : `${data.length} ${sent} ${sum}`;
  const wrongSum =
    distrusted === null ? null : problemOf("checksum", `the checksum is ${hexNumber(sent)}, not ${hexNumber(sum)}`);
  if (session.distrusted !== distrusted && distrusted !== null) {
    // None stored: the tracker sends the packet again.
    const reply = commandCodecs.has(data[0] ?? 0) ? null : recordsStored(0);
    return decoded("data with a wrong checksum", { distrusted }, { reply, problem: wrongSum });
  }
  const { count, readable, ...contents } = readContents(data);
  const problem = contents.problem ?? wrongSum;
  if (count === null || readable === count || session.distrusted === partly(data)) {
    const reply = count === null ? null : recordsStored(count);
    return { ...contents, reply, problem, session: { distrusted: null } };
  }
  // No more than what is stored. If the same packet comes again, it will not get better: then it counts as handled.
  return { ...contents, reply: recordsStored(readable), problem, session: { distrusted: partly(data) } };
}

function partly(data: Uint8Array): string {
  return `partly ${data.length} ${crc16Arc(data)}`;
}

function decodePacket(message: Uint8Array, session: TeltonikaSession): Decoded {
  const reader = new ByteReader(message, 2);
  const channel = { packetId: reader.u16(), type: reader.u8(), dataId: reader.u8() };
  const identity = imei(reader.take(loginBytes));
  const { count, readable, what, ...contents } = readContents(message.subarray(udpDataFrom));
  // A datagram that was cut is not answered, so it comes again.
  const reply = count === null || readable < count ? null : packetStored(channel, count);
  return { ...contents, what: `${what} over UDP`, identity, reply, session };
}

/** What is between the header and the checksum. */
interface Contents extends Pick<Decoded, "what" | "frames" | "problem" | "leftOut" | "unread"> {
  /** Of the records, to be answered; null: the codec wants no answer. */
  readonly count: number | null;
  /** How many of them can be read. */
  readonly readable: number;
}

const uncounted = { frames: [], problem: null, leftOut: [], unread: [], count: null, readable: 0 };

function readContents(data: Uint8Array): Contents {
  const [codec = 0, count = 0] = data;
  const command = commandCodecs.get(codec);
  if (command !== undefined) {
    const { text, frames } = readSerialText(data);
    const unread = [`text of ${command}`, `kind of ${command}`, ...(frames.length > 0 ? ["kind of the key"] : [])];
    return { ...uncounted, what: `${command}, ${text.length} bytes of text`, frames, unread };
  }
  const layout = layouts.get(codec);
  const isGh3000 = codec === gh3000Codec;
  if (layout === undefined && !isGh3000) {
    return { ...uncounted, what: "unknown codec", problem: problemOf("unknown_message", `codec ${hexNumber(codec)}`) };
  }
  const end = data.length - 1;
  const { records, isWhole } =
    layout === undefined ? readGh3000Records(data, count, 2, end) : readRecords(data, layout, count, 2, end);
  const what = `${layout?.name ?? "codec 7"}, ${count} ${count === 1 ? "record" : "records"}`;
  const read = readAll(records, isGh3000);
  if (isWhole) return { ...read, what, count, readable: count };
  return { ...read, what, count, readable: records.length, problem: unreadable };
}

const gh3000Codec = 0x07;
const unreadable = problemOf("malformed", "the records do not fill the packet");

/** A tracker that never had a fix counts from 1970. Later than this no tracker of today is alive. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

function readAll(records: readonly AvlRecord[], isGh3000: boolean) {
  const dialect = isGh3000 ? gh3000 : dialectOf(records);
  const leftOut: string[] = [];
  const unread = new Set<string>();
  const timed = records.filter(({ time }) => time >= earliest && time < latest);
  const frames = timed.flatMap((record) => framesOf(record, dialect, leftOut, unread));
  const untimed = records.length - timed.length;
  const detail = `${untimed} of ${records.length} records without a time`;
  const problem = untimed === 0 ? null : problemOf("no_time", detail);
  return { frames, problem, leftOut: [...new Set(leftOut)], unread: [...unread] };
}
