import { getPage } from "../api/pages.ts";
import type { MileageRow } from "../api/records.ts";
import { dayAt, daysBetween, daysWindow, shiftDay } from "../common/days.ts";
import type { DrivenTotals } from "../yesterday/fleet-days.ts";
import { ListSource, type RowSource } from "./row-source.ts";
import type { ReadyScope } from "./scope.ts";
import { greatest, sum } from "./totals.ts";

export interface Driven extends DrivenTotals {
  readonly max_speed_kmh: number | null;
}

/** A day of all chosen vehicles together. */
export interface MileageDay extends Driven {
  readonly date: string;
  readonly vehicles: number;
}

/** So many rows are read at once, each a day of a vehicle: less than a second, and the first days are there. */
const rowsAtOnce = 4_000;

/** The mileage of each day, of all chosen vehicles together. */
export function daySource({ period, zone, list, devices }: ReadyScope): RowSource<MileageDay> {
  const { deviceId, ids } = list;
  const vehicles = deviceId === null ? Math.max(1, devices?.size ?? 1) : 1;
  const daysAtOnce = Math.min(365, Math.max(1, Math.floor(rowsAtOnce / vehicles)));
  const count = ids?.size === 0 ? 0 : Math.ceil(daysBetween(period.from, period.to) / daysAtOnce);
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

/** The days of these rows, in order. A vehicle counts if it drove. Pure. */
export function daysOf(rows: readonly MileageRow[]): MileageDay[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return [...byDate]
    .map(([date, own]) => ({
      date,
      vehicles: new Set(own.filter(({ distance_km }) => distance_km > 0).map(({ device_id }) => device_id)).size,
      distance_km: sum(own.map(({ distance_km }) => distance_km)),
      trip_count: sum(own.map(({ trip_count }) => trip_count)),
      driving_s: sum(own.map(({ driving_s }) => driving_s)),
      idle_s: sum(own.map(({ idle_s }) => idle_s)),
      max_speed_kmh: greatest(own.map(({ max_speed_kmh }) => max_speed_kmh)),
    }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}
