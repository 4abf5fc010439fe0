import { useCallback, useEffect, useState } from "react";

export type Loaded<T> =
  | { readonly state: "loading"; readonly data: T | null }
  | { readonly state: "ready"; readonly data: T }
  | { readonly state: "failed"; readonly data: T | null; readonly error: unknown };

export interface Loading<T> {
  readonly loaded: Loaded<T>;
  readonly reload: () => void;
  /** Changes what is shown without loading it again. */
  readonly replace: (change: (data: T) => T) => void;
}

/**
 * Loads something, and again whenever the function changes (wrap it in `useCallback`). The old data stays until the new
 * data is there, so that the page does not flicker.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading", data: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round loads the same thing again
  useEffect(() => {
    const abort = new AbortController();
    setLoaded(({ data }) => ({ state: "loading", data }));
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setLoaded({ state: "ready", data });
      },
      (error) => {
        if (!abort.signal.aborted) setLoaded(({ data }) => ({ state: "failed", data, error }));
      },
    );
    return () => abort.abort();
  }, [load, round]);
  const reload = useCallback(() => setRound((current) => current + 1), []);
  const replace = useCallback(
    (change: (data: T) => T) =>
      setLoaded((current) => (current.data === null ? current : { state: "ready", data: change(current.data) })),
    [],
  );
  return { loaded, reload, replace };
}
