import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatChange, formatGroup, parseChange, parseGroup } from "../../src/domain/changes/change-text.ts";
import {
  allTime,
  type ChangedPeriod,
  type DeviceChange,
  DeviceChangeBuilder,
  mergedChange,
} from "../../src/domain/changes/device-change.ts";
import { type TrackedType, trackedTypes } from "../../src/domain/changes/types.ts";
import { dayOf } from "../../src/domain/time/time.ts";
import { forAll } from "../support/for-all.ts";

const step = fc.record({
  type: fc.constantFrom(...trackedTypes),
  at: fc.integer({ min: 0, max: 10_000_000 }),
  length: fc.integer({ min: 0, max: 5_000 }),
});
const removal = fc.record({ type: fc.constantFrom(...trackedTypes), id: fc.uuid() });

type Steps = readonly { readonly type: TrackedType; readonly at: number; readonly length: number }[];
type Removals = readonly { readonly type: TrackedType; readonly id: string }[];

function built(steps: Steps, removals: Removals): DeviceChange {
  const builder = new DeviceChangeBuilder();
  for (const { type, at, length } of steps) builder.add(type, at, at + length);
  for (const { type, id } of removals) builder.remove(type, [id]);
  return builder.build();
}

function covers(periods: readonly ChangedPeriod[] | undefined, from: number, until: number): boolean {
  return periods?.some(([start, end]) => start <= from && until <= end) ?? false;
}

function holds(change: DeviceChange, steps: Steps, removals: Removals): void {
  for (const { type, at, length } of steps) expect(covers(change.periods[type], at, at + length)).toBe(true);
  for (const { type, id } of removals) expect(change.removed[type]).toContain(id);
  for (const type of trackedTypes) {
    const periods = change.periods[type] ?? [];
    expect(periods.length).toBeLessThanOrEqual(32);
    for (const [index, [from]] of periods.entries()) {
      if (index > 0) expect(from).toBeGreaterThan((periods[index - 1] as ChangedPeriod)[1]);
    }
  }
}

describe("what has changed of a device", () => {
  test("property: covers all that was added, in few periods that are apart", () => {
    forAll(100, [fc.array(step, { maxLength: 200 }), fc.array(removal, { maxLength: 5 })], (steps, removals) => {
      holds(built(steps, removals), steps, removals);
    });
  });

  test("property: is read as it was written, and two of them are one that covers both", () => {
    const many = fc.array(step, { maxLength: 60 });
    const gone = fc.array(removal, { maxLength: 3 });
    forAll(100, [many, gone, many, gone, fc.nat(10_000_000)], (steps, removals, others, otherRemovals, at) => {
      const [one, other] = [built(steps, removals), built(others, otherRemovals)];
      expect(parseChange(formatChange(one, at), at)).toEqual(one);
      holds(mergedChange(one, other), [...steps, ...others], [...removals, ...otherRemovals]);
    });
  });

  test("is a short text if it is about one period of each type, and nothing was removed", () => {
    const at = Date.UTC(2026, 0, 1, 9);
    const usual = new DeviceChangeBuilder().add("position", at - 1_500).add("trip", at - 65_000, at - 64_993);
    expect(formatChange(usual.add("mileage", dayOf(at)).build(), at)).toBe("p-1500t-65000+7m0");
    expect(formatChange(new DeviceChangeBuilder().add("alert", ...allTime).build(), at)).toBe(`a-${at}+${2 ** 53 - 1}`);
    const gone = usual.remove("trip", ["t1"]).build();
    expect(formatChange(gone, at)).toBe(
      `{"p":[${at - 1_500},${at - 1_500}],"t":[${at - 65_000},${at - 64_993}],"-t":["t1"],"m":[20454,20454]}`,
    );
  });

  test("property: of several devices in one text is read as it was written", () => {
    const one = fc.record({
      device: fc.integer({ min: 1, max: 2 ** 40 }),
      text: fc.constantFrom("", "p-5m0", "p7+9t-1"),
    });
    forAll(100, [fc.uniqueArray(one, { selector: ({ device }) => device })], (changes) => {
      const inOrder = changes.toSorted((one, other) => other.device - one.device);
      expect(parseGroup(formatGroup(inOrder))).toEqual(inOrder);
    });
  });

  test("names only what has changed: two moments far apart are two periods", () => {
    const change = new DeviceChangeBuilder().add("position", 1_000).add("position", 86_400_000).build();
    expect(change.periods.position).toEqual([
      [1_000, 1_000],
      [86_400_000, 86_400_000],
    ]);
  });
});
