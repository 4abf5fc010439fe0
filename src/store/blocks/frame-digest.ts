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

/** Frames whose digest was made from their own time: making it again costs more than anything else in packing a block. */
const unrepaired = new WeakSet<Frame>();

/** What new frames report, as text, until it is stored: it is made once for the digest, the live position and the row. */
const reportedTexts = new WeakMap<Reported, string>();

/** A new frame gets its digest. `sentAt`: as the tracker sent it, before any repair. */
export function giveDigest(frame: Frame & { digest: number }, sentAt: number | null): void {
  const text = formatReported(frame);
  frame.digest = frameDigest(frame, sentAt, text);
  reportedTexts.set(frame, text);
  if (sentAt === frame.recordedAt) unrepaired.add(frame);
}

export function reportedText(frame: Reported): string {
  return reportedTexts.get(frame) ?? formatReported(frame);
}

/** The same for the last time: frames stay in memory, and their texts would take as much. */
export function takeReportedText(frame: Reported): string {
  const text = reportedText(frame);
  reportedTexts.delete(frame);
  return text;
}

/** A frame from a block that stores none gets its digest. */
export function giveOwnDigest(frame: Frame & { digest: number }): void {
  frame.digest = frameDigest(frame);
  unrepaired.add(frame);
}

/** Of a frame from a row, whose text is there: making text of numbers again is the largest part of making a digest. */
export function recogniseDigest(frame: Frame, reportedJson: string): void {
  if (frameDigest(frame, frame.recordedAt, reportedJson) === frame.digest) unrepaired.add(frame);
}

export function hasOwnDigest(frame: Frame): boolean {
  return unrepaired.has(frame) || frameDigest(frame) === frame.digest;
}
