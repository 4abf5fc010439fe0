import { endOfTrips, type TripRow, trips } from "../../store/facts/trips.ts";
import { tripsDrivenBy } from "../../store/facts/trips-by-driver.ts";
import type { TimeKey } from "../../store/pages.ts";
import { startToEnd } from "../formats/geojson.ts";
import { openRoutes } from "../formats/gpx.ts";
import { drivenBy } from "../input/driver-filter.ts";
import { filterValue } from "../lists/paging.ts";
import { rowsInSight } from "../lists/parts.ts";
import { windowedList } from "../lists/windowed-list.ts";
import { trip } from "../records/trip.ts";
import type { Route } from "../route.ts";

export const listTrips: Route = windowedList<TripRow, TimeKey>({
  path: "/trips",
  operationId: "listTrips",
  tag: "Trips",
  summary: "List trips",
  description: "Trips in ascending start. A trip is in the window if it overlaps it.",
  scope: "trips:read",
  record: trip,
  example: "/trips?imei=356307042441013&from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
  formats: { geojson: { idField: "trip_id", geometryOf: startToEnd }, gpx: openRoutes },
  parameters: [drivenBy],
  query(reader, visibility, page, requested) {
    const driverId = filterValue(requested, drivenBy);
    if (driverId !== null) return tripsDrivenBy(reader, visibility, page, driverId);
    return rowsInSight(reader, visibility, page, { endOfPart: endOfTrips, read: trips });
  },
  keyOf: (row) => ({ at: row.started_at, id: row.id }),
});
