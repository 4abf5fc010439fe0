import { useMemo } from "react";
import { useAddress } from "../common/address.ts";
import type { Column } from "./column.ts";
import { isSameSort, pressed, type Sort, sortOf, sortText } from "./sorting.ts";

export interface TableSort {
  readonly sort: Sort;
  /** Whether it is the order in which the rows come. */
  readonly isUsual: boolean;
  readonly press: (column: Pick<Column<never>, "id" | "isFigure">) => void;
  readonly reset: () => void;
}

/** The order of the table, in the address as `sort=-distance`. */
export function useSort(columns: readonly Pick<Column<never>, "id" | "value">[], usual: Sort): TableSort {
  const { get, set } = useAddress();
  const text = get("sort");
  const names = columns.filter(({ value }) => value !== undefined).map(({ id }) => id);
  const { column, isDescending } = sortOf(text, names, usual);
  const sort = useMemo(() => ({ column, isDescending }), [column, isDescending]);
  return {
    sort,
    isUsual: isSameSort(sort, usual),
    press: ({ id, isFigure = false }) => set({ sort: sortText(pressed(sort, id, isFigure), usual) }),
    reset: () => set({ sort: null }),
  };
}
