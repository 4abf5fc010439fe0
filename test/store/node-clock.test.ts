import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import { NodeClock } from "../../src/store/node-clock.ts";
import { onEachEngine } from "../support/engines.ts";

const hourMs = 3_600_000;
const trueNow = Date.now;
/** The store answers within this, however busy the machine is. */
const sameMs = 60_000;

let shiftMs = 0;
const shifted = spyOn(Date, "now").mockImplementation(() => trueNow() + shiftMs);
afterEach(() => {
  shiftMs = 0;
});
afterAll(() => shifted.mockRestore());

/** A millisecond may begin between two looks. */
function expectOwnTime(clock: NodeClock): void {
  const [before, now, after] = [Date.now(), clock.now(), Date.now()];
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(after);
}

onEachEngine("a node's clock", (engine) => {
  const store = engine.shared(async ({ database }) => database);

  for (const [words, hours] of [
    ["an hour ahead", 1],
    ["an hour behind", -1],
  ] as const) {
    test(`that is ${words} of the store's is corrected, and the operator is warned once`, async () => {
      const observations: Observation[] = [];
      const clock = new NodeClock(store(), (fact) => observations.push(fact));
      shiftMs = hours * hourMs;
      await clock.compare();
      await clock.compare();
      const warnings = observations.filter(({ kind }) => kind === "clock_differs");
      const [compared] = observations;
      const aheadSeconds = compared?.kind === "clock_compared" ? compared.aheadSeconds : null;
      if (engine.name === "sqlite") {
        // There is one node, and no other clock.
        expect([warnings, aheadSeconds]).toEqual([[], 0]);
        expectOwnTime(clock);
        return;
      }
      expect(warnings).toHaveLength(1);
      expect(Math.abs((aheadSeconds ?? 0) - hours * 3_600)).toBeLessThan(sameMs / 1000);
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);

      // Set right: at once, and not corrected a second time until they are compared.
      shiftMs = 0;
      expect(Number.isInteger(clock.now())).toBe(true);
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);
      await clock.compare();
      expect(Math.abs(clock.now() - trueNow())).toBeLessThan(sameMs);
      shiftMs = hours * hourMs;
      await clock.compare();
      expect(observations.filter(({ kind }) => kind === "clock_differs")).toHaveLength(2);
    });
  }

  test("that is a moment off is used as it is", async () => {
    const clock = new NodeClock(store(), () => {});
    shiftMs = 2_000;
    await clock.compare();
    expectOwnTime(clock);
  });
});
