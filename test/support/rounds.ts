/** `npm test -- --rest --long` sets it; `ODOGRAPH_TEST_ROUNDS=long bun test FILE` does the same for one file. */
const isLong = process.env.ODOGRAPH_TEST_ROUNDS === "long";

/**
 * How often a test of random or repeated events goes on: in every run enough to find a fault that was planted, in a long
 * run as often as someone has patience for.
 */
export function rounds(usual: number, long: number): number {
  return isLong ? long : usual;
}
