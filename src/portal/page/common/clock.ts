import { useEffect, useState, useSyncExternalStore } from "react";

export type Clock = "local" | "utc";

const storedAs = "odograph-clock";
const listeners = new Set<() => void>();

export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function chosen(): Clock {
  return localStorage.getItem(storedAs) === "utc" ? "utc" : "local";
}

export function chooseClock(clock: Clock): void {
  localStorage.setItem(storedAs, clock);
  for (const listener of listeners) listener();
}

/** By which clock times are shown: the viewer's own, or the one that the API speaks. */
export function useClock(): Clock {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}

/** The moment, renewed every so often, for what is told as an age. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
