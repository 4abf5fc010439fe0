import { bytesOf, textOf } from "../kit/bytes.ts";
import type { DecodedMessage } from "../kit/family.ts";

/** Sentences of padlocks, such as `(794104004140,1,001,BASE,2,TIME)`: the number first. Only the question for the time is answered. */
export function decodeText<Session>(
  message: Uint8Array,
  session: Session,
  receivedAt: number,
): DecodedMessage<Session> {
  const text = textOf(message);
  const id = /^\((\d{6,20}),/.exec(text)?.[1]?.replace(/^0+/, "") ?? "";
  const isTimeRequest = text.includes("BASE,2");
  return {
    what: isTimeRequest ? "time request as text" : "answer as text",
    ...(id === "" ? {} : { identity: { kind: "tracker_id", value: id } }),
    frames: [],
    reply: isTimeRequest ? bytesOf(text.replace("TIME", digitsOf(receivedAt))) : null,
    session,
    problem: null,
    leftOut: [],
    unread: isTimeRequest ? [] : ["text"],
  };
}

/** `20260102030405`, UTC. */
function digitsOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
}
