/** As a whole number of small units: smaller on disk than a fraction, and exact in sums. */
export function scaled<Amount extends number | null>(
  value: Amount,
  factor: number,
): Amount extends null ? null : number;
export function scaled(value: number | null, factor: number): number | null {
  // There is no -0 in a table, and none without one.
  return value === null ? null : Math.round(value * factor) + 0;
}
