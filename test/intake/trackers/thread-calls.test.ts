import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/errors.ts";
import { ThreadCalls } from "../../../src/intake/trackers/thread/thread-calls.ts";

interface Sums {
  sum(one: number, other: number): Promise<number>;
  fail(code: "STORE_UNREACHABLE" | null): void;
}

/** Both ends in one thread, and what went over. */
function connect() {
  const texts: string[] = [];
  const own: Sums = {
    sum: async (one, other) => one + other,
    fail: (code) => {
      const cause = new Error("the cable is cut");
      throw code === null ? new Error("no", { cause }) : new Failure(code, "no answer");
    },
  };
  const here: ThreadCalls<object, Sums> = new ThreadCalls((text) => {
    texts.push(text);
    there.take(text);
  }, {});
  const there = new ThreadCalls<Sums, object>((text) => {
    texts.push(text);
    here.take(text);
  }, own);
  return { here, texts };
}

test("what is called in a turn goes over together, and each call gets its answer", async () => {
  const { here, texts } = connect();
  const sums = await Promise.all([here.call("sum", 1, 2), here.call("sum", 3, 4), here.call("sum", 5, 6)]);
  expect(sums).toEqual([3, 7, 11]);
  expect(texts.length).toBe(2);
  expect(await here.call("sum", 7, 8)).toBe(15);
});

test("a failure keeps its code, its words and the place where it happened", async () => {
  const { here } = connect();
  const failure = await here.call("fail", "STORE_UNREACHABLE").catch((error) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect([failure.code, failure.message]).toEqual(["STORE_UNREACHABLE", "no answer"]);
  const error = await here.call("fail", null).catch((thrown) => thrown);
  expect(error.message).toBe("no: the cable is cut");
  expect(error.stack).toContain("thread-calls.test.ts");
});

test("a caller that waits for a thread that is gone gets an error", async () => {
  const here = new ThreadCalls<object, Sums>(() => {}, {});
  const waiting = here.call("sum", 1, 2);
  here.end(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(here.call("sum", 1, 2)).rejects.toThrow("gone");
});
