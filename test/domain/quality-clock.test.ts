import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  mergeReceivedTimes,
  type ReceivedTimes,
  recordedTime,
  repairRollover,
  timeProblem,
} from "../../src/domain/quality/clock.ts";
import { forAll } from "../support/for-all.ts";

const day = 86_400_000;
const weeks1024 = 1024 * 7 * day;
const received = Date.UTC(2026, 10, 15);
const beginOf2015 = Date.UTC(2015, 0, 1);

describe("a rolled-over GPS week", () => {
  test.each([1, 2])(
    "is repaired if it rolled over %p times and the result is within 90 days before receipt",
    (times) => {
      const sent = (repaired: number) => repaired - times * weeks1024;
      for (const ago of [0, 5_000, 89 * day, 90 * day, -1, -300_000]) {
        expect(repairRollover(sent(received - ago), received)).toBe(received - ago);
      }
      for (const ago of [90 * day + 1, 400 * day, -300_001, -90 * day]) {
        expect(repairRollover(sent(received - ago), received)).toBe(sent(received - ago));
      }
    },
  );

  test("is not one if it would have rolled over three times: GPS is not that old", () => {
    expect(repairRollover(received - 3 * weeks1024, received)).toBe(received - 3 * weeks1024);
  });

  test.each([
    ["1970", 0],
    ["a minute of 1970", 60_000],
    ["1980, when GPS began", Date.UTC(1980, 0, 6)],
    ["the first rollover, 1999", Date.UTC(1999, 7, 22)],
    ["2000", Date.UTC(2000, 0, 1)],
    ["the second rollover, 2019, once more", Date.UTC(2019, 3, 7) - weeks1024],
    ["far back", -Number.MAX_VALUE / 2],
  ])("is not invented: %s stays as it is", (_, at) => {
    for (const receivedAt of [received, Date.UTC(2024, 1, 29), Date.UTC(2035, 5, 1)]) {
      expect(repairRollover(at, receivedAt)).toBe(at);
      expect(timeProblem(at, { firstAt: receivedAt, timelyAt: null }, false)).toBe("time_invalid");
    }
  });

  test("is repaired to a time about the receipt, or not at all", () => {
    const anyTime = fc.integer({ min: -8.64e15, max: 8.64e15 });
    const near = fc.tuple(fc.integer({ min: -100 * day, max: day }), fc.constantFrom(0, 1, 2, 3));
    forAll(100, [fc.oneof(anyTime, near), fc.integer({ min: 0, max: 4e12 })], (drawn, receivedAt) => {
      const at = typeof drawn === "number" ? drawn : receivedAt + drawn[0] - drawn[1] * weeks1024;
      const repaired = repairRollover(at, receivedAt);
      if (repaired === at) return;
      expect([weeks1024, 2 * weeks1024]).toContain(repaired - at);
      expect(repaired).toBeGreaterThanOrEqual(receivedAt - 90 * day);
      expect(repaired).toBeLessThanOrEqual(receivedAt + 300_000);
    });
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
    ["a day ahead", received + day, received, "future_time"],
    ["a millisecond less than 400 days ago", received - 400 * day + 1, received, null],
    ["400 days ago", received - 400 * day, received, null],
    ["a millisecond more than 400 days ago", received - 400 * day - 1, received, "too_old"],
    ["the moment of its receipt", received, received, null],
  ] as const)("%s", (_, recordedAt, receivedAt, reason) => {
    expect(timeProblem(recordedAt, { firstAt: receivedAt, timelyAt: null }, false)).toBe(reason);
  });

  test("before 2015 is believed if someone vouches for it, and judged by its receipt like any other", () => {
    const at = Date.UTC(2009, 4, 1);
    const by = (firstAt: number) => timeProblem(at, { firstAt, timelyAt: null }, true);
    expect([by(at), by(at - 300_001), by(at + 400 * day + 1)]).toEqual([null, "future_time", "too_old"]);
  });
});

describe("several receipts of one frame", () => {
  const anyReceipt = fc.oneof(
    fc.integer({ min: received - 2 * weeks1024, max: received + 2 * weeks1024 }),
    fc.constantFrom(0, -300_000, 300_000, -300_001, 3_600_000, -3_600_000).map((ms) => received + ms),
    fc.constantFrom(90 * day, 90 * day + 1, 400 * day, 400 * day + 1).map((ms) => received - ms),
    fc.constantFrom(89, 90, 91).map((days) => received + days * day),
    fc.constantFrom(-2, -1, 1, 2).map((count) => received + count * weeks1024),
  );
  const anyTime = fc.oneof(
    fc.integer({ min: received - 3 * weeks1024, max: received + weeks1024 }),
    fc.constantFrom(0, weeks1024, 2 * weeks1024).map((ms) => received - ms),
  );
  const receiptsOf = (list: readonly number[], sentAt: number) =>
    list
      .map((firstAt): ReceivedTimes => ({ firstAt, timelyAt: null }))
      .reduce((one, other) => mergeReceivedTimes(sentAt, one, other));
  const problem = (sentAt: number, times: ReceivedTimes) => timeProblem(recordedTime(sentAt, times), times, false);

  test("judge it alike in whatever order they are joined", () => {
    forAll(
      100,
      [anyTime, fc.array(fc.tuple(anyReceipt, fc.nat()), { minLength: 1, maxLength: 6 })],
      (sentAt, receiptsInTurn) => {
        const receipts = receiptsInTurn.map(([at]) => at);
        const last = Math.max(...receipts);
        const joined = mergeReceivedTimes(sentAt, receiptsOf(receipts, sentAt), receiptsOf(receipts, sentAt));
        expect(joined.firstAt).toBe(Math.min(...receipts));
        // The first that repairs it decides; if none does, it is as sent, and from the future only if it always was.
        const repaired = receipts.toSorted((one, other) => one - other).map((at) => repairRollover(sentAt, at));
        const recordedAt = repaired.find((at) => at !== sentAt) ?? sentAt;
        expect(recordedTime(sentAt, joined)).toBe(recordedAt);
        const isFuture = recordedAt === sentAt && recordedAt >= beginOf2015 && recordedAt > last + 300_000;
        expect(problem(sentAt, joined) === "future_time").toBe(isFuture);
        // In another order, and in two parts that are joined.
        const shuffled = receiptsInTurn.toSorted(([, one], [, other]) => one - other).map(([at]) => at);
        const cut = (receiptsInTurn[0]?.[1] ?? 0) % shuffled.length;
        const parts = [shuffled.slice(0, cut), shuffled.slice(cut)]
          .filter(({ length }) => length > 0)
          .map((part) => receiptsOf(part, sentAt));
        expect(parts.reduce((one, other) => mergeReceivedTimes(sentAt, one, other), parts[0] as ReceivedTimes)).toEqual(
          joined,
        );
      },
    );
  });

  test("keep it believed once one of them made it so", () => {
    forAll(
      100,
      [anyTime, fc.array(anyReceipt, { minLength: 1, maxLength: 5 }), anyReceipt],
      (sentAt, receipts, more) => {
        const before = receiptsOf(receipts, sentAt);
        fc.pre(problem(sentAt, before) === null);
        const after = mergeReceivedTimes(sentAt, before, { firstAt: more, timelyAt: null });
        expect(problem(sentAt, after)).toBeNull();
      },
    );
  });
});
