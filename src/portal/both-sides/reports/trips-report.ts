import type { Trip } from "../contract/data.ts";
import type { DriverSumsRecord } from "../contract/fleet-days.ts";
import { driverSumsAddress, reportPath } from "../periods/paths.ts";
import { driversIn, noDriver } from "./drivers.ts";
import { downloadAddress, downloadLinks } from "./files/download-links.ts";
import type { ListReport } from "./report.ts";
import { type ListScope, ListSource, listSource, type RowSource } from "./row-source.ts";
import { greatest, sumOfKnown } from "./totals.ts";

/** Trips that began in the period, in the order of their starts. */
export const tripsReport: ListReport<Trip> = {
  words: ({ reports }) => ({ caption: reports.kinds.trips, count: reports.trips, empty: reports.noTrips }),
  defaultSort: { column: "start", isDescending: false },
  keyOf: ({ trip_id }) => trip_id,
  source: ({ list }) => tripSource(list),
  files: (scope, { reports }) => {
    const files = downloadLinks(scope, "trips", ["csv", "geojson", "gpx"]);
    if (scope.chosen.vehicles.length !== 1 || scope.list === null) return files;
    return [...files, { text: reports.track, target: downloadAddress(scope, "positions", "gpx") }];
  },
  note: ({ list, period, chosen }, { reports }) => {
    const driver = list?.driver ?? null;
    if (driver === null) return [reports.aboutTrips];
    const who = driver === noDriver ? reports.noDriver : reports.onlyDriver(driver);
    const all = { kind: "link", to: reportPath("trips", { period, ...chosen }), text: reports.anyDriver } as const;
    return [`${who} · `, all, ` · ${reports.aboutTrips}`];
  },
  columns: (write) => {
    const { reports: words, common } = write.texts;
    const driver = write.text("driver", words.driver, (trip) =>
      driversIn(trip)
        .map((name) => name ?? common.unknown)
        .join(", "),
    );
    return [
      write.moment("start", words.start, ({ device_id, started_at }) => [device_id, started_at]),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      ...(write.scope.hasDrivers ? [driver] : []),
      write.place("from", words.fromPlace, ({ start }) => start),
      write.place("to", words.toPlace, ({ end }) => end),
      write.time("end", words.end, ({ ended_at }) => ended_at, words.underWay, "time"),
      write.way("distance", words.distance, (trip) => trip, sumOfKnown),
      write.duration("duration", words.duration, ({ duration_s }) => duration_s, sumOfKnown),
      write.duration("idle", words.idle, ({ idle_s }) => idle_s, sumOfKnown),
      write.speed("top-speed", words.topSpeed, ({ max_speed_kmh }) => max_speed_kmh),
    ];
  },
};

/** Of the days, as the report of mileage: a trip over midnight is part of both. */
export const tripsByDriver: ListReport<DriverSumsRecord> = {
  words: ({ reports }) => ({ caption: reports.tripViews.drivers, count: reports.drivers, empty: reports.noTrips }),
  defaultSort: { column: "distance", isDescending: true },
  keyOf: ({ driver }) => driver ?? noDriver,
  source: ({ list, period, chosen }) =>
    new ListSource<DriverSumsRecord, DriverSumsRecord>({
      windows: [list.window],
      async read(_, __, signal) {
        const { data } = await list.get(driverSumsAddress({ period, ...chosen }), signal);
        return { data, next_cursor: null };
      },
      rowsOf: (rows) => rows,
      timeOf: null,
    }),
  files: (scope) => downloadLinks(scope, "trips", ["csv"]),
  note: (_, { yesterday }) => [yesterday.belongs],
  columns: (write) => {
    const { reports: words } = write.texts;
    const { period, chosen } = write.scope;
    const nameOf = ({ driver }: DriverSumsRecord) => driver ?? words.noDriver;
    const pathOf = ({ driver }: DriverSumsRecord) =>
      reportPath("trips", { period, ...chosen }, { driver: driver ?? noDriver });
    return [
      {
        ...write.text("driver", words.driver, nameOf),
        isRowHeader: true,
        cell: (row) => ({ kind: "link", to: pathOf(row), text: nameOf(row) }),
      },
      write.way("distance", words.distance, (row) => row, sumOfKnown),
      write.number("trips", words.tripCount, ({ trip_count }) => trip_count, sumOfKnown),
      write.number("vehicles", words.vehiclesDrivenBy, ({ vehicle_count }) => vehicle_count),
      write.duration("driving", words.driving, ({ driving_s }) => driving_s, sumOfKnown),
      write.duration("idle", words.idle, ({ idle_s }) => idle_s, sumOfKnown),
      write.speed("top-speed", words.topSpeed, ({ max_speed_kmh }) => max_speed_kmh, greatest),
    ];
  },
};

function tripSource(list: ListScope): RowSource<Trip> {
  const { driver } = list;
  const isWanted = (trip: Trip) => driver === null || driversIn(trip).some((one) => (one ?? noDriver) === driver);
  return listSource(list, {
    name: "trips",
    timeOf: ({ started_at }) => started_at,
    // A trip that began before the window is another window's, or another period's.
    rowsOf: (trips, window) => trips.filter((trip) => Date.parse(trip.started_at) >= window.from && isWanted(trip)),
  });
}
