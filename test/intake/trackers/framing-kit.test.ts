import { expect, test } from "bun:test";
import fc from "fast-check";
import { crc16X25, x25 } from "../../../src/intake/trackers/kit/crc.ts";
import { RangeChecksums, type ZeroStep } from "../../../src/intake/trackers/kit/range-checksums.ts";
import { Marks, Seen } from "../../../src/intake/trackers/kit/seen.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { forAll } from "../../support/for-all.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

/** How a stream is looked at: what is at its front is taken away, more comes, and a part is asked for. */
const looks = fc.array(fc.record({ taken: fc.nat(400), come: fc.nat(900), from: fc.nat(700), length: fc.nat(900) }), {
  minLength: 1,
  maxLength: 60,
});

test("the checksum of a part of a stream is that of its bytes", () => {
  const steps: ZeroStep[] = [];
  forAll(100, [fc.uint8Array({ minLength: 20_000, maxLength: 40_000 }), looks], (stream, asked) => {
    const checksums = new RangeChecksums(x25, steps);
    let [offset, end] = [0, 0];
    for (const { taken, come, from, length } of asked) {
      end = Math.min(end + come, stream.length);
      offset = Math.min(offset + taken, end);
      const bytes = stream.subarray(offset, end);
      const [first, last] = [Math.min(from, bytes.length), Math.min(from + length, bytes.length)];
      expect(checksums.of(bytes, offset, first, last)).toBe(crc16X25(bytes.subarray(first, last)));
    }
  });
});

test("marks are found as if all were searched each time, and each byte is asked about once", () => {
  const sparse = fc.uint8Array({ minLength: 5_000, maxLength: 20_000, max: 40 });
  forAll(100, [sparse, looks], (stream, asked) => {
    let count = 0;
    const isMark = (bytes: Uint8Array, at: number) => bytes[at] === 7 && bytes[at + 1] === 7;
    const counted = (bytes: Uint8Array, at: number) => {
      count++;
      return isMark(bytes, at);
    };
    const marks = new Marks(counted, 1);
    let [offset, end, calls] = [0, 0, 0];
    for (const { taken, come, from, length } of asked) {
      end = Math.min(end + come, stream.length);
      offset = Math.min(offset + taken, end);
      const bytes = stream.subarray(offset, end);
      const to = Math.min(from + length, bytes.length);
      let expected = from;
      while (expected < to && !isMark(bytes, expected)) expected++;
      expect(marks.first(bytes, offset, from, to)).toBe(expected < to ? expected : -1);
      calls++;
    }
    expect(count).toBeLessThanOrEqual(stream.length + 2 * calls);
  });
});

test("a framer has one memory", () => {
  const seen = new Seen();
  const memory = seen.memory(() => ["first"]);
  expect(seen.memory(() => ["other"])).toBe(memory);
});

test("many small pieces are not copied with each of them, and views of what was taken stay right", () => {
  const stream = new MessageStream(toyFamily);
  const lines = Array.from({ length: 500 }, (_, index) => `at ${index} 52.5\n`);
  const taken: Uint8Array[] = [];
  for (const character of lines.join("")) taken.push(...stream.push(Buffer.from(character)));
  expect(taken.map((line) => Buffer.from(line).toString())).toEqual(lines);
  expect([stream.heldBytes, stream.noiseBytes]).toEqual([0, 0]);
});
