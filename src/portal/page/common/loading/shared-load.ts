import { useEffect, useState } from "react";
import { useSession } from "../session.ts";

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
  return { useShared, forget };
}
