import { useMemo } from "react";
import type { ReportColumn } from "../../both-sides/reports/columns.ts";
import { type ColumnSort, isSameSort, sortOf, sortText, toggleSort } from "../../both-sides/reports/sorting.ts";
import { useAddress } from "../common/navigation/address.ts";

export interface TableSort {
  readonly sort: ColumnSort;
  /** Whether it is the order in which the rows come. */
  readonly isDefault: boolean;
  readonly toggle: (column: Pick<ReportColumn<never>, "id" | "isNumeric">) => void;
  readonly reset: () => void;
}

/** The order of the table, in the address as `sort=-distance`. */
export function useSort(
  columns: readonly Pick<ReportColumn<never>, "id" | "value">[],
  defaultSort: ColumnSort,
): TableSort {
  const { get, set } = useAddress();
  const text = get("sort");
  const names = columns.filter(({ value }) => value !== undefined).map(({ id }) => id);
  const { column, isDescending } = sortOf(text, names, defaultSort);
  const sort = useMemo(() => ({ column, isDescending }), [column, isDescending]);
  return {
    sort,
    isDefault: isSameSort(sort, defaultSort),
    toggle: ({ id, isNumeric = false }) => set({ sort: sortText(toggleSort(sort, id, isNumeric), defaultSort) }),
    reset: () => set({ sort: null }),
  };
}
