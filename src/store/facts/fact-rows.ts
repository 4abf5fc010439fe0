import type { Fact } from "../../domain/facts.ts";
import type { Row } from "../database.ts";
import type { DayOwner } from "../fact-table.ts";
import { alertTable } from "./alerts.ts";
import { geofenceEventTable } from "./geofence-events.ts";
import { mileageTable } from "./mileage.ts";
import { tripTable } from "./trips.ts";

export type { DayOwner } from "../fact-table.ts";

/** A fact and the time of the frame that completed it; null while it is open. */
export interface DatedFact {
  readonly fact: Fact;
  readonly finalAt: number | null;
}

/** Later than any frame. */
const notFinal = Number.MAX_SAFE_INTEGER;
/** No frame of a believable time is this early: facts with 0 are not derived from frames. */
export const earliestFinal = 1;

export function factRow(owner: DayOwner, { fact, finalAt }: DatedFact): Row {
  const final = finalAt ?? notFinal;
  switch (fact.kind) {
    case "trip":
      return tripTable.rowOf(owner, fact, final);
    case "crossing":
      return geofenceEventTable.rowOf(owner, fact, final);
    case "alert":
      return alertTable.rowOf(owner, fact, final);
    case "day":
      return mileageTable.rowOf(owner, fact, final);
  }
}
