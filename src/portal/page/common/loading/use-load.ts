import { type ComponentType, lazy, useCallback, useEffect, useState } from "react";
import type { CallTarget } from "../../../both-sides/address.ts";
import type { AnswerTo, ReadName } from "../../../both-sides/contract/contract.ts";
import { getJson, PortalError } from "../../api/request.ts";
import { useSession } from "../session.ts";

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

/** What the server answers. */
export function useAnswer<Name extends ReadName>(target: CallTarget<Name>): Loading<AnswerTo<Name>> {
  return useLoad(useCallback((signal: AbortSignal) => getJson(target, signal), [target]));
}

/** What is this old is loaded again when a page opens: vehicles and fences hardly ever change. */
const freshMs = 60_000;

/** Something that pages share: loaded once for all of them, and again for another person. */
export function sharedLoad<T>(load: () => Promise<T>) {
  let cached: { readonly userId: string; readonly at: number; readonly data: Promise<T> } | null = null;
  const fresh = (userId: string): Promise<T> => {
    if (cached === null || cached.userId !== userId || Date.now() - cached.at > freshMs) {
      const loading = { userId, at: Date.now(), data: load() };
      cached = loading;
      loading.data.catch(() => {
        if (cached === loading) cached = null;
      });
    }
    return cached.data;
  };
  /** Null until it is loaded, and if it cannot be. */
  const useShared = (): T | null => {
    const { user_id } = useSession().user;
    const [data, setData] = useState<T | null>(null);
    useEffect(() => {
      let isCurrent = true;
      fresh(user_id).then(
        (loaded) => isCurrent && setData(loaded),
        () => {},
      );
      return () => {
        isCurrent = false;
      };
    }, [user_id]);
    return data;
  };
  const forget = () => {
    cached = null;
  };
  return { useShared, forget, fresh };
}

/** A component that is loaded when it is first shown. If that fails, the server is away. */
export function loadable<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() =>
    load().catch(() => {
      throw new PortalError(0, "UNREACHABLE");
    }),
  );
}
