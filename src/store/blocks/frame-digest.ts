import type { Frame } from "../../domain/frame.ts";
import { formatReported, type Reported } from "../../domain/reported.ts";

/**
 * 53 bits of a hash of what a tracker sent, so that it is exact as a number in JavaScript, JSON and SQL alike. Equal
 * content has an equal digest, whatever the order of its keys and whenever it was received. The device is not content:
 * digests distinguish frames within one device only. Neither is the repair of a time: `recordedAt` is as sent.
 *
 * Digests are stored, and a frame that is sent again years later must be recognised. So the text is pure JSON, whose
 * digits of a number are fixed by ECMAScript, and the hash is XXH64 with seed 0 over its UTF-8 bytes, a frozen
 * specification with published results (`Bun.hash` without a name may change with the runtime). A field added to frames
 * later must be left out of this text if it is null.
 */
export function frameDigest(
  frame: Omit<Frame, "recordedAt" | "receivedAt" | "digest"> & { readonly recordedAt: number | null },
  recordedAt: number | null = frame.recordedAt,
  reportedJson: string = formatReported(frame),
): number {
  const { fix, source, sensors, driver_id } = frame;
  const sensorsText = sensors.length === 0 ? "" : JSON.stringify(sensors);
  const lastText = driver_id === undefined ? sensorsText : `${sensorsText},${JSON.stringify(driver_id)}`;
  return Number(Bun.hash.xxHash64(`${recordedAt},${fix},${source},${reportedJson}${lastText}`) >> 11n);
}

/** Returns what it is given, so that a class that extends it adds its private fields to that. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what it is for.
    return object;
  }
}

/**
 * What is known of a frame besides its content: in private fields, which no copy, no comparison and no JSON of the frame has. A
 * WeakMap would do the same, but cost the garbage collector as much time as it takes to make the frame.
 */
class Notes extends Given {
  /** What it reports, as text, until it is stored: made once for the digest, the live position and the row. */
  #text: string | null;
  /** Its digest was made from its own time: making it again costs more than anything else in packing a block. */
  readonly #isUnrepaired: boolean;

  constructor(frame: Frame, text: string | null, isUnrepaired: boolean) {
    super(frame);
    this.#text = text;
    this.#isUnrepaired = isUnrepaired;
  }

  static text(frame: object): string | null {
    return #text in frame ? frame.#text : null;
  }

  static dropText(frame: object): void {
    if (#text in frame) frame.#text = null;
  }

  static isUnrepaired(frame: object): boolean {
    return #isUnrepaired in frame && frame.#isUnrepaired;
  }
}

/** A new frame gets its digest. `sentAt`: as the tracker sent it, before any repair. */
export function giveDigest(frame: Frame & { digest: number }, sentAt: number | null): void {
  const text = formatReported(frame);
  frame.digest = frameDigest(frame, sentAt, text);
  new Notes(frame, text, sentAt === frame.recordedAt);
}

export function reportedText(frame: Reported): string {
  return Notes.text(frame) ?? formatReported(frame);
}

/** The same for the last time: frames stay in memory, and their texts would take as much. */
export function takeReportedText(frame: Reported): string {
  const text = reportedText(frame);
  Notes.dropText(frame);
  return text;
}

/** A frame from a block that stores none gets its digest. */
export function giveOwnDigest(frame: Frame & { digest: number }): void {
  frame.digest = frameDigest(frame);
  new Notes(frame, null, true);
}

/** Of a frame from a row, whose text is there: making text of numbers again is the largest part of making a digest. */
export function recogniseDigest(frame: Frame, reportedJson: string): void {
  new Notes(frame, null, frameDigest(frame, frame.recordedAt, reportedJson) === frame.digest);
}

export function hasOwnDigest(frame: Frame): boolean {
  return Notes.isUnrepaired(frame) || frameDigest(frame) === frame.digest;
}
