import type { Part } from "./report.ts";

/** What is sent back once the message is stored: the number of the message with its serial number, in a short or long frame. */
export type ReplyForm = "short" | "long" | "none";

/** What a message consists of. */
export interface Layout {
  readonly types: readonly number[];
  /** In 0x79 frames only (true), in 0x78 frames only (false), or in both. */
  readonly isLong?: boolean;
  /** Only with one of these lengths, or from one on. The length is that of the manuals: type, content, serial number, checksum. */
  readonly lengths?: readonly number[];
  readonly minLength?: number;
  /** For the owner; the number is added. */
  readonly what: string;
  readonly parts: readonly Part[];
  /** Short, unless the table says otherwise. */
  readonly reply?: ReplyForm;
}

/** A table of layouts as a function: the first that fits, so those of one model stand before the common ones. */
export function layoutTable(layouts: readonly Layout[]) {
  const byType = new Map<number, Layout[]>();
  for (const layout of layouts) {
    for (const type of layout.types) byType.set(type, [...(byType.get(type) ?? []), layout]);
  }
  return (type: number, isLong: boolean, length: number): Layout | undefined =>
    byType.get(type)?.find((layout) => fits(layout, isLong, length));
}

function fits({ isLong, lengths, minLength = 0 }: Layout, hasLongFrame: boolean, length: number): boolean {
  if (isLong !== undefined && isLong !== hasLongFrame) return false;
  return length >= minLength && (lengths === undefined || lengths.includes(length));
}
