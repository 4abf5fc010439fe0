/** What loading did to the records of one type. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

export function emptyTally(): Tally {
  return { added: 0, changed: 0, unchanged: 0 };
}

/** Sorts rows into new ones, those that differ from the store, and those that do not. */
export function difference<Wanted extends object>(
  wanted: readonly Wanted[],
  stored: ReadonlyMap<string, object>,
  keyOf: (row: Wanted) => string,
): { readonly toSave: Wanted[]; readonly tally: Tally } {
  const tally = emptyTally();
  const toSave = wanted.filter((row) => {
    const before = stored.get(keyOf(row));
    const outcome = before === undefined ? "added" : sameFields(before, row) ? "unchanged" : "changed";
    tally[outcome]++;
    return outcome !== "unchanged";
  });
  return { toSave, tally };
}

/** Whether every field of `wanted` has the same value in `stored`. */
function sameFields(stored: object, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => (stored as Record<string, unknown>)[name] === value);
}
