export interface CheckItem {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  /** What it is found by besides its name and its detail. */
  readonly also?: string;
}

/** Those that match the search, by name. Those of `first` come before all others: what is chosen must be in sight. */
export function foundItems(
  items: readonly CheckItem[],
  search: string,
  first: ReadonlySet<string>,
  compare: (one: string, other: string) => number,
): CheckItem[] {
  const wanted = search.trim().toLowerCase();
  const rank = ({ id }: CheckItem) => (first.has(id) ? 0 : 1);
  return items
    .filter(({ name, detail, also = "" }) => `${name}\n${detail}\n${also}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other) || compare(one.name, other.name));
}
