/** As a whole number of small units: smaller on disk than a fraction, and added up without error. */
export function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : Math.round(value * factor);
}
