import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cadences, daysBefore, nextRun } from "../../src/domain/notifications/planned-report.ts";
import { dateOfDay, dayMs } from "../../src/domain/time/time.ts";
import { storedZone } from "../../src/domain/time/time-zone.ts";
import { forAll } from "../support/for-all.ts";

/** None that left out a day of its calendar, as Samoa once did: nobody plans a report of a day that was not. */
const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland", "Africa/Cairo", "America/Sao_Paulo"];
const instant = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2040, 0) });

describe("a planned report", () => {
  test("is about the last whole day, week or month", () => {
    const day = Date.UTC(2026, 10, 18) / dayMs;
    expect(daysBefore("day", day)).toEqual({ from: "2026-11-17", to: "2026-11-17" });
    expect(daysBefore("week", day)).toEqual({ from: "2026-11-09", to: "2026-11-15" });
    expect(daysBefore("month", day)).toEqual({ from: "2026-10-01", to: "2026-10-31" });
    const firstOfMarch = Date.UTC(2028, 2, 1) / dayMs;
    expect(daysBefore("month", firstOfMarch)).toEqual({ from: "2028-02-01", to: "2028-02-29" });
  });

  test("comes at its hour by the clock of the zone, also when clocks change", () => {
    const berlin = storedZone("Europe/Berlin");
    const at = (text: string) => Date.parse(text);
    expect(nextRun("day", 6, berlin, at("2026-10-24T12:00:00Z"))).toBe(at("2026-10-25T05:00:00Z"));
    expect(nextRun("week", 6, berlin, at("2026-11-16T05:00:00Z"))).toBe(at("2026-11-23T05:00:00Z"));
    expect(nextRun("month", 0, berlin, at("2026-10-31T22:30:00Z"))).toBe(at("2026-10-31T23:00:00Z"));
  });

  test("one after the other, their days have no gap and no overlap", () => {
    const values = [fc.constantFrom(...cadences), fc.nat(23), fc.constantFrom(...zones), instant] as const;
    forAll(300, [...values], (cadence, hour, name, begin) => {
      const zone = storedZone(name);
      let at = nextRun(cadence, hour, zone, begin);
      expect(at).toBeGreaterThan(begin);
      let days = daysBefore(cadence, zone.dayOf(at));
      for (let count = 0; count < 20; count++) {
        const next = nextRun(cadence, hour, zone, at);
        expect(next).toBeGreaterThan(at);
        const following = daysBefore(cadence, zone.dayOf(next));
        const dayAfter = dateOfDay(Date.parse(`${days.to}T00:00:00Z`) / dayMs + 1);
        expect(following.from).toBe(dayAfter);
        expect(following.to >= following.from).toBe(true);
        [at, days] = [next, following];
      }
    });
  });
});
