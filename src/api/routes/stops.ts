import { Failure } from "../../domain/errors.ts";
import { areStopsScanned, endOfStops, type StopPage, type StopRow, stops } from "../../store/facts/stops.ts";
import { visibleGeofence } from "../../store/fleet/geofences.ts";
import type { TimeKey } from "../../store/pages.ts";
import { pointGeometry } from "../formats/geojson.ts";
import { geofenceId, minDurationS } from "../input/stop-filters.ts";
import { filterValue } from "../lists/paging.ts";
import { rowsInSight, type SearchedList } from "../lists/parts.ts";
import { windowedList } from "../lists/windowed-list.ts";
import { stop } from "../records/stop.ts";
import type { Route } from "../route.ts";

const searchedStops: SearchedList<StopPage, StopRow[]> = {
  endOfPart: endOfStops,
  read: stops,
  isScanned: areStopsScanned,
};

export const listStops: Route = windowedList<StopRow, TimeKey>({
  path: "/stops",
  operationId: "listStops",
  tag: "Trips",
  summary: "List stops",
  description:
    "Where vehicles stood between two trips, and where they have stood since the last one, in ascending start. A stop is in " +
    "the window if it overlaps it. Before a vehicle's first trip there is none.",
  scope: "trips:read",
  record: stop,
  example: "/stops?imei=356307042441013&min_duration_s=300&from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
  parameters: [geofenceId, minDurationS],
  formats: { geojson: { idField: "stop_id", geometryOf: pointGeometry } },
  async query(reader, visibility, page, requested, call) {
    const fence = filterValue(requested, geofenceId);
    // A tag narrows the stops, and not the geofences that may be named.
    if (fence !== null && (await visibleGeofence(call.database, call.visibility, fence)) === null) {
      throw new Failure("NOT_FOUND", "there is no such geofence");
    }
    const minSeconds = filterValue(requested, minDurationS);
    const minDurationMs = minSeconds === null ? null : minSeconds * 1000;
    return rowsInSight(reader, visibility, { ...page, geofenceId: fence, minDurationMs }, searchedStops);
  },
  keyOf: (row) => ({ at: row.started_at, id: row.id }),
});
