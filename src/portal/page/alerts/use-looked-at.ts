import { useEffect } from "react";
import type { AlertFilter } from "./alert-filter.ts";
import { lookedAtAlerts } from "./open-alert-count.tsx";

/** Notes that the person has the newest alerts on the screen, each time that there are other ones. Not while the tab is hidden. */
export function useLookedAt(filter: AlertFilter | null, isReady: boolean, arrived: number): void {
  const isAll = filter !== null && hasAllNews(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrived since has been seen as well
  useEffect(() => {
    if (!isAll || !isReady) return;
    const note = () => {
      // The number in the navigation is older until the next time.
      if (document.visibilityState === "visible") lookedAtAlerts().catch(() => {});
    };
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [isAll, isReady, arrived]);
}

/** Whether nothing that the number counts is left out. Pure. */
function hasAllNews({ state, severities, alertType, vehicles, to }: AlertFilter): boolean {
  const shows = (severity: AlertFilter["severities"][number]) => severities.includes(severity);
  return (
    state !== "acknowledged" &&
    shows("critical") &&
    shows("warning") &&
    alertType === "" &&
    vehicles === null &&
    to === null
  );
}
