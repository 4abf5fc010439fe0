import {
  type AlertPage,
  type AlertRow,
  alerts,
  areAlertsScanned,
  countAlerts,
  endOfAlerts,
} from "../../store/facts/alerts.ts";
import type { SearchedList } from "./parts.ts";

const searched: Omit<SearchedList<AlertPage, never>, "read"> = {
  endOfPart: endOfAlerts,
  isScanned: areAlertsScanned,
  // All alerts of a device are searched for the first that matches.
  rowsPerDevice: ({ acknowledged, severity, alertType }) =>
    acknowledged === null && severity === null && alertType === null ? 3 : 50,
};

export const searchedAlerts: SearchedList<AlertPage, readonly AlertRow[]> = { ...searched, read: alerts };

/** How many of them there are. */
export const countedAlerts: SearchedList<AlertPage, number> = { ...searched, read: countAlerts };
