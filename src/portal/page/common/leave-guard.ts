import { useEffect } from "react";

/** Told of a wish to leave, with the way to follow it after all. */
type OnLeave = (leave: () => void) => void;

let guard: OnLeave | null = null;

/** Whether somebody has to be asked first; if so, they are. */
export function isHeldBack(leave: () => void): boolean {
  if (guard === null) return false;
  guard(leave);
  return true;
}

/**
 * For as long as it is on, nobody leaves the view unasked: not by a link, nor by the browser's Back, nor by closing the tab.
 * Of the last only the browser itself can ask.
 */
export function useLeaveGuard(isOn: boolean, onLeave: OnLeave): void {
  useEffect(() => {
    if (!isOn) return;
    const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();
    guard = onLeave;
    addEventListener("beforeunload", keepOpen);
    return () => {
      guard = null;
      removeEventListener("beforeunload", keepOpen);
    };
  }, [isOn, onLeave]);
}
