import { dayMs, dayOf } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";

export interface HistoryPart {
  readonly from: number;
  readonly until: number;
}

/** The demo's vehicles drive around Berlin, and their days are those of its people. */
export const demoZone = "Europe/Berlin";

/** So little is made at once: it is not worth a part of its own. */
const shortMs = dayMs / 2;

/**
 * From when on the demo's history is there before it is served: since yesterday began, which is the portal's first page.
 */
export function servedSince({ from }: Pick<HistoryPart, "from">, now: number): number {
  const zone = storedZone(demoZone);
  const yesterday = zone.startOf(zone.dayOf(now) - 1);
  return yesterday - from < shortMs ? from : yesterday;
}

/** The next part of a history that is made from its end: a vehicle's days in the simulator begin at the same hours. */
export function partBefore(until: number, from: number): HistoryPart {
  return { from: Math.max(from, dayOf(until - 1) * dayMs), until };
}
