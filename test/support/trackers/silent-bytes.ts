import type { DecodedMessage, TrackerFamily } from "../../../src/intake/trackers/kit/family.ts";
import { receivedAt } from "./field-message.ts";

/** What is around the contents of a message. */
export interface Wrapping {
  /** Puts the right checksum into a message that was changed. */
  readonly repair: (bytes: Uint8Array) => void;
  /** Bytes that number the message, or say how long it is. */
  readonly isStructure?: (bytes: Uint8Array, at: number) => boolean;
  /** The reply repeats the checksum, so that it changes with each byte whether that is read or not. */
  readonly repliesWithChecksum?: boolean;
  /** Elements with a number each: what is between two unread ones is read, and parts them. */
  readonly hasElements?: boolean;
}

interface SilentRun {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** A byte counts as read if one of these changes of its bits changes anything that the decoder says. */
const changes = [0x01, 0x02, 0x04, 0x10, 0x40, 0x80];

/**
 * Bytes of a message that say nothing: whatever they are, the decoder says the same, and if they are taken out (made zero), no
 * name in `unread` goes with them. Zeros and blanks need no name.
 */
export function silentRuns<S>(
  family: TrackerFamily<S>,
  message: Uint8Array,
  session: S,
  { repair, isStructure = () => false, repliesWithChecksum = false, hasElements = false }: Wrapping,
): readonly SilentRun[] {
  const right = message.slice();
  repair(right);
  // Damage, or a dialect that has no checksum.
  const isRight = Bun.deepEquals(right, message);
  const decode = (bytes: Uint8Array) => {
    if (isRight) repair(bytes);
    const decoded = family.decode(bytes, session, receivedAt);
    return repliesWithChecksum ? { ...decoded, reply: null } : decoded;
  };
  const before = decode(message.slice());
  const isRead = (at: number) =>
    changes.some((change) => {
      const bytes = message.slice();
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const after = decode(bytes);
      return !isWhole(family, bytes) || !Bun.deepEquals(after, before);
    });
  const repaired = isRight ? repairedBytes(message, repair) : new Set<number>();
  const isText = isPlainText(message);
  const unread = Array.from(message, (_, at) => !repaired.has(at) && !isStructure(message, at) && !isRead(at));
  // Nothing of it is read, and it is named as a whole.
  const isNamed = before.unread.length > 0 || before.problem?.kind === "unknown_message";
  if (before.frames.length === 0 && isNamed) return [];
  const records = before.frames.reduce((sum, { sensors }) => sum + Math.max(1, sensors.length), 0);
  let names = before.unread.length * Math.max(1, records);
  return groupsOf(unread, hasElements && !isText ? 0 : maxSeparators).flatMap(([from, to]) => {
    const emptied = (first: number, end: number) => {
      const bytes = message.slice();
      for (let at = first; at < end; at++) if (unread[at] || at < from || at >= to) bytes[at] = isText ? 0x30 : 0;
      return bytes;
    };
    const isEmpty = message.subarray(from, to).every((byte, index) => !unread[from + index] || blanks.has(byte));
    // A neighbour may belong to it: the highest bit of a country says how long a cell is.
    const goes = [0, 1, 2].some((more) => namesGone(before, decode(emptied(Math.max(0, from - more), to))));
    // Many names are there whatever the bytes are: each of them stands for one group.
    const hasName = isEmpty || goes || names > 0;
    if (!isEmpty) names--;
    return hasName ? [] : [{ from, bytes: message.slice(from, to) }];
  });
}

/** Zero and blank, as bytes and in text, and what parts columns. */
const blanks: ReadonlySet<number> = new Set(Buffer.from("\0\r\n .0,;-\xff", "latin1"));

function namesGone<S>(before: DecodedMessage<S>, after: DecodedMessage<S>): boolean {
  return before.unread.some((name) => !after.unread.includes(name));
}

/** Its framer finds it as it is: a start, a length or an end that was changed is no longer one. */
function isWhole<S>(family: TrackerFamily<S>, bytes: Uint8Array): boolean {
  const cut = family.cut(bytes);
  return cut.kind === "message" && cut.length === bytes.length;
}

/** Where the checksum is: it is not read, but checked. */
function repairedBytes(message: Uint8Array, repair: Wrapping["repair"]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let changed = 0; changed < message.length; changed++) {
    const bytes = message.slice();
    bytes[changed] = (bytes[changed] ?? 0) ^ 0x01;
    repair(bytes);
    for (const [at, byte] of bytes.entries()) if (at !== changed && byte !== message[at]) found.add(at);
  }
  return found;
}

const maxSeparators = 3;

/** A separator between two columns, or the count of a list, does not part them: a group of columns has one name. */
function groupsOf(unread: readonly boolean[], maxGap: number): readonly (readonly [number, number])[] {
  const groups: [number, number][] = [];
  for (const [at, isUnread] of unread.entries()) {
    if (!isUnread) continue;
    const last = groups.at(-1);
    if (last !== undefined && at - last[1] <= maxGap) last[1] = at + 1;
    else groups.push([at, at + 1]);
  }
  return groups;
}

function isPlainText(message: Uint8Array): boolean {
  return message.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a || byte === 0);
}
