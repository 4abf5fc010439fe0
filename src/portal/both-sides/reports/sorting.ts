/** The order of a table: by which column, and which way. Pure. */
export interface ColumnSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** `-distance` is the greatest distance first. An unknown column gives the default order. */
export function sortOf(text: string | null, columns: readonly string[], defaultSort: ColumnSort): ColumnSort {
  const isDescending = text?.startsWith("-") ?? false;
  const column = isDescending ? text?.slice(1) : text;
  return column && columns.includes(column) ? { column, isDescending } : defaultSort;
}

/** As it is in the address; null for the default order. */
export function sortText({ column, isDescending }: ColumnSort, defaultSort: ColumnSort): string | null {
  if (isSameSort({ column, isDescending }, defaultSort)) return null;
  return isDescending ? `-${column}` : column;
}

export function isSameSort(one: ColumnSort, other: ColumnSort): boolean {
  return one.column === other.column && one.isDescending === other.isDescending;
}

/** Numbers begin with the greatest, texts and times with the first. Sorting by the present column reverses it. */
export function toggleSort(present: ColumnSort, column: string, beginsWithGreatest: boolean): ColumnSort {
  if (present.column === column) return { column, isDescending: !present.isDescending };
  return { column, isDescending: beginsWithGreatest };
}

export type SortValue = number | string | null;

/** Unknown values come last, either way. Rows of the same value keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  isDescending: boolean,
  compareTexts: (one: string, other: string) => number,
): Row[] {
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: sortBy(row) }));
  keyed.sort(({ value: one }, { value: other }) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === "number" && typeof other === "number") return sign * (one - other);
    return sign * compareTexts(String(one), String(other));
  });
  return keyed.map(({ row }) => row);
}
