import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs, formatInstant, parseInstant } from "../../src/domain/time/time.ts";
import { storedZone, utc } from "../../src/domain/time/time-zone.ts";
import { resolveWindow, windowDays } from "../../src/domain/time/window.ts";
import { forAll } from "../support/for-all.ts";

const berlin = storedZone("Europe/Berlin");
const now = Date.UTC(2026, 5, 15, 12, 34, 56, 789);
const earliest = parseInstant("0000-01-01") ?? Number.NaN;
const latest = parseInstant("9999-12-31T23:59:59.999Z") ?? Number.NaN;

/** Any time that a request can name, those near the ends and near now more often. */
const instant = fc.oneof(
  fc.integer({ min: earliest, max: latest }),
  fc.integer({ min: now - 400 * dayMs, max: now + 400 * dayMs }),
  fc.integer({ min: 0, max: 3 * dayMs }).map((offset) => earliest + offset),
  fc.integer({ min: 0, max: 3 * dayMs }).map((offset) => latest - offset),
);
const request = fc.record({
  from: fc.option(instant),
  to: fc.option(instant),
  maxSpanDays: fc.constantFrom(31, 366),
});

describe("a window", () => {
  test("is the last 24 hours if nothing is named, and a day before `to` if only that is", () => {
    expect(resolveWindow(null, null, now, 31)).toEqual({ fromMs: now - dayMs, toMs: now, clamped: false });
    expect(resolveWindow(null, 5 * dayMs, now, 31)).toEqual({ fromMs: 4 * dayMs, toMs: 5 * dayMs, clamped: false });
    expect(resolveWindow(now - 7, null, now, 31)).toEqual({ fromMs: now - 7, toMs: now, clamped: false });
  });

  test("of exactly the longest span is left as it is; of a millisecond more it loses the first one", () => {
    const spanMs = 31 * dayMs;
    expect(resolveWindow(now - spanMs, now, now, 31)).toEqual({ fromMs: now - spanMs, toMs: now, clamped: false });
    expect(resolveWindow(now - spanMs - 1, now, now, 31)).toEqual({ fromMs: now - spanMs, toMs: now, clamped: true });
  });

  test("that is empty or turned round is none", () => {
    expect(resolveWindow(now, now, now, 31)).toBeNull();
    expect(resolveWindow(now + 1, now, now, 31)).toBeNull();
    expect(resolveWindow(now, null, now, 31)).toBeNull();
    expect(resolveWindow(now + 1, null, now, 31)).toBeNull();
  });

  test("property: ends where it was asked to, begins where it was asked to or later, and is never too long", () => {
    forAll(100, [request], ({ from, to, maxSpanDays }) => {
      const window = resolveWindow(from, to, now, maxSpanDays);
      const askedTo = to ?? now;
      if (window === null) {
        expect((from ?? earliest) >= askedTo || askedTo === earliest).toBe(true);
        return;
      }
      expect(window.toMs).toBe(askedTo);
      expect(window.fromMs).toBeLessThan(window.toMs);
      expect(window.toMs - window.fromMs).toBeLessThanOrEqual(maxSpanDays * dayMs);
      if (from !== null) expect(window.fromMs).toBeGreaterThanOrEqual(from);
      expect(window.clamped).toBe(from !== null && window.fromMs > from);
      if (window.clamped) expect(window.toMs - window.fromMs).toBe(maxSpanDays * dayMs);
    });
  });

  test("property: both ends can be written, so that a next request can name them, and gives the same window", () => {
    forAll(100, [request], ({ from, to, maxSpanDays }) => {
      const window = resolveWindow(from, to, now, maxSpanDays);
      if (window === null) return;
      const [again, until] = [window.fromMs, window.toMs].map((ms) => parseInstant(formatInstant(ms)));
      expect(resolveWindow(again ?? null, until ?? null, 0, maxSpanDays)).toEqual({ ...window, clamped: false });
    });
  });
});

describe("the days of a window", () => {
  test("are those that it overlaps: one that it only touches is not among them", () => {
    const days = (fromMs: number, toMs: number) => windowDays({ fromMs, toMs, clamped: false }, utc);
    expect(days(3 * dayMs, 5 * dayMs)).toEqual({ fromDay: 3, untilDay: 5 });
    expect(days(3 * dayMs - 1, 5 * dayMs + 1)).toEqual({ fromDay: 2, untilDay: 6 });
    expect(days(3 * dayMs, 3 * dayMs + 1)).toEqual({ fromDay: 3, untilDay: 4 });
    expect(days(-1, 1)).toEqual({ fromDay: -1, untilDay: 1 });
  });

  test("are those of the zone", () => {
    const day = berlin.dayOf(Date.UTC(2026, 2, 29, 12));
    const days = (fromMs: number, toMs: number) => windowDays({ fromMs, toMs, clamped: false }, berlin);
    expect(days(Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22))).toEqual({ fromDay: day, untilDay: day + 1 });
    expect(days(Date.UTC(2026, 2, 28, 23) - 1, Date.UTC(2026, 2, 29, 22) + 1)).toEqual({
      fromDay: day - 1,
      untilDay: day + 2,
    });
    expect(berlin.startOf(day + 1) - berlin.startOf(day)).toBe(23 * 3_600_000);
  });

  test("property: a day is among them if and only if some moment of it is in the window", () => {
    const span = fc.tuple(
      fc.integer({ min: -3 * dayMs, max: 3 * dayMs }),
      fc.oneof(fc.integer({ min: 1, max: 4 * dayMs }), fc.constantFrom(1, dayMs, 2 * dayMs)),
    );
    const zone = fc.constantFrom(utc, berlin, storedZone("Asia/Kolkata"), storedZone("Pacific/Honolulu"));
    forAll(100, [zone, span, fc.integer({ min: -5, max: 9 })], (zone, [fromMs, lengthMs], day) => {
      const toMs = fromMs + lengthMs;
      const { fromDay, untilDay } = windowDays({ fromMs, toMs, clamped: false }, zone);
      const overlaps = zone.startOf(day) < toMs && zone.startOf(day + 1) > fromMs;
      expect(day >= fromDay && day < untilDay).toBe(overlaps);
    });
  });
});
