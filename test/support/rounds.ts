import { circle } from "./circles.mjs";

const isLong = process.env.ODOGRAPH_TEST_ROUNDS === "long";

/** The rest has to end in a time that a release can wait for. */
const maxFactorInRest = 4;

/**
 * How often a test of random or repeated events goes on: in `npm test` enough to find a fault that was planted, in the rest up
 * to four times as often, and with `ODOGRAPH_TEST_ROUNDS=long` as often as someone has patience for.
 */
export function rounds(usual: number, long: number): number {
  if (isLong) return long;
  return circle() === "rest" ? Math.min(long, maxFactorInRest * usual) : usual;
}
