import { expect, test } from "bun:test";
import { type HashCaller, HashQueue } from "../../src/access/hash-queue.ts";
import { until } from "../support/patience.ts";

const { signal } = new AbortController();
const stranger = (source: string): HashCaller => ({ source, isKnown: false, signal });
const known = (source: string): HashCaller => ({ source, isKnown: true, signal });

/** A queue whose hashes last until the test ends them, in the order in which they began. */
function heldQueue(pace: { atOnce?: number; waitMs?: number; knownWaitMs?: number; hashMs?: number } = {}) {
  const queue = new HashQueue({ atOnce: 1, waitMs: 60_000, knownWaitMs: 60_000, hashMs: 60_000, ...pace });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const codes: string[] = [];
  const ask = (caller: HashCaller, name: string) => {
    const hash = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    queue.run(caller, hash).catch(({ code }) => codes.push(`${name} ${code}`));
  };
  const finish = async (count: number) => {
    await Bun.sleep(0);
    for (let ended = 0; ended < count; ended++) {
      ends.shift()?.();
      await Bun.sleep(0);
    }
  };
  return { ask, begun, codes, finish };
}

test("so many passwords are hashed at once, and no more", async () => {
  const { ask, begun, finish } = heldQueue({ atOnce: 2 });
  for (let index = 0; index < 5; index++) ask(stranger("a"), `a${index}`);
  await Bun.sleep(0);
  expect(begun).toEqual(["a0", "a1"]);
  await finish(1);
  expect(begun).toEqual(["a0", "a1", "a2"]);
});

test("a stranger waits for one of each other address, however many these send", async () => {
  const { ask, begun, finish } = heldQueue();
  for (let index = 0; index < 20; index++) for (const source of ["a", "b", "c"]) ask(stranger(source), source);
  ask(stranger("honest"), "honest");
  await finish(4);
  expect(begun).toEqual(["a", "b", "c", "a", "honest"]);
});

test("an address without a turn comes before all that had one, in whatever order they came", async () => {
  const { ask, begun, finish } = heldQueue();
  for (let index = 0; index < 20; index++) for (const source of ["a", "b", "c"]) ask(stranger(source), source);
  await finish(4);
  ask(stranger("honest"), "honest");
  ask(stranger("other"), "other");
  ask(stranger("honest"), "honest again");
  await finish(6);
  expect(begun.slice(5)).toEqual(["honest", "other", "c", "a", "b", "honest again"]);
});

test("users who are known come first, but not so that a new browser never gets its turn", async () => {
  const { ask, begun, finish } = heldQueue();
  for (let index = 0; index < 3; index++) ask(stranger("strange"), "strange");
  for (let index = 0; index < 5; index++) ask(known("greedy"), "greedy");
  ask(known("modest"), "modest");
  await finish(7);
  expect(begun).toEqual(["strange", "greedy", "modest", "greedy", "strange", "greedy", "greedy", "greedy"]);
});

test("who gets no turn in time, or finds no room, is refused", async () => {
  const late = heldQueue({ waitMs: 1, knownWaitMs: 40 });
  late.ask(stranger("a"), "first");
  late.ask(known("b"), "known");
  late.ask(stranger("c"), "strange");
  await until(() => late.codes.length === 2);
  expect(late.codes).toEqual(["strange PASSWORDS_BUSY", "known PASSWORDS_BUSY"]);
  await late.finish(2);
  expect(late.begun).toEqual(["first"]);

  const full = heldQueue();
  for (let index = 0; index < 33; index++) full.ask(stranger("a"), `a${index}`);
  full.ask(stranger("b"), "b");
  await Bun.sleep(0);
  expect(full.codes).toEqual(["a31 PASSWORDS_BUSY", "a32 PASSWORDS_BUSY"]);
  await full.finish(2);
  expect(full.begun).toEqual(["a0", "a1", "b"]);
});

test("nothing is hashed for those who have hung up", async () => {
  const { ask, begun, codes, finish } = heldQueue();
  const leaving = new AbortController();
  ask(stranger("a"), "a");
  ask({ ...stranger("b"), signal: leaving.signal }, "waiting");
  ask(stranger("c"), "c");
  leaving.abort();
  ask({ ...stranger("b"), signal: leaving.signal }, "gone before");
  await finish(3);
  expect([begun, codes]).toEqual([
    ["a", "c"],
    ["waiting CLIENT_GONE", "gone before CLIENT_GONE"],
  ]);
});

test("a hash that fails makes room for the next", async () => {
  const queue = new HashQueue({ atOnce: 1, waitMs: 60_000, knownWaitMs: 60_000, hashMs: 60_000 });
  const failing = queue.run(stranger("a"), () => {
    throw new Error("no such algorithm");
  });
  const next = queue.run(stranger("b"), async () => "made");
  expect(failing).rejects.toThrow("no such algorithm");
  expect(await next).toBe("made");
});

test("a hash that takes too long is refused, and keeps its place until it ends", async () => {
  const { ask, begun, codes, finish } = heldQueue({ hashMs: 1 });
  ask(stranger("a"), "slow");
  ask(stranger("b"), "next");
  await until(() => codes.length > 0);
  expect([begun, codes]).toEqual([["slow"], ["slow PASSWORDS_BUSY"]]);
  await finish(1);
  expect(begun).toEqual(["slow", "next"]);
});
