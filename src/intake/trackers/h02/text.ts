import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf, reportedNow } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { decimalOf, identityOf, shownText } from "../kit/text-values.ts";
import { hemisphereIndex, readH02Location, readWithoutPlace } from "./location.ts";
import { confirmation, heartbeatReply } from "./replies.ts";

/** Messages without a place, and how the owner reads their kind. */
const withoutPlace: ReadonlyMap<string, string> = new Map([
  ["NBR", "cell towers NBR"],
  ["V3", "cell towers V3"],
  ["VP1", "cell towers VP1"],
  ["BASE", "cell towers BASE"],
  ["BS", "cell towers BS"],
  ["LINK", "link LINK"],
]);

/** The first two are sent back by us, and may have the level of the battery. */
const heartbeats: ReadonlySet<string> = new Set(["V0", "HTBT", "XT"]);

/** `*HQ,4210051415,V1,…#`: maker, number, kind, and what the kind has. */
export function decodeH02Text(message: Uint8Array, receivedAt: number): DecodedMessage<null> {
  const text = textOf(message).trimEnd();
  const [maker = "", id = "", kind = "", ...values] = text.slice(1).replace(/#$/, "").split(",");
  const fields = [maker, id, kind, ...values];
  const whose = /^\d+$/.test(id) ? { identity: identityOf(id) } : {};
  const canReply = id !== "";
  if (heartbeats.has(kind)) return { ...decodeHeartbeat(maker, id, kind, values, receivedAt), ...whose };
  if (kind === "SMS") return decoded("answer to an SMS", null, { ...whose, unread: ["text of an SMS"] });
  const reply = canReply && (kind === "V1" || kind === "NBR") ? confirmation(maker, id, kind, receivedAt) : null;
  const at = hemisphereIndex(fields);
  if (at >= 5 && kind.startsWith("V")) {
    return decoded(`location ${shownText(kind)}`, null, {
      ...whose,
      reply,
      ...readH02Location(fields, at, kind, receivedAt),
    });
  }
  const what = withoutPlace.get(kind) ?? (kind.startsWith("V") ? `location ${shownText(kind)}` : null);
  if (what === null) {
    const problem = problemOf(
      "unknown_message",
      kind === "" ? "a message without a kind" : `message ${shownText(kind)}`,
    );
    return decoded("unknown", null, { ...whose, problem });
  }
  const read =
    kind === "LINK" ? { satellites: decimalOf(values[2]), battery_percent: decimalOf(values[3]) } : { fix: false };
  const report = kind === "VP1" ? untimed(receivedAt) : readWithoutPlace(fields, read, receivedAt);
  const networkNames = kind === "LINK" ? ["signal", "steps"] : ["cell towers"];
  return decoded(what, null, { ...whose, reply, ...report, unread: [...report.unread, ...networkNames] });
}

/** It has no time and is not sent again later: what it says holds when it comes. */
function decodeHeartbeat(maker: string, id: string, kind: string, values: readonly string[], receivedAt: number) {
  const battery = decimalOf(values[0]);
  const isXt = kind === "XT";
  const reply = id === "" || isXt ? null : heartbeatReply(maker, id, kind);
  const report = reportedNow(receivedAt, isXt ? {} : { battery_percent: battery });
  return decoded(`heartbeat ${kind}`, null, { reply, ...report, unread: isXt ? ["values of XT"] : [] });
}

/** The cell towers of VP1 come without a time, like a heartbeat. */
function untimed(receivedAt: number) {
  return { ...reportedNow(receivedAt, { fix: false }), unread: [] };
}
