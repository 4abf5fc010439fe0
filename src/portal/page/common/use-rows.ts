import { useState } from "react";

/** Nobody scrolls through more rows: the others are found by search. So the page stays fast with thousands. */
const rowsAtOnce = 100;

export function useRows<Row>(all: readonly Row[]) {
  const [count, setCount] = useState(rowsAtOnce);
  return {
    rows: all.slice(0, count),
    /** How many come next; 0: all are shown. */
    nextRows: Math.min(rowsAtOnce, Math.max(0, all.length - count)),
    showMore: () => setCount(count + rowsAtOnce),
  };
}
