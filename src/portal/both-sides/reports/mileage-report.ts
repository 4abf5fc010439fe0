import type { MileageRow } from "../contract/data.ts";
import type { VehicleDaysRecord } from "../contract/fleet-days.ts";
import { readPage } from "../lists.ts";
import { dayAt, daysBetween, daysWindow, shiftDay } from "../periods/days.ts";
import { fleetDaysAddress, momentPath } from "../periods/paths.ts";
import type { ColumnWriter } from "./columns.ts";
import { downloadLinks } from "./files/download-links.ts";
import { dayCell, figureCell } from "./files/file-cells.ts";
import type { ListReport } from "./report.ts";
import { ListSource, type RowSource } from "./row-source.ts";
import type { ReadyScope } from "./scope.ts";
import { type Driven, greatest, type MileageDay, mileageDaysOf, sumOfKnown } from "./totals.ts";

const vehiclesAtOnce = 200;

/** What the server calls the orders of the columns. */
const serverSorts: Readonly<Record<string, string>> = {
  vehicle: "name",
  distance: "distance",
  driving: "driving",
  idle: "idle",
  trips: "trips",
  "top-speed": "max_speed",
};

/** How far each vehicle drove. */
export const mileageByVehicle: ListReport<VehicleDaysRecord, Driven> = {
  words: ({ reports, common }) => ({
    caption: reports.kinds.mileage,
    count: common.vehicles,
    empty: reports.noVehicles,
  }),
  defaultSort: { column: "distance", isDescending: true },
  note: (_, { yesterday }) => [yesterday.belongs],
  isSortedByServer: true,
  keyOf: ({ device_id }) => device_id,
  source: ({ list, period, chosen, sort: { column, isDescending } }) => {
    const order = { sort: serverSorts[column] ?? "distance", order: isDescending ? "desc" : "asc" };
    const source = new ListSource<VehicleDaysRecord, VehicleDaysRecord, Driven>({
      windows: [list.window],
      async read(_, cursor, signal) {
        const page = { ...order, limit: String(vehiclesAtOnce), ...(cursor === null ? {} : { cursor }) };
        const found = await list.get(fleetDaysAddress({ period, ...chosen }, page), signal);
        // Every page has the totals of all vehicles.
        source.totals = found.totals;
        return found;
      },
      rowsOf: (rows) => rows,
      timeOf: null,
    });
    return source;
  },
  files: (scope) => downloadLinks(scope, "mileage", ["csv"]),
  columns: (write) => {
    const { reports: words, common } = write.texts;
    const { zone } = write.scope;
    const { distance, trips, driving, idle, topSpeed } = drivenColumns(write);
    return [
      {
        id: "vehicle",
        title: common.vehicle,
        isRowHeader: true,
        cell: ({ device_id, name, plate, first_trip_at: at }) => [
          at === null ? name : { kind: "link", to: momentPath(device_id, at, zone), text: name },
          ...(plate === null ? [] : [{ kind: "aside", text: plate } as const]),
        ],
        file: ({ name }) => name,
        beside: { title: words.plate, file: ({ plate }) => plate ?? "" },
        value: ({ name }) => name,
      },
      distance,
      trips,
      {
        id: "days",
        title: words.daysDriven,
        isNumeric: true,
        cell: (row) => write.show.number(row.days_driven),
        file: (row) => figureCell(row.days_driven),
      },
      driving,
      idle,
      {
        ...topSpeed,
        cell: (row) => {
          const { device_id, fastest_trip_at: at } = row;
          const text = topSpeed.cell(row);
          return at === null ? text : { kind: "link", to: `${momentPath(device_id, at, zone)}&find=speed`, text };
        },
      },
    ];
  },
};

/** How far all of them drove on each day. */
export const mileageByDay: ListReport<MileageDay> = {
  words: ({ reports }) => ({ caption: reports.kinds.mileage, count: reports.days, empty: reports.noMileage }),
  defaultSort: { column: "day", isDescending: false },
  note: (_, { yesterday }) => [yesterday.belongs],
  keyOf: ({ date }) => date,
  needsDevices: true,
  source: daySource,
  files: (scope) => downloadLinks(scope, "mileage", ["csv"]),
  columns: (write) => {
    const { reports: words } = write.texts;
    const deviceId = write.scope.list?.deviceId ?? null;
    /** One vehicle's day can be played back; a day of several is a report of its own. */
    const pathOf = (date: string) =>
      deviceId === null ? `/reports/mileage?from=${date}&to=${date}` : `/map/${deviceId}?day=${date}`;
    const { distance, trips, driving, idle, topSpeed } = drivenColumns(write);
    return [
      {
        id: "day",
        title: words.day,
        isRowHeader: true,
        cell: ({ date }) => ({ kind: "link", to: pathOf(date), text: write.show.day(date, "day") }),
        file: ({ date }) => dayCell(date),
        value: ({ date }) => Date.parse(date),
      },
      write.number("vehicles", words.vehiclesDriven, ({ vehicles }) => vehicles),
      distance,
      trips,
      driving,
      idle,
      topSpeed,
    ];
  },
};

/** So many rows are read at once, each a day of a vehicle: less than a second, and the first days are there. */
const rowsAtOnce = 4_000;

function daySource({ period, zone, list, devices }: ReadyScope): RowSource<MileageDay> {
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
      const parameters = { device_id: deviceId, from: first, to: end };
      return readPage(list.get, "reports/mileage", parameters, signal);
    },
    rowsOf(rows, { from, to }) {
      // Days of an earlier zone of the account overlap two windows: each is in the one of its date.
      const isFirst = from === windows[0]?.from;
      const isLast = to === windows.at(-1)?.to;
      const [first, end] = [dayAt(from, zone), dayAt(to, zone)];
      const own = rows.filter(({ date }) => (isFirst || date >= first) && (isLast || date < end));
      return mileageDaysOf(ids === null ? own : own.filter(({ device_id }) => ids.has(device_id)));
    },
    timeOf: null,
  });
}

function drivenColumns<Row extends Sums, Sums extends Driven>(write: ColumnWriter<Row, Sums>) {
  const { reports: words } = write.texts;
  return {
    distance: write.way("distance", words.distance, (row) => row, sumOfKnown),
    trips: write.number("trips", words.tripCount, ({ trip_count }) => trip_count, sumOfKnown),
    driving: write.duration("driving", words.driving, ({ driving_s }) => driving_s, sumOfKnown),
    idle: write.duration("idle", words.idle, ({ idle_s }) => idle_s, sumOfKnown),
    topSpeed: write.speed("top-speed", words.topSpeed, ({ max_speed_kmh }) => max_speed_kmh, greatest),
  };
}
