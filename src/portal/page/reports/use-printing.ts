import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Prints all rows: those that are not loaded are loaded first, and all are drawn while the browser prints. */
export function usePrinting(
  hasAll: boolean,
  loadAll: () => void,
  setDrawn: (rows: number) => void,
): { readonly start: () => void; readonly isWaiting: boolean } {
  const [isWaiting, setWaiting] = useState(false);
  // Also if the browser's own menu prints: then it is all that is loaded.
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(Number.POSITIVE_INFINITY));
    addEventListener("beforeprint", drawAll);
    return () => removeEventListener("beforeprint", drawAll);
  }, [setDrawn]);
  useEffect(() => {
    if (!isWaiting || !hasAll) return;
    // After this rendering, which may have brought the last rows.
    const timer = setTimeout(() => {
      setWaiting(false);
      window.print();
    });
    return () => clearTimeout(timer);
  }, [isWaiting, hasAll]);
  const start = () => {
    loadAll();
    setWaiting(true);
  };
  return { start, isWaiting };
}
