import { useEffect } from "react";
import { type Loading, useLoad } from "./use-load.ts";

/** Loads again and again while the page is visible, each time a while after the last answer. */
export function useRepeatedLoad<T>(load: (signal: AbortSignal) => Promise<T>, everyMs: number): Loading<T> {
  const loading = useLoad(load);
  const { loaded, reload } = loading;
  useEffect(() => {
    if (loaded.state === "loading") return;
    const again = () => {
      if (!document.hidden) reload();
    };
    const timer = setTimeout(again, everyMs);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [loaded, reload, everyMs]);
  return loading;
}
