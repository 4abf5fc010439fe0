import { useSyncExternalStore } from "react";

/** Whether the screen is as a media query says, while the page is open. */
export function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}
