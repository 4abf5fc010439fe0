import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf, reported } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf } from "../kit/text-values.ts";
import type { Gps103Session } from "./clock.ts";
import { decodeGps103Location } from "./location.ts";
import { decodeClone, decodeObd } from "./others.ts";
import { loginReply, onReply } from "./replies.ts";

/** A login is not longer; all else is. */
const maxLoginLength = 30;

export function decode(message: Uint8Array, session: Gps103Session, receivedAt: number): DecodedMessage<Gps103Session> {
  const text = textOf(message).trimEnd();
  if (/^\d+;?$/.test(text)) {
    const identity = identityOf(text.replace(";", ""));
    // It has no time. The tracker is there now.
    return decoded("heartbeat", session, { identity, reply: onReply, ...reported(receivedAt, {}) });
  }
  const imei = /imei:(\d{1,20})(?=,|;|\*|$)/.exec(text)?.[1];
  if (imei === undefined) {
    return decoded("unknown", session, { problem: problemOf("malformed", "a message without imei: and digits") });
  }
  const identity = identityOf(imei);
  if (text.length <= maxLoginLength) return decoded("login", session, { identity, reply: loginReply });
  return { ...decodeReport(text.slice(text.indexOf("imei:")), imei, session, receivedAt), identity };
}

function decodeReport(text: string, imei: string, session: Gps103Session, receivedAt: number) {
  const fields = text.replace(/[;*]$/, "").split(",");
  const word = fields[1] ?? "";
  if (word === "OBD") return decodeObd(fields, session, receivedAt);
  if (/^vr/.test(word)) return decoded("part of a photo", session, { unread: ["photo"] });
  if (text.endsWith("*")) return decodeClone(fields, session);
  if (fields[4] !== "F" && fields[4] !== "L") {
    const problem = problemOf("unknown_message", "neither F nor L behind the fourth comma");
    return decoded("unknown", session, { problem });
  }
  return decodeGps103Location(imei, fields, session, receivedAt);
}
