import { ByteReader } from "../kit/bytes.ts";
import { crc16Kermit } from "../kit/crc.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { trackerFrames } from "../kit/frame.ts";
import { hexNumber, toSeventh } from "../kit/values.ts";
import { lengthBytes, ruptelaChecksumBytes } from "./framer.ts";
import { framesOfRecord, readRuptelaRecords } from "./records.ts";
import { ruptelaAccepted, ruptelaRefused } from "./replies.ts";

/**
 * `distrusted`: the last packet whose checksum or length was wrong. We ask for it again at once. Damage on the way differs the next time;
 * if the same comes again, the tracker itself makes it so and would send it for ever.
 */
export interface RuptelaSession {
  readonly distrusted: string | null;
}

type Decoded = DecodedMessage<RuptelaSession>;

const [recordsCommand, extendedCommand, troubleCommand, identification, heartbeat] = [1, 68, 9, 15, 16] as const;
/** Earlier, no clock of a tracker was set. */
const earliest = Date.UTC(2005, 0, 1);

export function decode(message: Uint8Array, session: RuptelaSession): Decoded {
  const end = message.length - ruptelaChecksumBytes;
  const reader = new ByteReader(message, lengthBytes, end);
  const imei = String(reader.u64()).padStart(15, "0");
  const command = reader.u8();
  if (reader.isShort) return decoded("packet", session, { problem: problemOf("malformed", "shorter than any packet") });
  const identity = { kind: "imei", value: imei } as const;
  const sent = new ByteReader(message, end).u16();
  const right = crc16Kermit(message.subarray(lengthBytes, end));
  const mark = `${command} ${message.length} ${sent} ${right}`;
  if (sent !== right && session.distrusted !== mark) {
    const problem = problemOf("checksum", `the checksum is ${hexNumber(sent, 4)}, not ${hexNumber(right, 4)}`);
    return decoded(
      "packet with a wrong checksum",
      { distrusted: mark },
      { identity, reply: ruptelaRefused(command), problem },
    );
  }
  return { ...decodeCommand(reader, command, mark, session), identity };
}

function decodeCommand(reader: ByteReader, command: number, mark: string, session: RuptelaSession): Decoded {
  switch (command) {
    case recordsCommand:
    case extendedCommand:
      return decodeRecords(reader, command, mark, session);
    case troubleCommand:
      return decodeTroubleCodes(reader, session);
    case identification:
    case heartbeat: {
      const what = command === identification ? "identification" : "heartbeat";
      const unread: string[] = [];
      reader.pass(reader.left, "model and settings", unread);
      return decoded(what, session, { reply: ruptelaAccepted(command), unread });
    }
    default: {
      const what = others.get(command);
      if (what !== undefined) return decoded(what, session, { unread: [what] });
      const problem = problemOf("unknown_message", `command ${command}`);
      return decoded(`command ${command}`, session, { problem });
    }
  }
}

function decodeRecords(reader: ByteReader, command: number, mark: string, session: RuptelaSession): Decoded {
  const unread: string[] = [];
  reader.pass(1, "records that are left", unread);
  const count = reader.u8();
  const form = { idBytes: command === extendedCommand ? 2 : 1 } as const;
  const { records, readable, isWhole } = readRuptelaRecords(reader, count, form, unread);
  const leftOut: string[] = [];
  const timed = records.filter(({ at }) => at >= earliest);
  const frames = timed.flatMap((record) => framesOfRecord(record, leftOut));
  const untimed = records.length - timed.length;
  const what = `${count} ${count === 1 ? "record" : "records"}`;
  const read = { frames, leftOut: [...new Set(leftOut)], unread };
  if (!isWhole) {
    const problem = problemOf("malformed", `${readable} of ${count} records fill the packet`);
    // If it comes again as it is, it will not get better: then it counts as handled.
    const reply = session.distrusted === mark ? ruptelaAccepted(command) : ruptelaRefused(command);
    return decoded(what, { distrusted: mark }, { ...read, reply, problem });
  }
  const problem = untimed === 0 ? null : problemOf("no_time", `${untimed} of ${records.length} records without a time`);
  return decoded(what, { distrusted: null }, { ...read, reply: ruptelaAccepted(command), problem });
}

/** A count, then for each code: a byte, the time, the place, how it was found, five characters. */
function decodeTroubleCodes(reader: ByteReader, session: RuptelaSession): Decoded {
  const unread: string[] = ["trouble codes"];
  const leftOut: string[] = [];
  const count = reader.u8();
  const frames = [];
  for (let left = count; left > 0 && !reader.isShort; left--) {
    reader.pass(1, "kind of a trouble code", unread);
    const at = reader.u32() * 1000;
    const [longitude, latitude] = [toSeventh(reader.i32() / 1e7), toSeventh(reader.i32() / 1e7)];
    reader.pass(1 + 5, "trouble codes", unread);
    const isHere = longitude !== 0 || latitude !== 0;
    const place = isHere ? { fix: true, latitude, longitude } : { fix: false };
    if (!reader.isShort && at >= earliest) frames.push(...trackerFrames(at, place, ["fault"], leftOut));
  }
  const problem = reader.isShort ? problemOf("malformed", "the trouble codes are cut") : null;
  return decoded("trouble codes", session, {
    frames,
    leftOut,
    unread,
    reply: ruptelaAccepted(troubleCommand),
    problem,
  });
}

/** Answers to commands, which we never send, and files. */
const others: ReadonlyMap<number, string> = new Map([
  [2, "settings"],
  [3, "version"],
  [4, "update"],
  [5, "answer about the connection"],
  [6, "answer about the odometer"],
  [7, "answer to an SMS"],
  [8, "SMS over the network"],
  [17, "answer about outputs"],
  [18, "answer about outputs"],
  [30, "data of the tachograph"],
  [37, "file"],
]);
