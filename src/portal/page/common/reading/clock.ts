import { useEffect, useState, useSyncExternalStore } from "react";

export type Clock = "account" | "utc";

const storedAs = "odograph-clock";
const listeners = new Set<() => void>();

function chosen(): Clock {
  return localStorage.getItem(storedAs) === "utc" ? "utc" : "account";
}

export function chooseClock(clock: Clock): void {
  localStorage.setItem(storedAs, clock);
  for (const listener of listeners) listener();
}

/** The time zone in which times are shown: the account's, or UTC as in the API. */
export function useClock(): Clock {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}

/** The present time, updated regularly, for times that are shown as an age. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
