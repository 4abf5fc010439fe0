import type { IncomingFrame } from "./incoming-frame.ts";
import type { MessagePart } from "./messages.ts";
import type { FrameQueue } from "./queue.ts";

/** What a sender is told. Indexes are those of the parts of its message. */
export interface Outcome {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** Stores the frames of a message. When it resolves, what is not refused is on disk. */
export async function takeIn(writer: FrameQueue, accountId: number, parts: readonly MessagePart[]): Promise<Outcome> {
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
  for (const [position, receipt] of (await writer.submit(accountId, frames)).entries()) {
    if (receipt === "accepted") accepted++;
    else if (receipt === "duplicate") duplicate++;
    else refused.push({ index: indexes[position] ?? 0, reason: receipt.refused });
  }
  return { accepted, duplicate, refused: refused.sort((one, other) => one.index - other.index) };
}
