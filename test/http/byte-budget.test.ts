import { expect, test } from "bun:test";
import fc from "fast-check";
import { ByteBudget } from "../../src/http/byte-budget.ts";
import { forAll } from "../support/for-all.ts";

const tooMany = expect.objectContaining({ code: "TOO_MANY_UPLOADS", headers: { "Retry-After": "5" } });
const overloaded = expect.objectContaining({ code: "UNAVAILABLE" });

test("one holder alone gets half of the budget, and another one still half of what is left", () => {
  const budget = new ByteBudget(1_000);
  const [greedy, more, other] = [budget.open("a"), budget.open("a"), budget.open("b")];
  greedy.take(400);
  more.take(100);
  expect(() => more.take(1)).toThrow(tooMany);
  expect(() => more.require(1)).toThrow(tooMany);
  other.take(250);
  // Its only upload is not too many: others are in its way.
  expect(() => other.take(1)).toThrow(overloaded);
});

test("one sender of a holder leaves room for a body of another, and none of this changes what others have", () => {
  const budget = new ByteBudget(1_000, 125);
  // As many small bodies as fit, however they are cut.
  for (let times = 0; times < 15; times++) budget.open("a", "one").take(25);
  expect(() => budget.open("a", "one").take(1)).toThrow(tooMany);
  budget.open("a", "two").take(125);
  expect(() => budget.open("a", "two").take(1)).toThrow(tooMany);
  expect(() => budget.open("a", "three").take(1)).toThrow(overloaded);
  // The same name elsewhere is somebody else. It may have half of its account's part, which is small now.
  budget.open("b", "one").take(125);
  expect(() => budget.open("b", "one").take(1)).toThrow(tooMany);
  budget.open("b", "two").take(125);
});

test("what is released can be taken again, and asking takes nothing", () => {
  const budget = new ByteBudget(1_000);
  for (let times = 0; times < 3; times++) {
    const lease = budget.open("a");
    lease.require(500);
    lease.take(500);
    lease.release();
    lease.release();
  }
});

test("whatever others hold, there is room for another holder, and never more than the budget is held", () => {
  const taking = fc.record({ holder: fc.integer({ min: 0, max: 8 }), bytes: fc.integer({ min: 1, max: 400 }) });
  forAll(100, [fc.array(taking, { maxLength: 200 })], (takings) => {
    const budget = new ByteBudget(10_000);
    let held = 0;
    const holders = new Set<number>();
    for (const { holder, bytes } of takings) {
      try {
        budget.open(String(holder)).take(bytes);
        held += bytes;
        holders.add(holder);
      } catch (error) {
        expect([tooMany, overloaded]).toContainEqual(error);
      }
    }
    expect(held).toBeLessThanOrEqual(10_000);
    budget.open("somebody new").take(Math.floor(10_000 / (2 * (holders.size + 1))));
  });
});
