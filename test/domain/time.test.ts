import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatInstant, parseInstant } from "../../src/domain/time/time.ts";
import { forAll } from "../support/for-all.ts";

const firstMs = Date.parse("0000-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");
const anyInstant = fc.integer({ min: firstMs, max: lastMs });
const twoDigits = (number: number) => String(number).padStart(2, "0");

describe("parseInstant", () => {
  const noon = Date.UTC(2026, 0, 31, 12, 0, 0);
  test.each([
    ["2026-01-31", noon - 12 * 3_600_000],
    ["2026-01-31T12:00", noon],
    ["2026-01-31T12:00Z", noon],
    ["2026-01-31T12:00:00", noon],
    ["2026-01-31t12:00:00z", noon],
    ["2026-01-31 12:00:00", noon],
    ["2026-01-31 12:00", noon],
    ["2026-01-31T14:00:00+02:00", noon],
    ["2026-01-31T14:00:00+0200", noon],
    ["2026-01-31T14:00:00+02", noon],
    ["2026-01-31T14:00+02:00", noon],
    ["2026-01-31T08:30:00-03:30", noon],
    ["2026-01-31T12:00:00-00:00", noon],
    ["2026-01-31T14:00:00 02:00", noon],
    ["2026-01-31T14:00:00.000 0200", noon],
    ["2026-01-31 14:00 02", noon],
    ["2026-01-31T12:00:00.1Z", noon + 100],
    ["2026-01-31T12:00:00,25Z", noon + 250],
    ["2026-01-31T12:00:00.1239999999Z", noon + 123],
    ["2026-01-31T14:00:00.5+02:00", noon + 500],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2000-02-29", Date.UTC(2000, 1, 29)],
    ["0000-01-01", firstMs],
    ["1969-12-31T23:59:59.999Z", -1],
    ["9999-12-31T23:59:59.999Z", lastMs],
    ["2026-01-30T24:00", noon - 12 * 3_600_000],
    ["2026-01-30T24:00:00Z", noon - 12 * 3_600_000],
    ["2026-01-30T24:00:00.000+00:00", noon - 12 * 3_600_000],
    ["2026-01-31T24:00:00-12:00", noon + 24 * 3_600_000],
    ["2025-12-31T24:00:00Z", Date.UTC(2026, 0, 1)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["2016-12-31T23:59:60.999Z", Date.UTC(2017, 0, 1)],
    ["2016-12-31T15:59:60-08:00", Date.UTC(2017, 0, 1)],
    ["2026-01-31T11:59:60", noon],
  ])("reads %s", (text, expected) => expect(parseInstant(text)).toBe(expected));

  test.each([
    "",
    "now",
    "2026",
    "2026-01",
    "20260131",
    "2026-1-31",
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-00-01",
    "2026-13-01",
    "2026-01-00",
    "2026-01-32",
    "02026-01-01",
    "+002026-01-01T00:00:00Z",
    "-001-01-01T00:00:00Z",
    "2026-01-31Z",
    "2026-01-31+02:00",
    "2026-01-31T",
    "2026-01-31T12",
    "2026-01-31T12Z",
    "2026-01-31T12:0",
    "2026-01-31X12:00:00",
    "2026-01-31T24:00:01",
    "2026-01-31T24:01",
    "2026-01-31T24:00:00.001Z",
    "2026-01-31T24:00:60",
    "2026-01-31T25:00",
    "2026-01-31T12:60:00",
    "2026-01-31T12:00:61",
    "9999-12-31T24:00:00Z",
    "2026-01-31T12:00:",
    "2026-01-31T12:00:0",
    "2026-01-31T12:00:00.",
    "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00.5Z",
    "2026-01-31T12:00:00Zx",
    "2026-01-31T12:00:00ZZ",
    "2026-01-31T12:00:00 ",
    "2026-01-31T12:00:00+",
    "2026-01-31T12:00:00+2",
    "2026-01-31T12:00:00+2:00",
    "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00+02:60",
    "2026-01-31T12:00:00+02:0",
    "2026-01-31T12:00:00+02-00",
    "2026-01-31T12:00:00+02:000",
    " 2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00Z\n",
    "２０２６-01-31",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
  ])("refuses %p", (text) => expect(parseInstant(text)).toBeNull());

  test("agrees with Date on every instant", () => {
    fc.assert(fc.property(anyInstant, (ms) => expect(parseInstant(new Date(ms).toISOString())).toBe(ms)));
  });

  test("agrees with Date on which days there are", () => {
    const parts = fc.record({
      year: fc.integer({ min: 0, max: 9999 }),
      month: fc.integer({ min: 0, max: 13 }),
      day: fc.integer({ min: 0, max: 32 }),
    });
    forAll(2000, [parts], ({ year, month, day }) => {
      const text = `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
      const date = new Date(`${text}T00:00:00Z`);
      const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      expect(parseInstant(text)).toBe(isReal ? date.getTime() : null);
    });
  });

  test("an offset names the same instant in other words", () => {
    const inside = fc.integer({ min: firstMs + 86_400_000, max: lastMs - 86_400_000 });
    const minutes = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    const colon = fc.constantFrom(":", "");
    forAll(100, [inside, minutes, colon], (ms, offset, between) => {
      const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
      const size = Math.abs(offset);
      const hoursAndMinutes = `${twoDigits(Math.floor(size / 60))}${between}${twoDigits(size % 60)}`;
      expect(parseInstant(`${local}${offset < 0 ? "-" : "+"}${hoursAndMinutes}`)).toBe(ms);
      if (offset >= 0) expect(parseInstant(`${local} ${hoursAndMinutes}`)).toBe(ms);
    });
  });

  test("never throws and never answers what it cannot write", () => {
    const almostTime = fc.string({ unit: fc.constantFrom(..."0123456789-:TZtz+., "), maxLength: 32 });
    forAll(2000, [fc.oneof(fc.string(), almostTime)], (text) => {
      const ms = parseInstant(text);
      if (ms !== null) expect(parseInstant(formatInstant(ms))).toBe(ms);
    });
  });
});

describe("formatInstant", () => {
  test("agrees with Date from year 0 to 9999, whatever was written before", () => {
    forAll(100, [fc.array(anyInstant)], (instants) => {
      for (const ms of instants) expect(formatInstant(ms)).toBe(new Date(ms).toISOString());
    });
  });

  test("agrees with Date around every edge of a second, minute, hour and day", () => {
    for (const unitMs of [1000, 60_000, 3_600_000, 86_400_000]) {
      for (const about of [firstMs + unitMs, -unitMs, 0, 20_000 * unitMs, lastMs + 1 - unitMs]) {
        for (const ms of [about - 1, about, about + 1, about - 1]) {
          expect(formatInstant(ms)).toBe(new Date(ms).toISOString());
        }
      }
    }
  });

  test.each([firstMs - 1, lastMs + 1, Number.NaN, Number.POSITIVE_INFINITY])("refuses %p", (ms) => {
    expect(() => formatInstant(ms)).toThrow("not of the years");
  });
});
