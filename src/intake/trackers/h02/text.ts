import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { identityOf, numberOf } from "../kit/text-values.ts";
import { hemisphereIndex, readLocation, readWithoutPlace } from "./location.ts";
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

/** Sent back by us: V0 and HTBT. They have no time, and at most the level of the battery. */
const heartbeats: ReadonlySet<string> = new Set(["V0", "HTBT", "XT"]);

/** `*HQ,4210051415,V1,…#`: maker, number, kind, and what the kind has. */
export function decodeText(message: Uint8Array, receivedAt: number): DecodedMessage<null> {
  const text = textOf(message).trimEnd();
  const [maker = "", id = "", kind = "", ...values] = text.slice(1).replace(/#$/, "").split(",");
  const fields = [maker, id, kind, ...values];
  const whose = /^\d+$/.test(id) ? { identity: identityOf(id) } : {};
  const canReply = id !== "";
  if (heartbeats.has(kind)) {
    const reply = canReply && kind !== "XT" ? heartbeatReply(maker, id, kind) : null;
    return decoded(`heartbeat ${kind}`, null, { ...whose, reply, unread: values.length > 0 ? ["battery"] : [] });
  }
  if (kind === "SMS") return decoded("answer to an SMS", null, { ...whose, unread: ["text of an SMS"] });
  const reply = canReply && (kind === "V1" || kind === "NBR") ? confirmation(maker, id, kind, receivedAt) : null;
  const at = hemisphereIndex(fields);
  if (at >= 5 && kind.startsWith("V")) {
    return decoded(`location ${visible(kind)}`, null, {
      ...whose,
      reply,
      ...readLocation(fields, at, kind, receivedAt),
    });
  }
  const what = withoutPlace.get(kind) ?? (kind.startsWith("V") ? `location ${visible(kind)}` : null);
  if (what === null) {
    const problem = problemOf("unknown_message", kind === "" ? "a message without a kind" : `message ${visible(kind)}`);
    return decoded("unknown", null, { ...whose, problem });
  }
  const read = kind === "LINK" ? { satellites: numberOf(values[2]), battery_percent: numberOf(values[3]) } : {};
  const report = readWithoutPlace(fields, read, receivedAt);
  const networkName = kind === "LINK" ? "signal and steps" : "cell towers";
  return decoded(what, null, { ...whose, reply, ...report, unread: [...report.unread, networkName] });
}

/** A kind as the tracker sent it may be anything. */
function visible(kind: string): string {
  return kind.replace(/[^\w .-]/g, "?").slice(0, 16);
}
