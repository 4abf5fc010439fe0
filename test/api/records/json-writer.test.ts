import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Digits, writeDecimal } from "../../../src/api/records/decimal.ts";
import { writeInstant } from "../../../src/api/records/instant.ts";
import { JsonWriter } from "../../../src/api/records/json-writer.ts";
import { Literal, writeLiteral } from "../../../src/api/records/literal.ts";
import { formatInstant } from "../../../src/domain/time.ts";

const view = new DataView(new ArrayBuffer(256));
const written = (end: number) => new TextDecoder().decode(new Uint8Array(view.buffer, 0, end));
const allDigits: readonly Digits[] = [0, 1, 3, 6, 7];

describe("a decimal", () => {
  const expectSame = (value: number, digits: Digits) =>
    expect(written(writeDecimal(view, 0, value, digits))).toBe(JSON.stringify(value / 10 ** digits));

  test.each(allDigits)("with %d digits is what JSON.stringify gives, for every safe integer", (digits) => {
    const any = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -20_000, max: 20_000 }));
    fc.assert(
      fc.property(any, fc.nat({ max: 9 }), (value, zeros) => {
        expectSame(value, digits);
        const round = value * 10 ** zeros;
        if (Number.isSafeInteger(round)) expectSame(round, digits);
      }),
      { numRuns: 5000 },
    );
  });

  test.each(allDigits)("with %d digits is right around every power of ten and of two", (digits) => {
    const powers = [
      ...Array.from({ length: 16 }, (_, exponent) => 10 ** exponent),
      ...Array.from({ length: 53 }, (_, exponent) => 2 ** exponent),
    ];
    const around = powers.flatMap((power) => [power - 1, power, power + 1]);
    for (const value of [...around, Number.MAX_SAFE_INTEGER]) {
      expectSame(value, digits);
      expectSame(-value, digits);
    }
    expectSame(-0, digits);
  });

  test("small ones are all right", () => {
    for (const digits of allDigits) for (let value = -1100; value <= 1100; value++) expectSame(value, digits);
  });
});

describe("an instant", () => {
  test("is what formatInstant gives", () => {
    const min = Date.parse("0000-01-01T00:00:00.000Z");
    const max = Date.parse("9999-12-31T23:59:59.999Z");
    const any = fc.oneof(fc.integer({ min, max }), fc.integer({ min: -90_000_000, max: 90_000_000 }));
    fc.assert(
      fc.property(any, (ms) => expect(written(writeInstant(view, 0, ms))).toBe(formatInstant(ms))),
      { numRuns: 5000 },
    );
  });

  test("beyond the year 9999 is refused, not written wrongly", () => {
    expect(() => writeInstant(view, 0, Date.UTC(10_000, 0, 1))).toThrow();
  });
});

test("a literal is written whole, of any length and in any script", () => {
  const literals = [
    ...Array.from({ length: 40 }, (_, length) => "abcdefgh".repeat(5).slice(0, length)),
    "°C ÿÿÿ 🚚 漢字",
  ];
  for (const text of literals) expect(written(writeLiteral(view, 0, new Literal(text)))).toBe(text);
});

describe("a writer", () => {
  const take = (json: JsonWriter) => new TextDecoder().decode(json.written());

  test("grows with what is written", () => {
    const json = new JsonWriter();
    for (const length of [10, 300_000, 2_000_000, 20]) {
      json.start();
      const texts = ["漢".repeat(length), '"漢'.repeat(length)];
      for (const text of texts) json.text(text);
      const taken = json.written().slice();
      json.start();
      json.text("overwritten");
      expect(new TextDecoder().decode(taken) === texts.map((text) => JSON.stringify(text)).join("")).toBeTrue();
    }
  });

  test("a record has room for its keys and numbers wherever in the buffer it begins", () => {
    const json = new JsonWriter();
    const filler = new Literal("x".repeat(64));
    const numbers = (to: JsonWriter) => {
      for (let index = 0; index < 100; index++) to.decimal(-Number.MAX_SAFE_INTEGER, 7);
    };
    const one = String(-Number.MAX_SAFE_INTEGER / 1e7).repeat(100);
    json.start();
    for (let index = 0; index < 300; index++) {
      json.record(numbers, undefined);
      json.literal(filler);
    }
    expect(take(json)).toBe((one + "x".repeat(64)).repeat(300));
  });

  test("what a writing that failed has left behind is forgotten", () => {
    const json = new JsonWriter();
    json.start();
    json.device("a", "1");
    expect(() => json.instant(Number.POSITIVE_INFINITY)).toThrow();
    json.start();
    json.device("a", "1");
    expect(take(json)).toBe('"device_id":"a","imei":"1"');
  });

  test("a device is told rightly whether or not it is the one before", () => {
    const json = new JsonWriter();
    const devices = [
      ["a", "1"],
      ["a", "1"],
      ["b", "1"],
      ["b", "2"],
      ["a", "1"],
      ["a", "1"],
    ] as const;
    json.start();
    for (const [id, imei] of devices) json.device(id, imei);
    expect(take(json)).toBe(devices.map(([id, imei]) => `"device_id":"${id}","imei":"${imei}"`).join(""));
  });
});
