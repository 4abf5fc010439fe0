import { useEffect, useRef, useState } from "react";
import type { WaitingTask } from "./files/downloads.tsx";

/** Begins something that needs all rows: those that are not loaded are loaded first. */
export function useWhenLoaded(
  hasAll: boolean,
  loadAll: () => void,
  work: () => unknown,
  failure: unknown = null,
): WaitingTask {
  const [isWaiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const newest = useRef(work);
  newest.current = work;
  useEffect(() => {
    // The page says why the rows do not come.
    if (isWaiting && failure !== null) setWaiting(false);
  }, [isWaiting, failure]);
  useEffect(() => {
    if (!isWaiting || !hasAll) return;
    // After this rendering, which may have brought the last rows.
    const timer = setTimeout(async () => {
      try {
        await newest.current();
      } catch (cause) {
        setError(cause);
      }
      setWaiting(false);
    });
    return () => clearTimeout(timer);
  }, [isWaiting, hasAll]);
  const start = () => {
    setError(null);
    loadAll();
    setWaiting(true);
  };
  return { start, isWaiting, error };
}
