import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AddressMeter } from "../../src/access/address-meter.ts";
import { Counter, meterReading } from "../../src/access/meter.ts";
import { dayMs } from "../../src/domain/time/time.ts";

const midnight = Date.UTC(2026, 5, 15);
const limits = { perSecond: 3, perDay: 5 };

/** Takes a slot of the second and one of the day, as a plain call does. */
function call(counter: Counter, now: number): "passed" | "second" | "day" {
  if (!counter.takeSecond(limits, now)) return "second";
  return counter.takeDay(limits, now) ? "passed" : "day";
}

function calls(counter: Counter, times: readonly number[]): string[] {
  return times.map((now) => call(counter, now));
}

describe("a meter", () => {
  test("starts anew at the turn of the clock's second, not a second after the first call", () => {
    const counter = new Counter();
    const late = midnight + 1_999;
    expect(calls(counter, [late, late, late, late])).toEqual(["passed", "passed", "passed", "second"]);
    expect(counter.read(limits, late).remainingSecond).toBe(0);
    expect(counter.read(limits, late + 1).remainingSecond).toBe(3);
    expect(call(counter, late + 1)).toBe("passed");
  });

  test("a lowered limit shows nothing left, never less than nothing", () => {
    expect(meterReading({ perSecond: 1, perDay: 1 }, { day: 7, second: 9 }, midnight)).toEqual({
      day: midnight / dayMs,
      limitPerDay: 1,
      remainingDay: 0,
      resetSeconds: 86_400,
      limitPerSecond: 1,
      remainingSecond: 0,
    });
  });

  test("property: the reset is in whole seconds, 1 to 86,400, and that many later it is another day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * dayMs }), (offset) => {
        const now = midnight + offset;
        const { resetSeconds } = meterReading(limits, { day: 0, second: 0 }, now);
        expect(resetSeconds).toBeWithin(1, 86_401);
        expect(Math.floor((now + resetSeconds * 1_000) / dayMs)).toBe(Math.floor(now / dayMs) + 1);
        expect(Math.floor((now + (resetSeconds - 1) * 1_000) / dayMs)).toBe(Math.floor(now / dayMs));
      }),
    );
  });

  test("property: never more pass than each second and each day allow, even if calls are counted a little late", () => {
    const step = fc.record({ onMs: fc.integer({ min: 0, max: 700 }), lateMs: fc.integer({ min: 0, max: 900 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const counter = new Counter();
        // Around midnight, so that both windows turn.
        let clock = midnight + dayMs - 6_000;
        const passed: { second: number; day: number }[] = [];
        for (const { onMs, lateMs } of steps) {
          clock += onMs;
          if (call(counter, clock - lateMs) !== "passed") continue;
          passed.push({ second: counter.window.second, day: counter.read(limits, clock - lateMs).day });
        }
        for (const [, some] of Map.groupBy(passed, ({ second }) => second)) {
          expect(some.length).toBeLessThanOrEqual(limits.perSecond);
        }
        for (const [, some] of Map.groupBy(passed, ({ day }) => day)) {
          expect(some.length).toBeLessThanOrEqual(limits.perDay);
        }
      }),
    );
  });
});

describe("calls without a valid key", () => {
  const spend = (meter: AddressMeter, address: string, times: number, now = midnight) =>
    Array.from({ length: times }, () => meter.spend(address, now).refusal);

  test("reading a meter uses nothing of it", () => {
    const meter = new AddressMeter();
    expect(meter.read("192.0.2.1", midnight)).toEqual(meter.read("192.0.2.1", midnight));
    expect(meter.read("192.0.2.1", midnight)).toEqual({
      day: midnight / dayMs,
      limitPerDay: 50_000,
      remainingDay: 50_000,
      resetSeconds: 86_400,
      limitPerSecond: 10,
      remainingSecond: 10,
    });
  });

  test("end for the day when its requests are used up", () => {
    const meter = new AddressMeter();
    for (let second = 0; second < 5_000; second++) spend(meter, "192.0.2.1", 10, midnight + second * 1_000);
    expect(spend(meter, "192.0.2.1", 1, midnight + 5_000_000)).toEqual(["day"]);
    expect(spend(meter, "192.0.2.1", 1, midnight + dayMs)).toEqual([null]);
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["2001:db8::1", "2001:db8:0:0:1::", true],
    ["2001:db8::1", "2001:db8:0:1::1", false],
    ["::1", "::2", true],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.2", false],
    ["192.0.2.1", "192.0.2.2", false],
  ])("from %s and %s: in one /64 of IPv6, or of one IPv4 address: %p", (one, other, isSame) => {
    const meter = new AddressMeter();
    spend(meter, one, 10);
    expect(spend(meter, other, 1)).toEqual([isSame ? "second" : null]);
  });

  test("cannot fill the memory: however many addresses call, the meter goes on counting", () => {
    const meter = new AddressMeter();
    for (let index = 0; index < 120_000; index++)
      meter.spend(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, midnight);
    expect(spend(meter, "192.0.2.1", 11).at(-1)).toBe("second");
  });
});
