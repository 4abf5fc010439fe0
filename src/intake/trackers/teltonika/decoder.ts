import { ByteReader, crc16Arc, textOf } from "../kit/bytes.ts";
import type { DecodedMessage, DecodeProblem } from "../kit/family.ts";
import { commandCodecs, readSerialText } from "./commands.ts";
import { checksumBytes, dataFrom, imeiDigits, loginBytes, ping, udpDataFrom } from "./framer.ts";
import { readGh3000Records } from "./gh3000.ts";
import { dialectOf, framesOf, gh3000 } from "./meaning.ts";
import { type AvlRecord, layouts, readRecords } from "./records.ts";
import { accepted, packetStored, recordsStored, refused } from "./replies.ts";

/**
 * `distrusted`: length and checksums of the last packet whose checksum was wrong, or null. We ask for it again at once. Damage on the
 * way differs the next time; if the same comes again, the tracker itself reckons like this and would send it for ever.
 */
export interface TeltonikaSession {
  readonly distrusted: string | null;
}

type Decoded = DecodedMessage<TeltonikaSession>;

const nothing = { frames: [], reply: null, problem: null, leftOut: [], unread: [] };

export function decode(message: Uint8Array, session: TeltonikaSession): Decoded {
  if (message[0] === ping) return { ...nothing, what: "ping", session };
  // Data over TCP begins with zeros, a login with the length of an IMEI, a packet over UDP with a greater length.
  const length = new ByteReader(message).u16();
  if (length === 0) return decodeStream(message, session);
  return length === imeiDigits ? login(message, session) : decodePacket(message, session);
}

function login(message: Uint8Array, session: TeltonikaSession): Decoded {
  return { ...nothing, what: "login", identity: imei(message), reply: accepted, refusal: refused, session };
}

function imei(login: Uint8Array) {
  return { kind: "imei", value: textOf(login.subarray(2)) } as const;
}

function decodeStream(message: Uint8Array, session: TeltonikaSession): Decoded {
  const end = message.length - checksumBytes;
  const data = message.subarray(dataFrom, end);
  const sent = new ByteReader(message, end).u32();
  const sum = crc16Arc(data);
  const answer = (contents: Contents) => (contents.count === null ? null : recordsStored(contents.count));
  if (sent === sum) {
    const contents = readContents(data);
    return { ...contents, reply: answer(contents), session: { distrusted: null } };
  }
  const distrusted = `${data.length} ${sent} ${sum}`;
  const problem: DecodeProblem = { kind: "checksum", detail: `the checksum is ${hex(sent)}, not ${hex(sum)}` };
  if (session.distrusted !== distrusted) {
    // None stored: the tracker sends the packet again.
    const reply = commandCodecs.has(data[0] ?? 0) ? null : recordsStored(0);
    return { ...nothing, what: "data with a wrong checksum", reply, problem, session: { distrusted } };
  }
  const contents = readContents(data);
  return { ...contents, reply: answer(contents), problem: contents.problem ?? problem, session: { distrusted: null } };
}

function decodePacket(message: Uint8Array, session: TeltonikaSession): Decoded {
  const reader = new ByteReader(message, 2);
  const channel = { packetId: reader.u16(), type: reader.u8(), dataId: reader.u8() };
  const identity = imei(reader.take(loginBytes));
  const contents = readContents(message.subarray(udpDataFrom));
  const reply = contents.count === null ? null : packetStored(channel, contents.count);
  return { ...contents, what: `${contents.what} over UDP`, identity, reply, session };
}

/** What is between the header and the checksum; `count`: of the records, to be answered, or null if the codec wants no answer. */
interface Contents extends Pick<Decoded, "what" | "frames" | "problem" | "leftOut" | "unread"> {
  readonly count: number | null;
}

function readContents(data: Uint8Array): Contents {
  const [codec = 0, count = 0] = data;
  const command = commandCodecs.get(codec);
  if (command !== undefined) {
    const { text, frames } = readSerialText(data);
    const unread = frames.length > 0 ? [] : [`text of ${command}`];
    return { ...nothing, what: `${command}, ${text.length} bytes of text`, frames, unread, count: null };
  }
  const layout = layouts.get(codec);
  const isGh3000 = codec === gh3000Codec;
  if (layout === undefined && !isGh3000) {
    const problem: DecodeProblem = { kind: "unknown_message", detail: `codec ${hex(codec)}` };
    return { ...nothing, what: "unknown codec", problem, count: null };
  }
  const end = data.length - 1;
  const records =
    layout === undefined ? readGh3000Records(data, count, 2, end) : readRecords(data, layout, count, 2, end);
  const what = `${layout?.name ?? "codec 7"}, ${count} ${count === 1 ? "record" : "records"}`;
  // It would come again for ever, and no more readable: it counts as handled.
  if (records === null) return { ...nothing, what, problem: unreadable, count };
  return { ...readAll(records, isGh3000), what, count };
}

const gh3000Codec = 0x07;
const unreadable: DecodeProblem = { kind: "malformed", detail: "the records do not fill the packet" };

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
  const problem: DecodeProblem | null = untimed === 0 ? null : { kind: "no_time", detail };
  return { frames, problem, leftOut: [...new Set(leftOut)], unread: [...unread] };
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(2, "0")}`;
}
