/** Random tests can be run again: the seed is printed, and `ODOGRAPH_TEST_SEED` sets it. */
export function announcedSeed(of: string): number {
  const given = process.env.ODOGRAPH_TEST_SEED;
  const seed = given === undefined ? Math.floor(Math.random() * 1_000_000) : Number(given);
  console.log(`${of}: ODOGRAPH_TEST_SEED=${seed}`);
  return seed;
}
