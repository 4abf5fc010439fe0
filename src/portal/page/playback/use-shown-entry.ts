import { type RefObject, useEffect } from "react";
import { scrollNeeded } from "./scroll-needed.ts";

/**
 * Scrolls the list to the entry of the moment whenever that is another one. Only the list scrolls, never the page; and
 * not while somebody goes through it by keyboard.
 */
export function useShownEntry(list: RefObject<HTMLElement | null>, entry: string | null, isComplete: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: names of places that come later make the entries higher
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    if (!list.current || !shown || list.current.contains(document.activeElement)) return;
    const [outer, inner] = [list.current.getBoundingClientRect(), shown.getBoundingClientRect()];
    const top = scrollNeeded(outer, inner);
    if (top === 0) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    list.current.scrollBy({ top, behavior: isCalm ? "instant" : "smooth" });
  }, [list, entry, isComplete]);
}
