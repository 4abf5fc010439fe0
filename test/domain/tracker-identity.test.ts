import { expect, test } from "bun:test";
import { imeisWithKey, isImei, isTrackerId, trackerKey } from "../../src/domain/text/identifiers.ts";
import { takenName } from "../../src/domain/tracker-identity.ts";

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

test("a name is taken in every direction, but IMEIs are compared as they are", () => {
  const one = { imei: "356307042441013", tracker_id: "013812345678" };
  const other = (imei: string, tracker_id: string | null) => ({ imei, tracker_id });
  expect(takenName(one, other("356307042441013", null))).toBe("imei");
  expect(takenName(one, other("356307042441021", "0356307042441013"))).toBe("imei");
  expect(takenName(one, other("356307042441021", "13812345678"))).toBe("tracker_id");
  expect(takenName({ ...one, tracker_id: "0356307042441021" }, other("356307042441021", null))).toBe("tracker_id");
  expect(takenName(one, other("0356307042441013", null))).toBe(null);
  expect(takenName({ ...one, tracker_id: null }, other("356307042441021", "13812345678"))).toBe(null);
});
