import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deviceSearchText, foldCase } from "../../src/domain/text/search-text.ts";
import { forAll } from "../support/for-all.ts";

describe("the search", () => {
  test.each([
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ", "οδοσ"],
    ["Ünïcödé", "ÜNÏCÖDÉ"],
    ["e\u0301", "É"],
    ["ǅ", "ǆ"],
    ["İstanbul", "i\u0307stanbul"],
  ])("does not tell %s from %s", (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

  test("does not tell a text from itself in capitals, in small letters or folded before", () => {
    forAll(100, [fc.string({ unit: "grapheme" })], (text) => {
      const folded = foldCase(text);
      expect(foldCase(folded)).toBe(folded);
      expect(foldCase(text.toUpperCase())).toBe(folded);
    });
  });

  test("looks through name, IMEI and plate, and not across them", () => {
    const text = deviceSearchText({ name: "Van", imei: "356307042441013", plate: "ab 1" });
    for (const needle of ["van", "0424", "AB 1"]) expect(text).toContain(foldCase(needle));
    expect(text).not.toContain(foldCase("van3563"));
    expect(deviceSearchText({ name: "Van", imei: "1", plate: null })).toBe("VAN\n1\n");
  });
});
