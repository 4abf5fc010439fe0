import { bytesOf, textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf, namesOfFilled, shownText } from "../kit/text-values.ts";
import { hexNumber } from "../kit/values.ts";
import { readElementPositions, readFixedPositions } from "./binary.ts";
import { checksumOf, fixedPositionsStored, meitrackHeartbeatReply } from "./replies.ts";
import { readTextReport } from "./text.ts";

type Decoded = DecodedMessage<null>;

/** `$$`, a letter and the length, the number, the command and what it has, `*` and the checksum. */
const form = /^\$\$(.)(\d{1,4}),(\d{1,16}),([A-Za-z\d]{3})(?=[,*])/s;

const trailer = /\*([\da-fA-F]{2})[\r\n\0 ]*$/;

export function decode(message: Uint8Array, _receivedAt: number): Decoded {
  const text = textOf(message);
  const [head, flag = "", , id = "", command = ""] = form.exec(text) ?? [];
  if (head === undefined) return decoded("text", null, { problem: problemOf("malformed", "no number and command") });
  const identity = identityOf(id);
  const end = trailer.exec(text);
  if (end === null)
    return decoded(command, null, { identity, problem: problemOf("malformed", "no checksum at the end") });
  const [sent, right] = [Number.parseInt(end[1] ?? "", 16), checksumOf(message.subarray(0, end.index + 1))];
  if (sent !== right) {
    const problem = problemOf("checksum", `the checksum is ${hexNumber(sent)}, not ${hexNumber(right)}`);
    return decoded(shownText(command), null, { identity, problem });
  }
  const content = text.slice(head.length + 1, end.index);
  return { ...decodeCommand(command, content, flag, id), identity };
}

function decodeCommand(command: string, content: string, flag: string, id: string): Decoded {
  switch (command) {
    case "AAA":
      return decodeText("position AAA", content.split(","));
    case "AFF":
      // How many are left comes first.
      return decodeText("stored position AFF", content.split(",").slice(1));
    case "AAC":
      return decoded("heartbeat AAC", null, {
        reply: meitrackHeartbeatReply(id),
        unread: namesOfFilled({ "content of the heartbeat": content }),
      });
    case "CCC":
      return decodeBinary(command, content, (count) => fixedPositionsStored(flag, id, count));
    case "CCE":
      return decodeBinary(command, content, () => null);
    case "D00":
      return decoded("part of a photo", null, { unread: ["photo"] });
    default:
      return decoded(`answer to a command, ${shownText(command)}`, null, { unread: ["text of the answer"] });
  }
}

function decodeText(what: string, columns: readonly string[]): Decoded {
  const report = readTextReport(columns);
  if (report !== null) return decoded(what, null, report);
  return decoded(what, null, { problem: problemOf("malformed", "neither a number of an event nor A or V") });
}

function decodeBinary(command: string, content: string, reply: (count: number) => Uint8Array | null): Decoded {
  const read = (command === "CCC" ? readFixedPositions : readElementPositions)(bytesOf(content));
  const { frames, leftOut, unread, count, isWhole, untimed } = read;
  const problem = !isWhole
    ? problemOf("malformed", "the positions do not fill the message")
    : untimed > 0
      ? problemOf("no_time", `${untimed} of ${count} positions without a time`)
      : null;
  return decoded(`${count} positions ${command}`, null, { frames, leftOut, unread, problem, reply: reply(count) });
}
