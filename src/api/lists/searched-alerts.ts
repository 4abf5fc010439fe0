import { leastPerDevice } from "../../store/account-walk.ts";
import {
  type AlertPage,
  type AlertRow,
  alerts,
  alertsByValue,
  areAlertsScanned,
  countAlerts,
  endOfAlerts,
  shareOfAlerts,
} from "../../store/facts/alerts.ts";
import type { SearchedList } from "./parts.ts";

const searched: Omit<SearchedList<AlertPage, never>, "read"> = {
  endOfPart: endOfAlerts,
  isScanned: areAlertsScanned,
  // Alerts of a device are searched for the first that matches.
  rowsPerDevice: async (reader, visibility, page) => leastPerDevice / (await shareOfAlerts(reader, visibility, page)),
};

export const searchedAlerts: SearchedList<AlertPage, readonly AlertRow[]> = {
  ...searched,
  read: alerts,
  atOnce: alertsByValue,
};

/** How many of them there are. */
export const countedAlerts: SearchedList<AlertPage, number> = { ...searched, read: countAlerts };
