import { getPage } from "../api/pages.ts";
import type { MileageRow } from "../api/records.ts";
import { dayAt, daysBetween, daysWindow, shiftDay } from "../common/days.ts";
import { daysOf, type MileageDay } from "./mileage-days.ts";
import { ListSource, type RowSource } from "./row-source.ts";
import type { ReportScope } from "./scope.ts";

/** So many rows are read at once, each a day of a vehicle: less than a second, and the first days are there. */
const rowsAtOnce = 4_000;

/** The mileage of each day, of all chosen vehicles together. */
export function daySource({
  period,
  zone,
  list,
  devices,
}: Pick<ReportScope, "period" | "zone" | "list" | "devices">): RowSource<MileageDay> {
  if (list === null || list.ids?.size === 0) return new ListSource<MileageRow, MileageDay>(nothing);
  const { deviceId, ids } = list;
  const vehicles = deviceId === null ? Math.max(1, devices?.size ?? 1) : 1;
  const daysAtOnce = Math.min(365, Math.max(1, Math.floor(rowsAtOnce / vehicles)));
  const count = Math.ceil(daysBetween(period.from, period.to) / daysAtOnce);
  const windows = Array.from({ length: count }, (_, index) => {
    const first = shiftDay(period.from, index * daysAtOnce);
    const last = shiftDay(first, daysAtOnce - 1);
    return daysWindow(first, last < period.to ? last : period.to, zone);
  });
  return new ListSource<MileageRow, MileageDay>({
    windows,
    read({ from, to }, _, signal) {
      const [first, end] = [dayAt(from, zone), dayAt(to, zone)];
      return getPage<MileageRow>("reports/mileage", { device_id: deviceId, from: first, to: end }, signal);
    },
    rowsOf(rows, { from, to }) {
      // Days of an earlier zone of the account overlap two windows: each is in the one of its date.
      const isFirst = from === windows[0]?.from;
      const isLast = to === windows.at(-1)?.to;
      const [first, end] = [dayAt(from, zone), dayAt(to, zone)];
      const own = rows.filter(({ date }) => (isFirst || date >= first) && (isLast || date < end));
      return daysOf(ids === null ? own : own.filter(({ device_id }) => ids.has(device_id)));
    },
    timeOf: null,
  });
}

const nothing = {
  windows: [],
  read: async () => ({ data: [], next_cursor: null }),
  rowsOf: () => [],
  timeOf: null,
};
