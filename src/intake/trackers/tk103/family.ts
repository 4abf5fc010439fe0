import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage, TrackerFamily } from "../kit/family.ts";
import { identityOf } from "../kit/text-values.ts";
import { cut, maxMessageBytes } from "./framer.ts";
import { readTk103Location } from "./location.ts";
import { readMessage } from "./message.ts";
import { decodeOther } from "./others.ts";
import { tk103Reply } from "./replies.ts";

/** Nothing is remembered between messages: each says who sent it. */
export const tk103: TrackerFamily<null> = {
  name: "tk103",
  port: 5002,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => null,
  decode,
};

function decode(bytes: Uint8Array, _session: null, receivedAt: number): DecodedMessage<null> {
  const message = readMessage(textOf(bytes));
  if (message === null) {
    return decoded("unknown", null, { problem: problemOf("malformed", "no number and kind of a message") });
  }
  const location = readTk103Location(message, receivedAt);
  const read =
    location === null ? decodeOther(message, receivedAt) : decoded(`location ${message.kind}`, null, location);
  return { ...read, identity: identityOf(message.id), reply: tk103Reply(message) };
}
