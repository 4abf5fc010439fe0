import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareFrames } from "../../src/domain/frame.ts";
import { reportedFields } from "../../src/domain/reported.ts";
import { BlockReader, ByteWriter, maxWritten } from "../../src/store/blocks/bytes.ts";
import { type BlockColumn, readColumn, valueAt, writeColumn } from "../../src/store/blocks/columns.ts";
import { writeDecimal } from "../../src/store/blocks/decimal-text.ts";
import { encodeFrames, FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { frameLineOf } from "../../src/store/blocks/frame-line.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import { packState, stateDictionary, unpackState } from "../../src/store/facts/packed-state.ts";
import { anyFrame, finite, ordinary } from "../support/any-frame.ts";
import { forAll } from "../support/for-all.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { steadily } from "../support/steady-frames.ts";

function inOrder(frames: readonly StoredFrame[]): StoredFrame[] {
  return frames.toSorted((one, other) => compareFrames(one.frame, other.frame));
}

describe("a block of frames", () => {
  test("property: has its frames to the last digit, whatever a tracker sent", () => {
    forAll(300, [fc.array(anyFrame(), { minLength: 1, maxLength: 12 })], (given) => {
      const frames = inOrder(given);
      const block = new FrameBlock(encodeFrames(frames));
      expect(block.count).toBe(frames.length);
      expect(block.frames()).toEqual(frames);
      expect([...block.recordedAt]).toEqual(frames.map(({ frame }) => frame.recordedAt));
      for (const [index, { frame }] of frames.entries()) {
        expect(block.receivedAt(index)).toBe(frame.receivedAt);
        for (const [field, name] of reportedFields.entries()) {
          expect(valueAt(block.reported[field] as BlockColumn, index)).toBe(frame[name]);
        }
      }
    });
  });

  test("property: has them too if almost all are ordinary", () => {
    const frame = fc.oneof({ weight: 30, arbitrary: anyFrame(ordinary) }, { weight: 1, arbitrary: anyFrame(finite) });
    forAll(40, [fc.array(frame, { minLength: 1, maxLength: 130 })], (given) => {
      const frames = inOrder(given);
      expect(new FrameBlock(encodeFrames(frames)).frames()).toEqual(frames);
    });
  });

  test("has one frame as well as thousands, of one time or of many", () => {
    for (const count of [1, 2, 1_000, 5_000]) {
      for (const everyMs of [0, 1_000]) {
        const frames = inOrder(Array.from({ length: count }, (_, index) => steadily(index, everyMs)));
        expect(new FrameBlock(encodeFrames(frames)).frames()).toEqual(frames);
      }
    }
  });

  test("is small: the frames of an ordinary drive take less than 25 bytes each", () => {
    const frames = Array.from({ length: 120 }, (_, index) => steadily(index, 10_000));
    expect(encodeFrames(frames).length / frames.length).toBeLessThan(25);
  });

  test("of a form that this program does not know is refused in words", () => {
    const body = encodeFrames([steadily(0, 1)]);
    for (const form of [0, 4, 255]) {
      const other = body.slice();
      other[0] = form;
      expect(() => new FrameBlock(other)).toThrow(
        `a block of frames has form ${form}, which this program does not know`,
      );
    }
  });

  test("of which a byte is missing is not read as if it were whole", () => {
    const body = encodeFrames(Array.from({ length: 50 }, (_, index) => steadily(index, 1)));
    expect(() => new FrameBlock(body.subarray(0, -1))).toThrow();
    expect(() => new FrameBlock(new Uint8Array())).toThrow();
  });

  test("property: a frame in a row of its own is what it was", () => {
    forAll(300, [anyFrame()], (stored) => expect(frameLineOf(stored).stored()).toEqual(stored));
  });
});

describe("a column", () => {
  const columnOf = (values: readonly unknown[]) => {
    const out = new ByteWriter();
    out.start();
    writeColumn(out, values);
    return readColumn(new BlockReader(Buffer.from(out.written())), values.length);
  };

  test("property: has its values, and numbers of it are written as JavaScript writes them", () => {
    forAll(2_000, [fc.array(fc.option(fc.oneof(ordinary, finite)), { minLength: 1, maxLength: 20 })], (values) => {
      const column = columnOf(values);
      expect(values.map((_, index) => valueAt(column, index))).toEqual(values);
      if (column.decimals === null) return;
      for (const [index, value] of values.entries()) {
        if (value !== null) expect(written(column.scaled[index] as number, column.decimals)).toBe(String(value));
      }
    });
  });

  test("of ordinary numbers is one of decimals", () => {
    expect(columnOf([52.5200066, 52.52, null, 52]).decimals).toBe(7);
    expect(columnOf([1, null, -3]).decimals).toBe(0);
    for (const other of [1e-7, 1e300, 2 ** 50 + 2, 0.12345678901, "sos", true, [1]]) {
      expect(columnOf([1, other]).decimals).toBeNull();
    }
  });

  test("property: numbers of any length come back from their bytes", () => {
    const number = fc.oneof(
      fc.nat(),
      fc.maxSafeNat().map((value) => value % (4 * maxWritten)),
      fc.constantFrom(0, 127, 128),
    );
    forAll(300, [fc.array(number)], (numbers) => {
      const out = new ByteWriter();
      out.start();
      for (const value of numbers) out.number(value);
      const bytes = new BlockReader(Buffer.from(out.written()));
      expect(numbers.map(() => bytes.number())).toEqual(numbers);
    });
  });
});

function written(scaled: number, decimals: number): string {
  const bytes = new Uint8Array(64);
  const end = writeDecimal(new DataView(bytes.buffer), 0, scaled, decimals);
  return new TextDecoder().decode(bytes.subarray(0, end));
}

test("property: a decimal is written as JavaScript writes the number", () => {
  const digits = fc.oneof(
    fc.integer({ min: -maxWritten, max: maxWritten }),
    fc.integer({ min: -2_000, max: 2_000 }),
    fc.constantFrom(0, 1e9 - 1, 1e9, 1e9 + 1, -1e9, 1e10, 2 ** 31, 2 ** 32, maxWritten, -maxWritten),
  );
  forAll(20_000, [digits, fc.integer({ min: 0, max: 10 })], (scaled, decimals) => {
    const value = scaled / 10 ** decimals;
    // Those that JavaScript writes with an exponent are not in columns of decimals.
    fc.pre(value === 0 || Math.abs(value) >= 1e-6);
    expect(written(scaled, decimals)).toBe(String(value));
  });
});

const seed = announcedSeed("packed states");

test("a state that was packed is read again to the last digit", () => {
  const random = randomNumbers(seed);
  for (let round = 0; round < 500; round++) {
    const [from, until] = [Math.floor(random() * stateDictionary.length), Math.floor(random() * 4_000)];
    const codes = Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 0xd7ff));
    const text = stateDictionary.slice(from, from + until) + String.fromCharCode(...codes) + String(random());
    expect(unpackState(packState(text))).toBe(text);
  }
});

test("what has been stored can be read for ever: the text that states are compressed with never changes", () => {
  const hash = new Bun.CryptoHasher("sha256").update(stateDictionary).digest("hex");
  expect(hash).toBe("b8a1b88d3ab4f348bbdf25f7478cabe5a30133850f47caa9000578c5ebca6632");
  const packed =
    "0228b52ffd209da501008835313739343831313136373435337d7d7d0b002c63bc4e1c392ee47c900528813c10060c41002f0f1d80050fc600a483570183";
  expect(unpackState(Uint8Array.fromHex(packed))).toBe(
    '{"rules":5,"judge":{"anchor":null,"prev":null,"base":null,"chains":[],"pending":[]},' +
      '"stages":{"alerts":{"episodes":[],"towedTrip":1794811167453,"tanks":[]}}}',
  );
});

test("a form that is not known is refused", () => {
  expect(() => unpackState(new Uint8Array([9, 40, 181]))).toThrow("a state of form 9 is not known");
});
