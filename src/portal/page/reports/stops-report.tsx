import type { Alert, Trip } from "../api/records.ts";
import { Link } from "../common/navigation/route.tsx";
import { reportPath } from "../common/periods/paths.ts";
import { Time } from "../common/reading/time.tsx";
import { alertSeconds } from "./alerts-report.tsx";
import { downloadLinks } from "./downloads.tsx";
import { listReport, reportViews } from "./list-report.tsx";
import { eventSource, listSource } from "./row-source.ts";
import { type Stop, StopFinder } from "./stops.ts";
import { sum } from "./totals.ts";

const Stops = listReport<Stop>({
  words: ({ reports }) => ({ caption: reports.stopViews.stops, count: reports.stops, empty: reports.noStops }),
  // A stop is known when the next trip begins, so they come in the order of their ends.
  defaultSort: { column: "until", isDescending: false },
  keyOf: ({ deviceId, from }) => `${deviceId} ${from}`,
  source: ({ list }) => {
    const finder = new StopFinder(list.window, Date.now());
    return listSource<Trip, Stop>(list, {
      path: "trips",
      timeOf: ({ started_at }) => started_at,
      // A trip of two windows is one of the first.
      rowsOf: (trips, { from }) =>
        finder.add(from === list.window.from ? trips : trips.filter((trip) => Date.parse(trip.started_at) >= from)),
      lastRows: () => finder.rest(),
    });
  },
  files: (scope, { reports }) =>
    downloadLinks(scope, "trips", ["csv", "geojson"]).map(({ text, path }) => ({ text: reports.tripsAs(text), path })),
  note: (_, { reports }) => reports.aboutStops,
  columns: (write) => {
    const { reports: words, common } = write.texts;
    const since = write.moment("since", words.since, ({ deviceId, from }) => [deviceId, from]);
    return [
      {
        ...since,
        cell: (stop) => (
          <>
            {since.cell(stop)}
            {stop.isFromBefore && <span className="quiet"> {words.orEarlier}</span>}
          </>
        ),
      },
      {
        id: "until",
        title: words.until,
        cell: ({ to, goesOn }) => (goesOn ? words.goesOn : <Time at={to} />),
        value: ({ to }) => to,
      },
      write.vehicle(({ deviceId }) => [deviceId, common.unknown]),
      write.place("place", words.place, ({ place }) => place),
      write.duration("duration", words.duration, ({ from, to }) => (to - from) / 1000, sum),
    ];
  },
});

const idlingOnly = { alert_type: "idling" };

const Idling = listReport<Alert>({
  words: ({ reports }) => ({ caption: reports.stopViews.idling, count: reports.times, empty: reports.noIdling }),
  defaultSort: { column: "since", isDescending: false },
  keyOf: ({ alert_id }) => alert_id,
  source: ({ list }) => eventSource<Alert>(list, "alerts", idlingOnly),
  files: (scope) => downloadLinks(scope, "alerts", ["csv", "geojson"], idlingOnly),
  note: ({ period, chosen }, { reports }) => (
    <>
      {reports.aboutIdling}{" "}
      <Link to={reportPath("mileage", { period, ...chosen }, { sort: "-idle" })}>{reports.idlingByVehicle}</Link>
    </>
  ),
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("since", words.since, ({ device_id, occurred_at }) => [device_id, occurred_at]),
      write.time("until", words.until, ({ ended_at }) => ended_at, words.goesOn),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.place("place", words.place, ({ latitude, longitude }) =>
        latitude === null || longitude === null ? null : { latitude, longitude },
      ),
      write.duration("duration", words.duration, alertSeconds, sum),
    ];
  },
});

/** Where vehicles stood between their trips, or where their engines ran at a standstill. */
export const StopsReport = reportViews({ stops: Stops, idling: Idling }, ({ stopViews }) => stopViews);
