import fc from "fast-check";
import { rounds } from "./rounds.ts";

/**
 * Tests that something holds for any values: for half of so many in `npm test`, for twice as many in the rest, and for four
 * times as many in a long run. A failure prints its seed, which `ODOGRAPH_TEST_SEED` sets.
 */
export function forAll<Values extends [unknown, ...unknown[]]>(
  runs: number,
  values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  holds: (...values: Values) => void,
): void {
  const seed = process.env.ODOGRAPH_TEST_SEED;
  fc.assert(
    fc.property(fc.tuple<Values>(...values), (given) => holds(...given)),
    { numRuns: rounds(Math.ceil(runs / 2), 4 * runs), ...(seed === undefined ? {} : { seed: Number(seed) }) },
  );
}
