import { useCallback, useState } from "react";
import { type Conflict, conflictOf } from "./use-edit.ts";

export interface Seen {
  /** The one that the person has seen: that of the newest conflict, if there was one. */
  readonly revision: number;
  readonly conflict: Conflict | null;
  /** Returns whether the error says that somebody else was faster, which is then told. */
  readonly take: (error: unknown) => boolean;
  readonly forget: () => void;
}

/** For what is done to a record as a whole: after a conflict it is meant for what is stored now. */
export function useSeen(opened: number): Seen {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const take = useCallback((error: unknown) => {
    const found = conflictOf(error);
    if (found !== null) setConflict(found);
    return found !== null;
  }, []);
  const forget = useCallback(() => setConflict(null), []);
  return { revision: conflict?.revision ?? opened, conflict, take, forget };
}
