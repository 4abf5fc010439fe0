import { bytesOf, textOf } from "../kit/bytes.ts";
import { crc16Arc } from "../kit/crc.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf, namesOfFilled, shownText } from "../kit/text-values.ts";
import { hexNumber } from "../kit/values.ts";
import { compressedStart } from "./framer.ts";
import { inflated } from "./inflated.ts";
import { type RecordRead, readRecord, shortColumns } from "./record.ts";
import { answer, codeOfWrongSum } from "./replies.ts";

export interface WialonSession {
  readonly isUdp: boolean;
  /** Since version 2.0 a packet ends with its checksum; the login, or the prefix over UDP, says the version. */
  readonly hasChecksums: boolean;
  /**
   * The last packet whose checksum was wrong, by its type, length and checksums. We ask for it again. Damage on the way differs the next
   * time; if the same comes again, the tracker itself makes it so and would send it for ever.
   */
  readonly distrusted: string | null;
  /** So many bytes may compressed packets still have beyond their usual growth. */
  readonly extraBytes: number;
}

type Decoded = DecodedMessage<WialonSession>;

interface Packet {
  readonly type: string;
  readonly body: string;
  readonly session: WialonSession;
  /** Over UDP, where there is no login. */
  readonly whose: Pick<Decoded, "identity">;
}

export function decode(message: Uint8Array, session: WialonSession, receivedAt: number): Decoded {
  if (message[0] !== compressedStart) return decodeText(message, session, receivedAt);
  const { packet, extraBytes } = inflated(message, session.extraBytes);
  if (packet !== null) return decodeText(packet, { ...session, extraBytes }, receivedAt);
  const problem = problemOf("malformed", "a compressed packet that cannot be read, or is too large");
  return decoded("compressed packet", session, { problem });
}

function decodeText(message: Uint8Array, session: WialonSession, receivedAt: number): Decoded {
  const packet = readPacket(message, session);
  if (packet === null) return decoded("text", session, { problem: problemOf("malformed", "no packet type") });
  const read = { ...decodePacket(packet, receivedAt), ...packet.whose };
  // Over UDP each packet says who sends it; another is from no tracker.
  return session.isUdp && read.identity === undefined ? { ...read, reply: null } : read;
}

function decodePacket(packet: Packet, receivedAt: number): Decoded {
  const { type, body, session } = packet;
  const sum = session.hasChecksums || type === "L" ? wrongSum(type, body) : null;
  if (sum === null || sum.mark === session.distrusted)
    return decodeType({ ...packet, session: { ...session, distrusted: null } }, receivedAt);
  const code = codeOfWrongSum[type];
  return decoded(
    `${whatOf(type)} with a wrong checksum`,
    { ...session, distrusted: sum.mark },
    { reply: code === undefined ? null : answer(type, code), problem: problemOf("checksum", sum.detail) },
  );
}

function readPacket(message: Uint8Array, session: WialonSession): Packet | null {
  const text = textOf(message).replace(/[\r\n\0 ]+$/, "");
  const match = /^(?:(\d\.\d);)?([^#]*)#([A-Z]{1,3})#(.*)$/s.exec(text);
  if (match === null) return null;
  const [, version, id = "", type = "", body = ""] = match;
  const whose = id === "" ? {} : { identity: identityOf(id.split(";")[0] ?? id) };
  const hasChecksums = version === undefined ? session.hasChecksums : version >= "2";
  return { type, body, session: { ...session, hasChecksums }, whose };
}

/** Null: it is right, or there is none. A checksum is that of all before it, with its separator. */
function wrongSum(type: string, body: string): { readonly mark: string; readonly detail: string } | null {
  const match = /^(.*[;|])?(?:0x)?([\da-fA-F]{1,4})$/s.exec(body);
  if (match === null || (type === "L" && !/^\d\.\d;/.test(body))) return null;
  const [, summed = "", sent = ""] = match;
  const [is, right] = [Number.parseInt(sent, 16), crc16Arc(bytesOf(summed))];
  if (is === right) return null;
  return {
    mark: `${type} ${body.length} ${is} ${right}`,
    detail: `the checksum is ${hexNumber(is, 4)}, not ${hexNumber(right, 4)}`,
  };
}

function decodeType(packet: Packet, receivedAt: number): Decoded {
  const { type, body, session } = packet;
  const columns = body.split(";");
  const own = session.hasChecksums ? columns.slice(0, -1) : columns;
  switch (type) {
    case "L":
      return decodeLogin(columns, session);
    case "P":
      return decoded("ping", session, { reply: answer("P", "") });
    case "SD":
    case "D": {
      // Behind them a short record has its checksum, if the login was not seen.
      const [record, more] = type === "SD" ? [own.slice(0, shortColumns), own.slice(shortColumns)] : [own, []];
      const read = readRecord(record, receivedAt);
      const unread = [...read.unread, ...namesOfFilled({ "columns at the end": more.join("") })];
      return decoded(whatOf(type), session, { ...read, unread, reply: answer(type, "1") });
    }
    case "B":
      return decodeBlackBox(body, session);
    case "M":
      return decoded("message of the driver", session, { unread: ["text of the driver"], reply: answer("M", "1") });
    default: {
      const name = names.get(type);
      if (name !== undefined) return decoded(name, session, { unread: [name] });
      const problem = problemOf("unknown_message", `packet ${shownText(type)}`);
      return decoded(`packet ${shownText(type)}`, session, { problem });
    }
  }
}

function decodeLogin(columns: readonly string[], session: WialonSession): Decoded {
  const isVersion2 = /^\d\.\d$/.test(columns[0] ?? "");
  const [id = "", password] = isVersion2 ? columns.slice(1) : columns;
  if (id === "") return decoded("login", session, { problem: problemOf("malformed", "a login without a number") });
  return decoded(
    "login",
    { ...session, hasChecksums: isVersion2 },
    {
      identity: identityOf(id),
      reply: answer("L", "1"),
      unread: namesOfFilled({ password: password === "NA" ? "" : password }),
    },
  );
}

/** As many as a packet has room for: the shortest has 36 bytes. Bars alone would be thousands of records. */
const maxRecords = 512;
const tooMany = problemOf("malformed", "more records than a packet has room for");

/** Records that were kept, so that those without a time have none, between bars; since version 2.0 the checksum is behind the last one. */
function decodeBlackBox(body: string, session: WialonSession): Decoded {
  const parts = body.split("|");
  const all = session.hasChecksums ? parts.slice(0, -1) : parts;
  const records = all.slice(0, maxRecords);
  const read: readonly RecordRead[] = records.map((record) => readRecord(record.split(";"), null));
  return decoded(`black box of ${records.length}`, session, {
    frames: read.flatMap(({ frames }) => frames),
    leftOut: [...new Set(read.flatMap(({ leftOut }) => leftOut))],
    unread: [...new Set(read.flatMap(({ unread }) => unread))],
    problem: all.length > maxRecords ? tooMany : (read.find(({ problem }) => problem !== null)?.problem ?? null),
    // Also if not all are records: it would come again as it is.
    reply: answer("B", String(all.length)),
  });
}

/** Known, and without anything for a frame. Their data follow as bytes, which are noise to us, so they get no answer. */
const names: ReadonlyMap<string, string> = new Map([
  ["I", "photo"],
  ["IT", "tachograph file"],
  ["T", "part of a tachograph file"],
]);

function whatOf(type: string): string {
  return { L: "login", SD: "short data SD", D: "data D", B: "black box" }[type] ?? `packet ${shownText(type)}`;
}
