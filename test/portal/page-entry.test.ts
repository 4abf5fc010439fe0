import { expect, test } from "bun:test";
import { hasWrongCheckDigit, imeiCheckDigit } from "../../src/domain/text/identifiers.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { doubtOf, entryProblem } from "../../src/portal/page/common/fields/entry.ts";
import { imeiOf } from "../../src/simulator/fleet/identity.ts";

const words = en.errors.entry;

test("the last digit of an IMEI is that of the simulator, worked out another way; any other is doubtful", () => {
  for (let index = 0; index < 200; index++) {
    const imei = imeiOf(7, index);
    expect(imeiCheckDigit(imei.slice(0, 14))).toBe(Number(imei[14]));
    expect(hasWrongCheckDigit(imei)).toBe(false);
    for (let digit = 0; digit < 10; digit++) {
      const other = `${imei.slice(0, 14)}${digit}`;
      expect(hasWrongCheckDigit(other)).toBe(other !== imei);
    }
  }
});

test("an IMEI is questioned as it is read off the label; one of 14 or 16 digits has no check digit", () => {
  expect(doubtOf("imei", "35-630704-244101-4", words)).toBe(words.imeiDoubt);
  for (const typed of ["", "35630704244101", "3563070424410134", "35 630704 244101 3", "not a number"]) {
    expect([typed, doubtOf("imei", typed, words)]).toEqual([typed, null]);
  }
});

test("an e-mail without an ending is questioned; what is none, or is complete, is not", () => {
  expect(doubtOf("email", " ana@nordring ", words)).toBe(words.emailDoubt);
  for (const typed of ["", "ana", "ana@", "ana@nordring.example", "ana@a.b@c"]) {
    expect([typed, doubtOf("email", typed, words)]).toEqual([typed, null]);
  }
});

test("what the browser finds wrong is said in the person's language", () => {
  const said = (validity: Parameters<typeof entryProblem>[0]["validity"], more: object = {}) =>
    entryProblem({ validity, type: "text", min: "5", max: "9", minLength: 8, ...more }, words);
  expect(said({ valueMissing: true })).toBe("Fill this in.");
  expect(said({ typeMismatch: true }, { type: "email" })).toBe(words.email);
  expect(said({ badInput: true }, { type: "number" })).toBe(words.number);
  // Half a date is both missing and wrong.
  expect(said({ badInput: true, valueMissing: true }, { type: "date" })).toBe(words.date);
  expect([said({ rangeUnderflow: true }), said({ rangeOverflow: true })]).toEqual([
    "Enter 5 or more.",
    "Enter 9 or less.",
  ]);
  expect(said({ tooShort: true })).toBe("Enter at least 8 characters.");
  expect(said({})).toBe(words.other);
});
