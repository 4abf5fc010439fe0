import { expect, test } from "bun:test";
import fc from "fast-check";
import { isImei, isUuid } from "../../src/domain/text/identifiers.ts";

test("a UUID of any version and case is one", () => {
  fc.assert(fc.property(fc.uuid(), (id) => isUuid(id) && isUuid(id.toUpperCase())));
  expect(isUuid("00000000-0000-0000-0000-000000000000")).toBe(true);
});

test.each([
  "",
  "00000000000000000000000000000000",
  "{00000000-0000-0000-0000-000000000000}",
  "0000000g-0000-0000-0000-000000000000",
  "00000000-0000-0000-0000-000000000000\n",
  " 00000000-0000-0000-0000-000000000000",
])("%p is no UUID", (text) => expect(isUuid(text)).toBe(false));

test("14 to 16 digits are an IMEI, with a wrong check digit too", () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9]{14,16}$/), (digits) => isImei(digits)));
  expect(isImei("356307042441013")).toBe(true);
  expect(isImei("356307042441014")).toBe(true);
});

test.each([
  "",
  "3563070424410",
  "35630704244101312",
  "ABCDEFGHIJKLMN",
  "35630704244101A",
  " 356307042441013",
  "356307042441013\n",
  "٣٥٦٣٠٧٠٤٢٤٤١٠١٣",
])("%p is no IMEI", (text) => expect(isImei(text)).toBe(false));
