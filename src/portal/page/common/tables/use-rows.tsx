import { useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";

/** Nobody scrolls through more rows: the others are found by search. So the page stays fast with thousands. */
const rowsAtOnce = 100;

/** The first rows of a list, and a button for more of them; false: all are shown. */
export function useFirstRows<Row>(all: readonly Row[], className = "button button-wide") {
  const { common, show } = useTexts();
  const [count, setCount] = useState(rowsAtOnce);
  const next = Math.min(rowsAtOnce, all.length - count);
  const more = next > 0 && (
    <button type="button" className={className} onClick={() => setCount(count + rowsAtOnce)}>
      {common.showMoreRows(show.number(next))}
    </button>
  );
  return { rows: all.slice(0, count), more };
}
