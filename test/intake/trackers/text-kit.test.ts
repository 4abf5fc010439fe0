import { expect, test } from "bun:test";
import { reported, untimedAlarm } from "../../../src/intake/trackers/kit/decoded.ts";
import {
  decimalOf,
  identityOf,
  nearestTimeOfDay,
  placeOfMinutes,
  shownText,
  timeOfDigits,
} from "../../../src/intake/trackers/kit/text-values.ts";

test("a number is digits with or without a point, and nothing else", () => {
  expect(["12", " 3.34", "-0.1", "+28.0", "7."].map(decimalOf)).toEqual([12, 3.34, -0.1, 28, 7]);
  expect(["", "-", "1e3", "0x1f", "12V", undefined].map(decimalOf)).toEqual([null, null, null, null, null, null]);
});

test("fifteen digits are an IMEI, all else is a tracker's own number", () => {
  expect(identityOf("359710049092324")).toEqual({ kind: "imei", value: "359710049092324" });
  expect(identityOf("BALLESTEROS3")).toEqual({ kind: "tracker_id", value: "BALLESTEROS3" });
});

test("degrees and minutes become degrees, also without digits of degrees", () => {
  expect(placeOfMinutes(["5233.5412", "N"], ["01324.1000", "W"])).toEqual({
    latitude: 52.55902,
    longitude: -13.4016667,
  });
  expect(placeOfMinutes(["45.78950", "S"], ["45.78950", "E"])).toEqual({ latitude: -0.7631583, longitude: 0.7631583 });
  expect(placeOfMinutes(["5260.0000", "N"], ["01324.1000", "E"])).toBeNull();
  expect(placeOfMinutes(["", "N"], ["01324.1000", "E"])).toBeNull();
  for (const cut of ["28", "028", "5233"]) expect(placeOfMinutes([cut, "N"], ["01324.1000", "E"])).toBeNull();
});

test("six digits and six digits are a time, if there is such a day and hour", () => {
  expect(timeOfDigits("171126", "115930", "dmy")).toBe(Date.UTC(2026, 10, 17, 11, 59, 30));
  expect(timeOfDigits("261117", "115930", "ymd")).toBe(Date.UTC(2026, 10, 17, 11, 59, 30));
  expect([timeOfDigits("310226", "115930", "dmy"), timeOfDigits("171126", "245930", "dmy")]).toEqual([null, null]);
  expect([timeOfDigits("000000", "000000", "dmy"), timeOfDigits("17112", "115930", "dmy")]).toEqual([null, null]);
});

test("a time of day is of the nearest day", () => {
  const at = (hour: number) => Date.UTC(2026, 10, 17, hour, 1);
  expect(nearestTimeOfDay("235959", at(0))).toBe(Date.UTC(2026, 10, 16, 23, 59, 59));
  expect(nearestTimeOfDay("000001", at(23))).toBe(Date.UTC(2026, 10, 18, 0, 0, 1));
  expect(nearestTimeOfDay("120000", at(23))).toBe(Date.UTC(2026, 10, 17, 12));
  expect(nearestTimeOfDay("246060", at(0))).toBeNull();
});

test("only an alarm is stored without a time of its own", () => {
  expect(reported(null, {}, ["sos"])).toMatchObject({ frames: [], problem: { kind: "no_time" } });
  expect(untimedAlarm({}, ["sos"], 1_000)).toMatchObject({
    frames: [{ recordedAt: 1_000, event: "sos" }],
    problem: null,
  });
  expect(untimedAlarm({}, [], 1_000)).toMatchObject({ frames: [], problem: { kind: "no_time" } });
});

test("what is shown of a name from the wire is short and harmless", () => {
  expect(shownText("acc alarm")).toBe("acc alarm");
  expect(shownText(`<b>\u0007${"x".repeat(50)}`)).toBe(`?b??${"x".repeat(16)}`);
});
