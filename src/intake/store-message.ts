import type { IncomingFrame } from "./incoming-frame.ts";
import type { MessagePart } from "./messages.ts";
import type { FrameQueue } from "./queue.ts";
import type { UnknownDevices } from "./unknown-devices.ts";

/** The answer to a sender. Indexes are those of the parts of its message. */
export interface MessageOutcome {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** Stores the frames of a message. When it resolves, what is not refused is on disk. */
export async function storeMessage(
  { writer, unknownDevices }: { readonly writer: FrameQueue; readonly unknownDevices: UnknownDevices },
  accountId: number,
  parts: readonly MessagePart[],
): Promise<MessageOutcome> {
  const frames: IncomingFrame[] = [];
  const indexes: number[] = [];
  const refused: { index: number; reason: string }[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") refused.push({ index, reason: part });
    else if (part !== null) {
      frames.push(part);
      indexes.push(index);
    }
  }
  let accepted = 0;
  let duplicate = 0;
  for (const [position, outcome] of (await writer.submit(accountId, frames)).entries()) {
    if (outcome === "accepted") accepted++;
    else if (outcome === "duplicate") duplicate++;
    else {
      refused.push({ index: indexes[position] ?? 0, reason: outcome.refused });
      unknownDevices.noteRefusal(accountId, frames[position]?.imei ?? null, outcome.refused, Date.now());
    }
  }
  return { accepted, duplicate, refused: refused.sort((one, other) => one.index - other.index) };
}
