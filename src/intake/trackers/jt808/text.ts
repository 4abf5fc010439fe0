import { bytesOf, textOf } from "../kit/bytes.ts";
import { decoded } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { digitsOfTime } from "../kit/values.ts";

/** Sentences of padlocks, such as `(794104004140,1,001,BASE,2,TIME)`: the number first. Only the question for the time is answered. */
export function decodeJt808Text<Session>(
  message: Uint8Array,
  session: Session,
  receivedAt: number,
): DecodedMessage<Session> {
  const text = textOf(message);
  const id = /^\((\d{6,20}),/.exec(text)?.[1]?.replace(/^0+/, "") ?? "";
  const whose = id === "" ? {} : { identity: { kind: "tracker_id", value: id } as const };
  if (!text.includes("BASE,2")) return decoded("answer as text", session, { ...whose, unread: ["text"] });
  const reply = bytesOf(text.replace("TIME", digitsOfTime(receivedAt)));
  return decoded("time request as text", session, { ...whose, reply });
}
