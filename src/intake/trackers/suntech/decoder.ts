import { bytesOf } from "../kit/bytes.ts";
import { decoded, problemOf, reported, reportedNow, untimedAlarm } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf, shownText } from "../kit/text-values.ts";
import { hexNumber, utcTime } from "../kit/values.ts";
import { type BinaryReport, readUniversalBinary, readZip } from "./binary.ts";
import { readLegacy } from "./legacy.ts";
import { readSuntechText, type SuntechText } from "./message.ts";
import { acknowledgementOf, zipAcknowledgement } from "./replies.ts";
import type { SuntechReport } from "./report.ts";
import { readSt9 } from "./st9.ts";
import { readUniversal } from "./universal.ts";

export interface SuntechSession {
  /** Over TCP the protocol has no answers. */
  readonly isUdp: boolean;
}

type Decoded = DecodedMessage<SuntechSession>;

export function decode(bytes: Uint8Array, session: SuntechSession, receivedAt: number): Decoded {
  const [first = 0] = bytes;
  if (first === 0x02) {
    const reply = session.isUdp ? zipAcknowledgement(bytes) : null;
    return { ...decodeBinary(readZip(bytes), session, receivedAt), reply };
  }
  if (first >= 0x80) return decodeBinary(readUniversalBinary(bytes), session, receivedAt);
  const message = readSuntechText(bytes);
  if (message === null)
    return decoded("text", session, { problem: problemOf("malformed", "no number where a message has it") });
  const reply = session.isUdp ? acknowledgementOf(message) : null;
  return { ...decodeText(message, session, receivedAt), identity: identityOf(message.id), reply };
}

function decodeText(message: SuntechText, session: SuntechSession, receivedAt: number): Decoded {
  const { header, kind, isAnswer, isWhole } = message;
  if (isAnswer || kind === "CMD")
    return decoded(`answer to a command, ${header}`, session, { unread: ["text of the answer"] });
  // It has no time. The tracker is there now.
  if (kind === "ALV") return decoded(`heartbeat, ${header}`, session, reportedNow(receivedAt, {}));
  const report = reportIn(message);
  if (report === null) {
    const problem = problemOf("unknown_message", `report ${shownText(header)}`);
    return decoded(`report ${shownText(header)}`, session, { problem });
  }
  const read = ofReport(report, session, receivedAt);
  return isWhole || read.problem !== null
    ? read
    : { ...read, problem: problemOf("malformed", "the end of the message is missing") };
}

function reportIn(message: SuntechText): SuntechReport | null {
  if (message.kind === "CRR") return readCrash(message);
  if (message.series === "") return readUniversal(message);
  return message.series === message.header ? readSt9(message) : readLegacy(message);
}

function decodeBinary({ id, kind, report }: BinaryReport, session: SuntechSession, receivedAt: number): Decoded {
  const identity = identityOf(id);
  if (report !== null) return { ...ofReport(report, session, receivedAt), identity };
  const name = `binary message ${hexNumber(kind)}`;
  return decoded(name, session, { identity, problem: problemOf("unknown_message", name) });
}

function ofReport(
  { what, at, fields, events, unread }: SuntechReport,
  session: SuntechSession,
  receivedAt: number,
): Decoded {
  const hasNothing = at === null && (fields.latitude ?? null) === null;
  const report = hasNothing ? untimedAlarm(fields, events, receivedAt) : reported(at, fields, events);
  return decoded(what, session, { ...report, unread });
}

/** `CRR;number;part;parts;length;data`: the first part begins with the moment of the crash. What was measured is not read. */
function readCrash({ columns, data }: SuntechText): SuntechReport | null {
  if (data === null || columns[0] !== "1") return null;
  return {
    what: "crash, CRR",
    at: utcTime(bytesOf(data.slice(0, 6))),
    fields: {},
    events: ["crash"],
    unread: ["acceleration and places around the crash"],
  };
}
