import { storedZone } from "../../domain/time/time-zone.ts";
import { type TimeWindow, windowDays } from "../../domain/time/window.ts";
import type { MileageRange, ZoneDayRange } from "../../store/facts/mileage.ts";
import { type AccountZones, accountZones } from "../../store/fleet/accounts.ts";
import { reportFrom, reportTo } from "../input/parameters.ts";
import type { ListWindow } from "./window.ts";

/** Of reports by days of the account's time zone. */
export const reportWindow: ListWindow = {
  from: reportFrom,
  to: reportTo,
  maxDays: 366,
  async zoneOf({ database, visibility }) {
    return storedZone((await accountZones(database, visibility.accountId)).present);
  },
};

/** The days that a window overlaps, in each zone that they may be counted by. */
export function daysOfWindow({ present, earlier }: AccountZones, window: TimeWindow): MileageRange["days"] {
  return [daysIn(present, window), ...earlier.map((zone) => daysIn(zone, window))];
}

function daysIn(timeZone: string, window: TimeWindow): ZoneDayRange {
  return { timeZone, ...windowDays(window, storedZone(timeZone)) };
}
