import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { acknowledgedAlerts, fewAcknowledgements } from "../../store/facts/acknowledged-alerts.ts";
import {
  type AlertPage,
  type AlertRow,
  alerts,
  areAlertsScanned,
  countAlerts,
  endOfAlerts,
} from "../../store/facts/alerts.ts";
import { inParts, type OtherWay, type SearchedList } from "./parts.ts";

export const searchedAlerts: SearchedList<AlertPage, readonly AlertRow[]> = {
  endOfPart: endOfAlerts,
  read: alerts,
  isScanned: areAlertsScanned,
  otherWay: (reader, visibility, page) => fromAcknowledgements(reader, visibility, page, (rows) => rows),
};

/** How many of them there are. */
export const countedAlerts: SearchedList<AlertPage, number> = {
  endOfPart: endOfAlerts,
  read: countAlerts,
  isScanned: areAlertsScanned,
  otherWay: (reader, visibility, page) => fromAcknowledgements(reader, visibility, page, (rows) => rows.length),
};

/** The alert of an acknowledgement is looked up in the time in which so many alerts are searched. */
const rowsPerLookUp = 4;

/** Of all alerts, few may be acknowledged, and none of those in sight. */
async function fromAcknowledgements<Rows>(
  reader: Reader,
  visibility: Visibility,
  { acknowledged, device }: AlertPage,
  of: (rows: AlertRow[]) => Rows,
): Promise<OtherWay<AlertPage, Rows> | null> {
  if (acknowledged !== true || device !== null) return null;
  const count = await fewAcknowledgements(reader, visibility);
  if (count === null) return null;
  return { maxRows: rowsPerLookUp * count, read: async (rest) => of(await lookedUp(reader, visibility, rest)) };
}

async function lookedUp(reader: Reader, visibility: Visibility, page: AlertPage): Promise<AlertRow[]> {
  let found: AlertRow[] = [];
  const part = (place: string | null) => acknowledgedAlerts(reader, visibility, page, place);
  for await (const { rows } of inParts(part)) {
    found = [...found, ...rows].toSorted(inOrderOfList).slice(0, page.count);
  }
  return found;
}

function inOrderOfList(one: AlertRow, other: AlertRow): number {
  return one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : 1);
}
