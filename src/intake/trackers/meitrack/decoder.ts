import { bytesOf, textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf, namesOfFilled, shownText } from "../kit/text-values.ts";
import { hexNumber } from "../kit/values.ts";
import { readElementPositions, readFixedPositions } from "./binary.ts";
import type { MeitrackModel } from "./models.ts";
import { checksumOf, fixedPositionsStored, meitrackHeartbeatReply, storedPositionTaken } from "./replies.ts";
import { readTextReport } from "./text.ts";

/** Nothing is remembered between messages, each of which says who sent it. */
export interface MeitrackSession {
  readonly isUdp: boolean;
  readonly model: MeitrackModel | null;
}

type Decoded = DecodedMessage<MeitrackSession>;

/** `$$`, a letter and the length, the number, the command and what it has, `*` and the checksum. */
const form = /^\$\$(.)(\d{1,4}),(\d{1,16}),([A-Za-z\d]{3})(?=[,*])/s;

const trailer = /\*([\da-fA-F]{2})[\r\n\0 ]*$/;

export function decode(message: Uint8Array, session: MeitrackSession): Decoded {
  const text = textOf(message);
  const [head, flag = "", , id = "", command = ""] = form.exec(text) ?? [];
  if (head === undefined) return decoded("text", session, { problem: problemOf("malformed", "no number and command") });
  const identity = identityOf(id);
  const end = trailer.exec(text);
  if (end === null)
    return decoded(command, session, { identity, problem: problemOf("malformed", "no checksum at the end") });
  const [sent, right] = [Number.parseInt(end[1] ?? "", 16), checksumOf(message.subarray(0, end.index + 1))];
  if (sent !== right) {
    const problem = problemOf("checksum", `the checksum is ${hexNumber(sent)}, not ${hexNumber(right)}`);
    return decoded(shownText(command), session, { identity, problem });
  }
  const content = text.slice(head.length + 1, end.index);
  return { ...decodeCommand({ command, content, flag, id }, session), identity };
}

interface Command {
  readonly command: string;
  readonly content: string;
  readonly flag: string;
  readonly id: string;
}

function decodeCommand({ command, content, flag, id }: Command, session: MeitrackSession): Decoded {
  switch (command) {
    case "AAA":
      return decodeText("position AAA", content.split(","), session);
    case "AFF": {
      if (content === "OK") return decoded("stored position is deleted", session);
      // How many are left comes first.
      const read = decodeText("stored position AFF", content.split(",").slice(1), session);
      return session.isUdp ? { ...read, reply: storedPositionTaken(flag, id) } : read;
    }
    case "AAC":
      return decoded("heartbeat AAC", session, {
        reply: meitrackHeartbeatReply(id),
        unread: namesOfFilled({ "content of the heartbeat": content }),
      });
    case "CCC":
      return decodeBinary(command, content, session, (count) => fixedPositionsStored(flag, id, count));
    case "CCE":
      return decodeBinary(command, content, session, () => null);
    case "D00":
      return decoded("part of a photo", session, { unread: ["photo"] });
    default:
      return decoded(`answer to a command, ${shownText(command)}`, session, { unread: ["text of the answer"] });
  }
}

function decodeText(what: string, columns: readonly string[], session: MeitrackSession): Decoded {
  const report = readTextReport(columns, session.model);
  if (report !== null) return decoded(what, session, report);
  return decoded(what, session, { problem: problemOf("malformed", "neither a number of an event nor A or V") });
}

function decodeBinary(
  command: string,
  content: string,
  session: MeitrackSession,
  reply: (count: number) => Uint8Array | null,
): Decoded {
  const read = (command === "CCC" ? readFixedPositions : readElementPositions)(bytesOf(content), session.model);
  const { frames, leftOut, unread, count, isWhole, untimed } = read;
  const problem = !isWhole
    ? problemOf("malformed", "the positions do not fill the message")
    : untimed > 0
      ? problemOf("no_time", `${untimed} of ${count} positions without a time`)
      : null;
  return decoded(`${count} positions ${command}`, session, { frames, leftOut, unread, problem, reply: reply(count) });
}
