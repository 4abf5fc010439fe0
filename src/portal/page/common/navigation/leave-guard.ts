import { useEffect } from "react";

/** Called when a person wants to leave. `leave` does it. */
type OnLeave = (leave: () => void) => void;

let guard: OnLeave | null = null;

/** Whether the guard stops it for now. If so, the guard asks first and calls `leave` itself. */
export function isLeaveStopped(leave: () => void): boolean {
  if (guard === null) return false;
  guard(leave);
  return true;
}

/**
 * While it is on, leaving the view needs a confirmation: by a link, by the browser's Back, or by closing the tab. For the tab
 * the browser itself asks.
 */
export function useLeaveGuard(isOn: boolean, onLeave: OnLeave): void {
  useEffect(() => {
    if (!isOn) return;
    const confirmClose = (event: BeforeUnloadEvent) => event.preventDefault();
    guard = onLeave;
    addEventListener("beforeunload", confirmClose);
    return () => {
      guard = null;
      removeEventListener("beforeunload", confirmClose);
    };
  }, [isOn, onLeave]);
}
