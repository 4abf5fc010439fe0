import type { Alert, GeofenceEvent, Stop } from "../contract/data.ts";
import { reportPath } from "../periods/paths.ts";
import { alertSeconds } from "./alerts-report.ts";
import { downloadLinks } from "./files/download-links.ts";
import type { ListReport } from "./report.ts";
import { alertSource, listSource } from "./row-source.ts";
import { sumOfKnown } from "./totals.ts";

export const crossingsReport: ListReport<GeofenceEvent> = {
  words: ({ reports }) => ({ caption: reports.kinds.crossings, count: reports.crossings, empty: reports.noCrossings }),
  defaultSort: { column: "time", isDescending: false },
  keyOf: ({ event_id }) => event_id,
  source: ({ list }) =>
    listSource(list, {
      name: "geofence-events",
      timeOf: ({ occurred_at }) => occurred_at,
      rowsOf: (events) => (list.fence ? events.filter(({ geofence_id }) => geofence_id === list.fence) : events),
    }),
  // The API's files are of all fences.
  files: (scope) => (scope.list?.fence ? [] : downloadLinks(scope, "geofence-events", ["csv", "geojson"])),
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("time", words.time, ({ device_id, occurred_at }) => [device_id, occurred_at]),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.text("fence", words.fence, ({ geofence_name }) => geofence_name),
      {
        ...write.text("event", words.event, ({ event_type }) => event_type),
        cell: ({ event_type }) => words.events[event_type],
        file: ({ event_type }) => words.events[event_type],
      },
      write.duration("dwell", words.dwell, ({ dwell_s }) => dwell_s, sumOfKnown),
    ];
  },
};

/** Stops of which some part is in the period, as in their file: a night is one of both days. */
export const stopsReport: ListReport<Stop> = {
  words: ({ reports }) => ({ caption: reports.stopViews.stops, count: reports.stops, empty: reports.noStops }),
  defaultSort: { column: "since", isDescending: false },
  keyOf: ({ stop_id }) => stop_id,
  source: ({ list }) =>
    listSource(list, {
      name: "stops",
      timeOf: ({ started_at }) => started_at,
      // A stop of two windows is one of the first.
      rowsOf: (stops, { from }) =>
        from === list.window.from ? stops : stops.filter(({ started_at }) => Date.parse(started_at) >= from),
    }),
  files: (scope) => downloadLinks(scope, "stops", ["csv", "geojson"]),
  note: (_, { reports }) => [reports.aboutStops],
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("since", words.since, ({ device_id, started_at }) => [device_id, started_at]),
      write.time("until", words.until, ({ ended_at }) => ended_at, words.goesOn),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.place("place", words.place, ({ latitude, longitude }) => ({ latitude, longitude })),
      write.duration("duration", words.duration, ({ duration_s }) => duration_s, sumOfKnown),
      write.duration("ignition", words.ignitionOn, ({ ignition_on_s }) => ignition_on_s, sumOfKnown),
    ];
  },
};

const idlingOnly = { alert_type: "idling" };

/** Where engines ran at a standstill. */
export const idlingReport: ListReport<Alert> = {
  words: ({ reports }) => ({ caption: reports.stopViews.idling, count: reports.times, empty: reports.noIdling }),
  defaultSort: { column: "since", isDescending: false },
  keyOf: ({ alert_id }) => alert_id,
  source: ({ list }) => alertSource(list, idlingOnly),
  files: (scope) => downloadLinks(scope, "alerts", ["csv", "geojson"], idlingOnly),
  note: ({ period, chosen }, { reports }) => {
    const to = reportPath("mileage", { period, ...chosen }, { sort: "-idle" });
    return [`${reports.aboutIdling} `, { kind: "link", to, text: reports.idlingByVehicle }];
  },
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("since", words.since, ({ device_id, occurred_at }) => [device_id, occurred_at]),
      write.time("until", words.until, ({ ended_at }) => ended_at, words.goesOn),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.place("place", words.place, ({ latitude, longitude }) =>
        latitude === null || longitude === null ? null : { latitude, longitude },
      ),
      write.duration("duration", words.duration, alertSeconds, sumOfKnown),
    ];
  },
};
