import { useMemo } from "react";
import { changed } from "./changed-query.ts";
import { isAt, navigate, useRoute } from "./route.tsx";

/** What the address says: every filter is in it, so that a view can be saved, shared and returned to. */
export interface PageAddress {
  readonly get: (name: string) => string | null;
  readonly all: (name: string) => readonly string[];
  /** Changes some parameters; null and an empty list leave them out. Back skips the address before. */
  readonly set: (changes: Readonly<Record<string, string | readonly string[] | null>>) => void;
  readonly query: string;
}

export function useAddress(): PageAddress {
  const { path, query } = useRoute();
  const text = query.toString();
  return useMemo(() => {
    const present = new URLSearchParams(text);
    return {
      get: (name) => present.get(name),
      all: (name) => present.getAll(name),
      set: (changes) => {
        // Nobody who has left is brought back, e.g. by a moment of the playback that is kept a little later.
        if (!isAt(path)) return;
        const next = changed(present, changes).toString();
        navigate(next === "" ? path : `${path}?${next}`, { replace: true });
      },
      query: text,
    };
  }, [path, text]);
}
