import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeReceivedTimes, type ReceivedTimes, repairRollover, timeProblem } from "../../src/domain/quality/clock.ts";

const day = 86_400_000;
const weeks1024 = 1024 * 7 * day;
const received = Date.UTC(2026, 10, 15);
const beginOf2015 = Date.UTC(2015, 0, 1);
const threshold = weeks1024 - 90 * day;

describe("a rolled-over GPS week", () => {
  test("is repaired from more than 1024 weeks less 90 days before the receipt", () => {
    expect(repairRollover(received - threshold, received)).toBe(received - threshold);
    expect(repairRollover(received - threshold + 1, received)).toBe(received - threshold + 1);
    expect(repairRollover(received - threshold - 1, received)).toBe(received + 90 * day - 1);
  });

  test("is repaired as often as it rolled over", () => {
    expect(repairRollover(received - 2 * weeks1024 - 5000, received)).toBe(received - 5000);
    expect(repairRollover(received - 3 * weeks1024, received)).toBe(received);
  });

  test("is repaired as by adding 1024 weeks again and again", () => {
    const anyTime = fc.integer({ min: -8.64e15, max: 8.64e15 });
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 0, max: 4e12 }), (at, receivedAt) => {
        let expected = at;
        while (receivedAt - expected > threshold) expected += weeks1024;
        expect(repairRollover(at, receivedAt)).toBe(expected);
      }),
    );
  });

  test("takes no time to look for, however far back it is said to be", () => {
    expect(Number.isFinite(repairRollover(-Number.MAX_VALUE / 2, received))).toBe(true);
  });
});

describe("a frame's time", () => {
  test.each([
    ["just before 2015", beginOf2015 - 1, beginOf2015, "time_invalid"],
    ["the first moment of 2015", beginOf2015, beginOf2015, null],
    ["before 2015 and long ago", beginOf2015 - 1, received, "time_invalid"],
    ["before 2015 and in the future", beginOf2015 - 1, 0, "time_invalid"],
    ["299.999 s ahead", received + 299_999, received, null],
    ["300 s ahead", received + 300_000, received, null],
    ["300.001 s ahead", received + 300_001, received, "future_time"],
    ["a millisecond less than 400 days ago", received - 400 * day + 1, received, null],
    ["400 days ago", received - 400 * day, received, null],
    ["a millisecond more than 400 days ago", received - 400 * day - 1, received, "too_old"],
    ["the moment of its receipt", received, received, null],
  ] as const)("%s", (_, recordedAt, receivedAt, reason) => {
    expect(timeProblem(recordedAt, { firstAt: receivedAt, timelyAt: null })).toBe(reason);
  });

  test("that is 1970 is invalid even after repair", () => {
    expect(timeProblem(repairRollover(0, received), { firstAt: received, timelyAt: null })).toBe("time_invalid");
  });
});

describe("several receipts of one frame", () => {
  const anyReceipt = fc.oneof(
    fc.integer({ min: received - 2 * weeks1024, max: received + 2 * weeks1024 }),
    fc.constantFrom(0, -300_000, 300_000, -300_001, 3_600_000, -3_600_000).map((ms) => received + ms),
    fc.constantFrom(90 * day, 90 * day + 1, 400 * day, 400 * day + 1).map((ms) => received - ms),
  );
  const anyTime = fc.oneof(
    fc.integer({ min: received - 3 * weeks1024, max: received + weeks1024 }),
    fc.constantFrom(0, weeks1024, 2 * weeks1024).map((ms) => received - ms),
  );

  test("judge it alike in whatever order they are joined: by the first, and as to the future by the last", () => {
    fc.assert(
      fc.property(anyTime, fc.array(fc.tuple(anyReceipt, fc.nat()), { minLength: 1, maxLength: 6 }), (sentAt, told) => {
        const receipts = told.map(([at]) => at);
        const first = Math.min(...receipts);
        const last = Math.max(...receipts);
        const joinAll = (list: readonly number[]) =>
          list
            .map((firstAt): ReceivedTimes => ({ firstAt, timelyAt: null }))
            .reduce((one, other) => mergeReceivedTimes(sentAt, one, other));
        const joined = mergeReceivedTimes(sentAt, joinAll(receipts), joinAll(receipts));
        expect(joined.firstAt).toBe(first);
        const recordedAt = repairRollover(sentAt, first);
        const isFuture = recordedAt >= beginOf2015 && recordedAt > last + 300_000;
        expect(timeProblem(recordedAt, joined) === "future_time").toBe(isFuture);
        // In another order, and in two parts that are joined.
        const shuffled = told.toSorted(([, one], [, other]) => one - other).map(([at]) => at);
        const cut = (told[0]?.[1] ?? 0) % shuffled.length;
        const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].filter(({ length }) => length > 0).map(joinAll);
        expect(parts.reduce((one, other) => mergeReceivedTimes(sentAt, one, other), parts[0] as ReceivedTimes)).toEqual(
          joined,
        );
      }),
    );
  });
});
