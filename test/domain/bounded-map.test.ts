import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BoundedMap } from "../../src/domain/bounded-map.ts";
import { forAll } from "../support/for-all.ts";

const keys = fc.integer({ min: 0, max: 12 });
const move = fc.oneof(
  fc.record({ does: fc.constant("set" as const), key: keys, weight: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ does: fc.constantFrom("get" as const, "delete" as const), key: keys, weight: fc.constant(0) }),
  fc.record({ does: fc.constant("clear" as const), key: keys, weight: fc.constant(0) }),
);

interface Stored {
  readonly weight: number;
  readonly serial: number;
}

describe("a bounded map, whatever is done with it", () => {
  test("never weighs more than its bound, and gives what was set last or nothing", () => {
    forAll(500, [fc.integer({ min: 1, max: 20 }), fc.array(move, { maxLength: 80 })], (max, moves) => {
      const map = new BoundedMap<number, Stored>({ max, weigh: (_, { weight }) => weight });
      const set = new Map<number, Stored>();
      for (const [serial, { does, key, weight }] of moves.entries()) {
        const before = contents(map, set);
        if (does === "clear") map.clear();
        if (does === "clear") set.clear();
        if (does === "delete") expect(map.delete(key)).toBe(before.has(key));
        if (does === "delete") set.delete(key);
        if (does === "get") expect(map.get(key)).toBe(before.get(key));
        if (does === "set") {
          const value = { weight, serial };
          map.set(key, value);
          set.set(key, value);
          expect(map.get(key)).toBe(weight > max ? undefined : value);
        }
        const after = contents(map, set);
        expect(map.size).toBe(after.size);
        expect(map.weight).toBe(sum(after));
        expect(map.weight).toBeLessThanOrEqual(max);
      }
    });
  });

  test("lets go of no more than it must", () => {
    forAll(500, [fc.array(fc.record({ key: keys, weight: fc.integer({ min: 1, max: 9 }) }))], (sets) => {
      const max = 20;
      const map = new BoundedMap<number, Stored>({ max, weigh: (_, { weight }) => weight });
      const set = new Map<number, Stored>();
      for (const [serial, { key, weight }] of sets.entries()) {
        const before = contents(map, set);
        map.set(key, { weight, serial });
        set.set(key, { weight, serial });
        const after = contents(map, set);
        before.delete(key);
        const gone = [...before].filter(([old]) => !after.has(old)).map(([, stored]) => stored);
        // It stops with the first that makes enough room: with that one back, it would be over the bound.
        const heaviest = Math.max(...gone.map((stored) => stored.weight));
        if (gone.length > 0) expect(map.weight + heaviest).toBeGreaterThan(max);
      }
    });
  });

  test("keeps what is looked up again and again, however many others come", () => {
    forAll(500, [fc.integer({ min: 2, max: 50 }), fc.integer({ min: 1, max: 500 })], (max, others) => {
      const map = new BoundedMap<string, number>({ max });
      map.set("in use", 1);
      for (let other = 0; other < others; other++) {
        expect(map.get("in use")).toBe(1);
        map.set(`other ${other}`, other);
      }
      expect(map.size).toBe(Math.min(max, others + 1));
    });
  });
});

test("what is never looked up goes in the order in which it came", () => {
  const map = new BoundedMap<number, string>({ max: 3 });
  for (const key of [1, 2, 3, 4, 5]) map.set(key, "");
  expect([1, 2, 3, 4, 5].filter((key) => map.get(key) !== undefined)).toEqual([3, 4, 5]);
});

test("what there is nothing under is made once", () => {
  const map = new BoundedMap<string, object>({ max: 2 });
  const made = map.getOrMake("a", () => ({}));
  expect(map.getOrMake("a", () => ({}))).toBe(made);
});

/** What is in the map: of what was ever set, that which it still has. */
function contents(map: BoundedMap<number, Stored>, set: ReadonlyMap<number, Stored>): Map<number, Stored> {
  const found = new Map<number, Stored>();
  for (const [key, stored] of set) if (map.get(key) === stored) found.set(key, stored);
  return found;
}

function sum(stored: ReadonlyMap<number, Stored>): number {
  return [...stored.values()].reduce((total, { weight }) => total + weight, 0);
}
