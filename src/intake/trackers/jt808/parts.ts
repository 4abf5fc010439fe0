import type { Jt808Message } from "./message.ts";

/** A batch of locations has some three to six parts. More are pictures, which are not kept. */
export const maxParts = 16;
/** Parts follow each other at once. If the rest has not come after so many other messages, it does not come any more. */
const maxAge = 32;

/** Parts of one message that have come so far. Bounded: 16 parts of at most 1,023 bytes. */
export interface PartialMessage {
  readonly type: number;
  /** The serial number of the first part: the others count on from it. */
  readonly firstSerial: number;
  readonly total: number;
  readonly bodies: ReadonlyMap<number, Uint8Array>;
  /** Messages since the last part. */
  readonly age: number;
}

export interface CollectedParts {
  /** Null: complete, or given up. */
  readonly partial: PartialMessage | null;
  /** The message put together, if this was the last part of it. */
  readonly whole: Jt808Message | null;
  /** Whether this part was here before: its sender waits for an answer to each part. */
  readonly isRepeated: boolean;
  /** Numbers of the parts that are missing, once the last one has come. */
  readonly missing: readonly number[];
  /** Whether parts of another message were given up for this one. */
  readonly isOtherLost: boolean;
}

interface Part {
  readonly number: number;
  readonly total: number;
}

/** Each part has a serial number of its own, and they count up. */
export function serialsOfParts({ serial }: Jt808Message, { number, total }: Part): readonly number[] {
  return numbersUpTo(total).map((other) => (serial - number + other) & 0xffff);
}

/** `part` is that of the message, whose numbers are sound (`isSoundPart`). */
export function collectPart(earlier: PartialMessage | null, message: Jt808Message, part: Part): CollectedParts {
  const { number, total } = part;
  const firstSerial = (message.serial - number + 1) & 0xffff;
  const isSame = earlier?.type === message.type && earlier.total === total && earlier.firstSerial === firstSerial;
  const bodies = new Map(isSame ? earlier.bodies : []);
  const isRepeated = bodies.has(number);
  // A copy: the bytes of a message are only lent.
  bodies.set(number, message.body.slice());
  const isOtherLost = earlier !== null && !isSame;
  if (bodies.size === total) {
    const ordered = Array.from({ length: total }, (_, index) => bodies.get(index + 1) ?? new Uint8Array(0));
    const whole = { ...message, part: null, body: new Uint8Array(Buffer.concat(ordered)) };
    return { partial: null, whole, isRepeated, missing: [], isOtherLost };
  }
  const partial = { type: message.type, firstSerial, total, bodies, age: 0 };
  const missing = number === total ? numbersUpTo(total).filter((other) => !bodies.has(other)) : [];
  return { partial, whole: null, isRepeated, missing, isOtherLost };
}

function numbersUpTo(total: number): readonly number[] {
  return Array.from({ length: total }, (_, index) => index + 1);
}

export function isSoundPart({ number, total }: Part): boolean {
  return number >= 1 && number <= total;
}

/** After another message: null once the parts are too old. */
export function aged(partial: PartialMessage | null): PartialMessage | null {
  return partial === null || partial.age >= maxAge ? null : { ...partial, age: partial.age + 1 };
}
