/** What stands below a column: made of its values, of which some may be unknown. Pure. */
export type Total = (values: readonly (number | null)[]) => number | null;

/** Unknown values add nothing. */
export function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** Null if none is known. */
export function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce((top, value) => (top === null || value === null ? (top ?? value) : Math.max(top, value)), null);
}
