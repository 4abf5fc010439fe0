import { expect, test } from "bun:test";
import { SharedStatement } from "../../src/store/shared-statement.ts";

/** A statement that answers when the test says so. */
function controlled(max = 100) {
  const under: { questions: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  let begun = Promise.withResolvers<void>();
  const statement = new SharedStatement<number, string>({
    max,
    run: async (questions) => {
      const end = Promise.withResolvers<void>();
      under.push({ questions, end });
      begun.resolve();
      begun = Promise.withResolvers();
      await end.promise;
      return questions.map((question) => `answer ${question}`);
    },
  });
  const next = () => begun.promise;
  return { statement, under, next };
}

test("those who ask together share a statement, and each gets its own answer", async () => {
  const { statement, under, next } = controlled();
  const begun = next();
  const answers = Promise.all([1, 2, 3].map((question) => statement.ask(question)));
  await begun;
  under[0]?.end.resolve();
  expect(await answers).toEqual(["answer 1", "answer 2", "answer 3"]);
  expect(under.map(({ questions }) => questions)).toEqual([[1, 2, 3]]);
});

test("a caller that asks while one is under way waits for the next: no answer is older than its question", async () => {
  const { statement, under, next } = controlled();
  let begun = next();
  const first = statement.ask(1);
  await begun;
  const later = [statement.ask(2), statement.ask(3)];
  begun = next();
  under[0]?.end.resolve();
  expect(await first).toBe("answer 1");
  await begun;
  under[1]?.end.resolve();
  expect(await Promise.all(later)).toEqual(["answer 2", "answer 3"]);
  expect(under.map(({ questions }) => questions)).toEqual([[1], [2, 3]]);
});

test("nobody waits for ever, whenever the question comes", async () => {
  const statement = new SharedStatement<number, number>({ max: 3, run: async (questions) => questions });
  const ask = async (question: number, microtasks: number) => {
    for (let count = 0; count < microtasks; count++) await null;
    return statement.ask(question);
  };
  for (let round = 0; round < 200; round++) {
    // Asked in each of the microtasks around the end of the one before.
    await statement.ask(0);
    const asked = Array.from({ length: 12 }, (_, index) => index);
    expect(await Promise.all(asked.map((index) => ask(index, index)))).toEqual(asked);
  }
});

test("takes no more than it may at once", async () => {
  const sizes: number[] = [];
  const run = async (questions: readonly number[]) => {
    sizes.push(questions.length);
    return questions;
  };
  const statement = new SharedStatement<number, number>({ max: 4, run });
  await Promise.all(Array.from({ length: 10 }, (_, index) => statement.ask(index)));
  expect(sizes).toEqual([4, 4, 2]);
});

test("a failure is everybody's who shares it, and nobody else's", async () => {
  let isFailing = true;
  const run = async (questions: readonly number[]) => {
    if (isFailing) throw new Error("gone");
    return questions;
  };
  const statement = new SharedStatement<number, number>({ max: 10, run });
  const outcomes = await Promise.allSettled([statement.ask(1), statement.ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isFailing = false;
  expect(await statement.ask(3)).toBe(3);
});

test("rests after one that several shared, so that more share the next; who asks alone does not wait", async () => {
  const sizes: number[] = [];
  const rests: PromiseWithResolvers<void>[] = [];
  const statement = new SharedStatement<number, number>({
    max: 10,
    run: async (questions) => {
      sizes.push(questions.length);
      return questions;
    },
    rest: () => {
      const rest = Promise.withResolvers<void>();
      rests.push(rest);
      return rest.promise;
    },
  });
  await statement.ask(1);
  await Promise.all([statement.ask(2), statement.ask(3)]);
  const later = [statement.ask(4)];
  // A turn of the loop, in which a statement without a rest would begin.
  await new Promise((resolve) => setImmediate(resolve));
  later.push(statement.ask(5));
  rests[0]?.resolve();
  expect(await Promise.all(later)).toEqual([4, 5]);
  expect(sizes).toEqual([1, 2, 2]);
});
