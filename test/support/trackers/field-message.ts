import { expect, test } from "bun:test";
import type { TrackerFamily, TrackerIdentity } from "../../../src/intake/trackers/kit/family.ts";
import type { TrackerFrame } from "../../../src/intake/trackers/kit/frame.ts";

/** A message that a real tracker sent, and what it means, worked out by hand from the description of the protocol. */
export interface FieldMessage {
  /** Where the bytes were published. */
  readonly source: string;
  readonly model: string;
  /** What came before it on the same connection, such as the login. */
  readonly before?: readonly string[];
  /** Hex, or the text itself if the protocol is text. */
  readonly message: string;
  readonly means: {
    readonly what?: string;
    readonly identity?: TrackerIdentity;
    /** One for each frame; `recordedAt` as ISO 8601. What is not named is not compared. */
    readonly frames?: readonly MeantFrame[];
    /** Hex, or text; null: none. */
    readonly reply?: string | null;
    readonly problem?: string | null;
  };
}

/** `driver_id` null: it has none. */
type MeantFrame = Partial<Omit<TrackerFrame, "recordedAt" | "driver_id">> & {
  readonly recordedAt?: string;
  readonly driver_id?: string | null;
};

/** Within a metre; other numbers to a hundredth. */
const placeDigits = 5;

export function testFieldMessages<S>(
  family: TrackerFamily<S>,
  form: "hex" | "latin1",
  messages: readonly FieldMessage[],
) {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, form));
  for (const { source, model, before = [], message, means } of messages) {
    test(`${family.name}: ${model}, ${message.slice(0, 40)} (${source})`, () => {
      let session = family.begin();
      for (const earlier of before) session = family.decode(bytes(earlier), session, receivedAt).session;
      const whole = bytes(message);
      expect(family.cut(whole)).toEqual({ kind: "message", length: whole.length });
      const decoded = family.decode(whole, session, receivedAt);
      if (means.what !== undefined) expect(decoded.what).toBe(means.what);
      if (means.identity !== undefined) expect(decoded.identity).toEqual(means.identity);
      if (means.problem !== undefined) expect(decoded.problem?.kind ?? null).toBe(means.problem as never);
      if (means.reply !== undefined)
        expect(decoded.reply === null ? null : Buffer.from(decoded.reply).toString(form)).toBe(means.reply);
      if (means.frames === undefined) return;
      expect(decoded.frames.length).toBe(means.frames.length);
      for (const [index, frame] of means.frames.entries()) compare(decoded.frames[index] as TrackerFrame, frame);
    });
  }
}

/** Some protocols send a time without a date: theirs is the day on which we receive it. */
export const receivedAt = Date.UTC(2026, 10, 17, 12);

function compare(decoded: TrackerFrame, meant: MeantFrame): void {
  for (const [name, value] of Object.entries(meant)) {
    const got = decoded[name as keyof TrackerFrame] ?? null;
    if (name === "recordedAt")
      expect(new Date(got as number).toISOString()).toBe(new Date(value as string).toISOString());
    else if (typeof value === "number")
      expect(got as number, name).toBeCloseTo(value, name === "latitude" || name === "longitude" ? placeDigits : 2);
    else expect(got as unknown, name).toEqual(value);
  }
}
