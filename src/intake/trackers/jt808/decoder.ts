import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage, DecodeProblem } from "../kit/family.ts";
import { contentReaders } from "./contents.ts";
import { isEncrypted, type Jt808Message, jt808Identity, readMessage } from "./message.ts";
import { nameByMessage, whatOf } from "./message-names.ts";
import { aged, collectPart, isSoundPart, maxParts, type PartialMessage, serialsOfParts } from "./parts.ts";
import { generalReply, jt808Reply, missingPartsReply, notSupported, succeeded } from "./replies.ts";
import type { DecodedReport } from "./report.ts";
import { decodeJt808Text } from "./text.ts";

export interface Jt808Session {
  /** Of the next message that we send. */
  readonly serial: number;
  readonly partial: PartialMessage | null;
}

type Decoded = DecodedMessage<Jt808Session>;

const missingPart = problemOf("missing_part", "the other parts of an earlier message did not come");

export function decode(bytes: Uint8Array, session: Jt808Session, receivedAt: number): Decoded {
  if (bytes[0] === 0x28) return decodeJt808Text(bytes, session, receivedAt);
  const message = readMessage(bytes);
  if ("kind" in message) return decoded("message", session, { problem: message });
  if (message.part !== null) return decodePart(message, message.part, session, receivedAt);
  const partial = aged(session.partial);
  const whole = decodeWhole(message, { ...session, partial }, receivedAt, [message.serial]);
  const isLost = session.partial !== null && partial === null;
  return isLost && whole.problem === null ? { ...whole, problem: missingPart } : whole;
}

/** `serials`: of all parts, each of which is answered. */
function decodeWhole(
  message: Jt808Message,
  session: Jt808Session,
  receivedAt: number,
  serials: readonly number[],
): Decoded {
  if (isEncrypted(message)) {
    const problem = problemOf("unknown_message", "the body is encrypted");
    return answered(message, session, { problem }, [generalReply(message, session.serial, notSupported)]);
  }
  const content = contentReaders.get(message.type)?.(message, receivedAt) ?? {
    unread: unreadOf(message),
    problem: unknownOf(message),
  };
  return answered(message, session, content, jt808Reply(message, session.serial, receivedAt, serials));
}

/**
 * A part is answered with the whole message, when that is stored. A terminal that waits for the answer to each part sends it
 * again; then it is answered at once, or it would never send the next.
 */
function decodePart(
  message: Jt808Message,
  part: { readonly number: number; readonly total: number },
  session: Jt808Session,
  receivedAt: number,
): Decoded {
  const what = `part ${part.number} of ${part.total} of ${whatOf(message.type)}`;
  const general = [generalReply(message, session.serial, succeeded)];
  if (!isSoundPart(part)) return answered(message, session, { what, problem: problemOf("malformed", what) }, general);
  if (part.total > maxParts || !contentReaders.has(message.type))
    return answered(message, session, { what, unread: unreadOf(message), problem: unknownOf(message) }, general);
  const { partial, whole, isRepeated, missing, isOtherLost } = collectPart(session.partial, message, part);
  const next = { ...session, partial };
  const serials = serialsOfParts(message, part);
  if (whole !== null) return decodeWhole(whole, next, receivedAt, serials);
  if (missing.length > 0) {
    const problem = problemOf("missing_part", `missing parts: ${missing.join(", ")}`);
    const request = missingPartsReply(message, session.serial, serials[0] ?? 0, missing);
    return answered(message, next, { what, problem }, [request]);
  }
  return answered(message, next, { what, problem: isOtherLost ? missingPart : null }, isRepeated ? general : []);
}

/** What a message says, with the replies; the server's serial number counts them. */
function answered(
  message: Jt808Message,
  session: Jt808Session,
  content: Partial<DecodedReport> & { readonly what?: string },
  replies: readonly Uint8Array[],
): Decoded {
  const imei = content.imei ?? null;
  const identity = jt808Identity(message.id) ?? (imei === null ? undefined : ({ kind: "imei", value: imei } as const));
  const { what = whatOf(message.type), frames = [], problem = null, leftOut, unread } = content;
  const next = { ...session, serial: (session.serial + replies.length) & 0xffff };
  return decoded(what, next, {
    ...(identity === undefined ? {} : { identity }),
    frames,
    reply: replies.length === 0 ? null : new Uint8Array(Buffer.concat(replies)),
    problem,
    leftOut: [...new Set(leftOut)],
    unread: [...new Set(unread)],
  });
}

function unreadOf({ type, body }: Jt808Message): readonly string[] {
  const name = nameByMessage.get(type);
  return name === undefined || body.length === 0 ? [] : [name];
}

function unknownOf({ type }: Jt808Message): DecodeProblem | null {
  return nameByMessage.get(type) === undefined ? problemOf("unknown_message", whatOf(type)) : null;
}
