import { expect, test } from "bun:test";
import fc from "fast-check";
import { exampleFrame } from "../../src/api/records/position.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { type OldFrame, parseOldFrame, parseOldPlace } from "../../src/store/carry-over/old-frame-text.ts";
import { finite, reported, verdicts } from "../support/any-frame.ts";
import { forAll } from "../support/for-all.ts";
import { formatOldFrame, writtenFrame, writtenText } from "../support/old-frame-text.ts";

/** What versions before 1.2 wrote of the example of the API, and of a frame with an event. */
const written: readonly (readonly [text: string, frame: OldFrame])[] = [
  [
    "<:94253234:2601e142jcjctj2026-03-17T08:02:30.00008:02:31.18452.520006613.40495434.546287.43.2140.8true184037.9129813.842\n",
    oldFrame(exampleFrame),
  ],
  [writtenText, writtenFrame],
];

function oldFrame({ fix: _, source: __, sensors: ___, ...frame }: typeof exampleFrame): OldFrame {
  return frame;
}

test.each(written)("a text from before 1.2 is read as it was meant: %s", (text, frame) => {
  expect(parseOldFrame(text)).toEqual(frame);
  expect(parseOldPlace(text)).toEqual({ recordedAt: frame.recordedAt, digest: frame.digest });
  expect(formatOldFrame(frame, accepted)).toBe(text);
});

const ms = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 11, 31) });

test("property: a frame comes out of its text as it went in, whatever the verdict", () => {
  forAll(
    100,
    [
      reported(finite),
      fc.record({ recordedAt: ms, receivedAt: ms, digest: fc.maxSafeNat() }),
      fc.constantFrom(...verdicts),
    ],
    (values, place, verdict) => {
      const frame = { ...values, ...place };
      expect(parseOldFrame(formatOldFrame(frame, verdict))).toEqual(frame);
    },
  );
});

test("the longest number there is has its length told", () => {
  const longest = -0.0000010000003136233791;
  expect(String(longest)).toHaveLength(25);
  const frame = { ...oldFrame(exampleFrame), hdop: longest };
  expect(parseOldFrame(formatOldFrame(frame, accepted))).toEqual(frame);
});
