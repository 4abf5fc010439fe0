import { describe, expect, test } from "bun:test";
import { offsetText, readTrackerClock, rightClock, type TrackerClock } from "../../src/domain/time/tracker-clock.ts";

const at = (text: string) => Date.parse(text);

function clockOf(text: string): TrackerClock {
  const clock = readTrackerClock(text);
  if (!clock) throw new Error(`${text} is no clock`);
  return clock;
}

describe("what a tracker's clock shows", () => {
  test.each([
    ["+08:00", "+08:00"],
    ["+8:00", "+08:00"],
    ["-05:30", "-05:30"],
    ["−05:30", "-05:30"],
    ["+360s", "+360s"],
    ["-360 S", "-360s"],
    ["+3600s", "+01:00"],
    ["+24:00", "+24:00"],
    ["+31622400s", "+31622400s"],
    ["europe/berlin", "Europe/Berlin"],
    ["Etc/GMT-8", "Etc/GMT-8"],
  ])("%p is %p", (text, spelt) => expect(clockOf(text).text).toBe(spelt));

  test.each(["UTC", "utc", "+00:00", "-0s"])("%p is UTC, which is nothing to set", (text) =>
    expect(readTrackerClock(text)).toBeNull(),
  );

  test.each(["", "8", "+8", "08:00", "+08:60", "+25:00", "+31622401s", "+1.5s", "360s", "Mars/Crater", "+08:00x"])(
    "%p is none",
    (text) => expect(readTrackerClock(text)).toBeUndefined(),
  );

  test("an offset is what it shows more than UTC, so it is taken away", () => {
    const shown = at("2026-06-15T12:00:00Z");
    expect(clockOf("+08:00").utcOf(shown, shown)).toBe(at("2026-06-15T04:00:00Z"));
    expect(clockOf("-360s").utcOf(shown, shown)).toBe(at("2026-06-15T12:06:00Z"));
  });

  test("a zone means its local time, in summer and in winter", () => {
    const berlin = clockOf("Europe/Berlin");
    expect(berlin.utcOf(at("2026-06-15T12:00:00Z"), 0)).toBe(at("2026-06-15T10:00:00Z"));
    expect(berlin.utcOf(at("2026-12-15T12:00:00Z"), 0)).toBe(at("2026-12-15T11:00:00Z"));
    expect(clockOf("Asia/Kolkata").utcOf(at("2026-06-15T12:00:00Z"), 0)).toBe(at("2026-06-15T06:30:00Z"));
  });

  test("every hour of the nights in which clocks change is right for frames that come at once", () => {
    for (const [zone, night] of [
      ["Europe/Berlin", "2026-10-25"],
      ["Europe/Berlin", "2026-03-29"],
      ["America/New_York", "2026-11-01"],
      ["Australia/Lord_Howe", "2026-04-05"],
    ] as const) {
      const clock = clockOf(zone);
      for (
        let utc = at(`${night}T00:00:00Z`) - 86_400_000;
        utc < at(`${night}T00:00:00Z`) + 2 * 86_400_000;
        utc += 600_000
      ) {
        const shown = utc + clock.offsetMsAt(utc);
        expect(clock.utcOf(shown, utc + 5_000)).toBe(utc);
      }
    }
  });

  test("the hour that comes twice is the later one, if that is not ahead of the receipt", () => {
    const berlin = clockOf("Europe/Berlin");
    const shown = at("2026-10-25T02:30:00Z");
    expect(berlin.utcOf(shown, at("2026-10-25T01:24:59Z"))).toBe(at("2026-10-25T00:30:00Z"));
    expect(berlin.utcOf(shown, at("2026-10-25T01:25:00Z"))).toBe(at("2026-10-25T01:30:00Z"));
    expect(berlin.utcOf(shown, at("2026-10-27T00:00:00Z"))).toBe(at("2026-10-25T01:30:00Z"));
  });

  test("the hour that is left out is of a clock that has not been changed yet", () => {
    expect(clockOf("Europe/Berlin").utcOf(at("2026-03-29T02:30:00Z"), 0)).toBe(at("2026-03-29T01:30:00Z"));
  });

  test.each([
    [10_800, "+03:00"],
    [-2_700, "-00:45"],
    [360, "+360s"],
    [-2_400, "-2400s"],
    [172_800, "+172800s"],
  ])("%p seconds are written as %p", (seconds, text) => expect(offsetText(seconds)).toBe(text));
});

describe("what to set", () => {
  const summer = at("2026-06-15T12:00:00Z");
  test.each([
    [null, 10_800, "UTC", "+03:00"],
    [null, 7_200, "Europe/Berlin", "Europe/Berlin"],
    [null, 3_600, "Europe/Berlin", "+01:00"],
    [null, 360, "Europe/Berlin", "+360s"],
    // It was set to what is not so.
    ["+03:00", -10_800, "UTC", "UTC"],
    ["+03:00", -3_600, "Europe/Berlin", "Europe/Berlin"],
    ["Europe/Berlin", 360, "Europe/Berlin", "+7560s"],
  ])("with %p set, %p seconds more in an account of %p: %p", (present, aheadS, zone, expected) =>
    expect(rightClock(present, aheadS, summer, zone)).toBe(expected),
  );
});
