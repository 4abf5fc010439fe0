import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { superfluous } from "../../src/derive/checkpoints.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 0, 1);

const times = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 3 * dayMs }), fc.integer({ min: 0, max: 500 * dayMs })), { maxLength: 300 })
  .map((ages) => [...new Set(ages)].sort((one, other) => other - one).map((age) => now - age));

describe("of the states that are kept of a fold", () => {
  test("the first and the eight newest stay, whatever else goes", () => {
    fc.assert(
      fc.property(times, (all) => {
        const dropped = new Set(superfluous(all));
        for (const at of [...all.slice(0, 1), ...all.slice(-8)]) expect(dropped.has(at)).toBe(false);
        for (const at of dropped) expect(all).toContain(at);
      }),
    );
  });

  test("those that stay are as far apart as their age allows, so that they are few", () => {
    fc.assert(
      fc.property(times, (all) => {
        const dropped = new Set(superfluous(all));
        const newest = all.at(-1) ?? 0;
        const older = all.slice(0, -8).filter((at) => !dropped.has(at));
        for (const [index, at] of older.entries()) {
          const before = older[index - 1];
          const age = newest - at;
          const apart = age <= 2 * dayMs ? hourMs : age <= 40 * dayMs ? dayMs : 30 * dayMs;
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(apart);
        }
        // Two days by the hour, forty by the day, the rest of 500 by the month, and eight.
        expect(all.length - dropped.size).toBeLessThanOrEqual(48 + 40 + 17 + 8 + 3);
      }),
    );
  });

  test("none goes that is needed: where one was, there is another not much earlier", () => {
    fc.assert(
      fc.property(times, (all) => {
        const dropped = new Set(superfluous(all));
        const kept = all.filter((at) => !dropped.has(at));
        const newest = all.at(-1) ?? 0;
        for (const at of dropped) {
          const age = newest - at;
          const apart = age <= 2 * dayMs ? hourMs : age <= 40 * dayMs ? dayMs : 30 * dayMs;
          const before = kept.findLast((other) => other <= at);
          expect(at - (before ?? Number.NEGATIVE_INFINITY)).toBeLessThan(apart);
        }
      }),
    );
  });

  test("thinning again thins nothing more", () => {
    fc.assert(
      fc.property(times, (all) => {
        const dropped = new Set(superfluous(all));
        expect(superfluous(all.filter((at) => !dropped.has(at)))).toEqual([]);
      }),
    );
  });
});
