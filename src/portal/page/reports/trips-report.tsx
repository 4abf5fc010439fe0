import type { Trip } from "../api/records.ts";
import { downloadLinks, downloadPath } from "./downloads.tsx";
import { listReport } from "./list-report.tsx";
import { listSource } from "./row-source.ts";
import { sum } from "./totals.ts";

/** Trips that began in the period, in the order of their starts. */
export const TripsReport = listReport<Trip>({
  words: ({ reports }) => ({ caption: reports.kinds.trips, count: reports.trips, empty: reports.noTrips }),
  defaultSort: { column: "start", isDescending: false },
  keyOf: ({ trip_id }) => trip_id,
  source: ({ list }) =>
    listSource<Trip, Trip>(list, {
      path: "trips",
      timeOf: ({ started_at }) => started_at,
      // A trip that began before the window is another window's, or another period's.
      rowsOf: (trips, window) => trips.filter(({ started_at }) => Date.parse(started_at) >= window.from),
    }),
  files: (scope, { reports }) => {
    const files = downloadLinks(scope, "trips", ["csv", "geojson", "gpx"]);
    if (scope.chosen.vehicles.length !== 1 || scope.list === null) return files;
    return [...files, { text: reports.track, path: downloadPath(scope, "positions", "gpx") }];
  },
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("start", words.start, ({ device_id, started_at }) => [device_id, started_at]),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.place("from", words.fromPlace, ({ start }) => start),
      write.place("to", words.toPlace, ({ end }) => end),
      write.time("end", words.end, ({ ended_at }) => ended_at, words.underWay, "time"),
      write.distance("distance", words.distance, ({ distance_km }) => distance_km, sum),
      write.duration("duration", words.duration, ({ duration_s }) => duration_s, sum),
      write.duration("idle", words.idle, ({ idle_s }) => idle_s, sum),
      write.speed("top-speed", words.topSpeed, ({ max_speed_kmh }) => max_speed_kmh),
    ];
  },
});
