import { expect, test } from "bun:test";
import { imeisWithKey, isImei, isTrackerId, trackerKey } from "../../src/domain/text/identifiers.ts";
import { trackerKeys } from "../../src/domain/tracker-identity.ts";

test.each([
  ["013812345678", "13812345678"],
  ["00000000013812345678", "13812345678"],
  ["356307042441013", "356307042441013"],
  ["0356307042441013", "356307042441013"],
  ["0000000000", "0"],
  ["0", "0"],
  ["ST-901A", "st-901a"],
  ["0A1", "0a1"],
])("a tracker that calls itself %s is compared as %s", (text, key) => {
  expect(trackerKey(text)).toBe(key);
  expect(trackerKey(key)).toBe(key);
});

test("a tracker id has 1 to 64 visible characters of ASCII", () => {
  for (const fit of ["1", "013812345678", "a/b+c~!", "x".repeat(64)])
    expect([fit, isTrackerId(fit)]).toEqual([fit, true]);
  for (const unfit of ["", " ", "a b", "a\n", "é", "\u0000", "x".repeat(65)]) {
    expect([unfit, isTrackerId(unfit)]).toEqual([unfit, false]);
  }
});

test("every IMEI is among those with its key, and those of 15 digits come first", () => {
  for (const imei of ["356307042441013", "0356307042441013", "01234567890123", "00000000000000", "1234567890123456"]) {
    expect(imeisWithKey(trackerKey(imei))).toContain(imei);
    expect(imeisWithKey(trackerKey(imei)).every(isImei)).toBe(true);
  }
  expect(imeisWithKey("12345678901234")).toEqual(["012345678901234", "12345678901234", "0012345678901234"]);
  for (const none of ["", "12345678901234567", "abc"]) expect(imeisWithKey(none)).toEqual([]);
});

test("a device has one name or two, as they are compared", () => {
  expect(trackerKeys({ imei: "0356307042441013", tracker_id: null })).toEqual(["356307042441013"]);
  expect(trackerKeys({ imei: "356307042441013", tracker_id: "0356307042441013" })).toEqual(["356307042441013"]);
  expect(trackerKeys({ imei: "356307042441013", tracker_id: "ST-9" })).toEqual(["356307042441013", "st-9"]);
});
