import fc from "fast-check";
import { rowsInSight, type SearchedList } from "../../src/api/lists/parts.ts";
import { searchedAlerts } from "../../src/api/lists/searched-alerts.ts";
import { severities } from "../../src/domain/alert-types.ts";
import type { Visibility } from "../../src/domain/visibility.ts";
import { type AccountWalk, accountWalk } from "../../src/store/account-walk.ts";
import type { Reader } from "../../src/store/database.ts";
import type { AlertFilters, AlertRow } from "../../src/store/facts/alerts.ts";
import { endOfGeofenceEvents, type GeofenceEventRow, geofenceEvents } from "../../src/store/facts/geofence-events.ts";
import { areStopsScanned, endOfStops, type StopRow, stops } from "../../src/store/facts/stops.ts";
import { endOfTrips, type TripRow, trips } from "../../src/store/facts/trips.ts";
import type { TimeKey, TimePage } from "../../src/store/pages.ts";
import type { WalkedFleet, WalkedRow } from "./walked-fleet.ts";

type Page = TimePage<TimeKey>;
type ReadPage = (reader: Reader, visibility: Visibility, page: Page) => Promise<readonly WalkedRow[]>;

/** A list with filters: how it is read in parts, how in one statement, and which rows match. */
export interface FilteredList {
  readonly name: string;
  readonly inParts: (...asked: [...Parameters<ReadPage>, walk?: AccountWalk | null]) => ReturnType<ReadPage>;
  readonly atOnce: ReadPage;
  readonly matching: readonly WalkedRow[];
}

const hourMs = 3_600_000;
/** The first class of stops by length ends at 4 hours, the next ones at 16 and 64. */
const borders = [4, 16, 64].map((hours) => hours * hourMs);
const lengths = [0, 1, ...borders.flatMap((border) => [border - 1, border, border + 1]), 9_000 * hourMs];

/** Any of the four lists, with any filters. */
export function anyFilteredList({ rows, fence, emptyFence }: WalkedFleet): fc.Arbitrary<FilteredList> {
  const ofTrips = listOf<object, TripRow>("trips", rows.trips, { endOfPart: endOfTrips, read: trips }, () => true);
  const ofCrossings = listOf<object, GeofenceEventRow>(
    "crossings",
    rows.crossings,
    { endOfPart: endOfGeofenceEvents, read: geofenceEvents },
    () => true,
  );
  const ofStops = listOf(
    "stops",
    rows.stops,
    { endOfPart: endOfStops, read: stops, isScanned: areStopsScanned },
    (stop: StopRow, { geofenceId, minDurationMs }: { geofenceId: string | null; minDurationMs: number | null }) =>
      (geofenceId === null || stop.geofence_ids.split(" ").includes(geofenceId)) &&
      (minDurationMs === null || stop.duration_ms >= minDurationMs),
  );
  const ofAlerts = listOf(
    "alerts",
    rows.alerts,
    searchedAlerts,
    (alert: AlertRow, filters: AlertFiltersOfTest) =>
      (filters.acknowledged === null || filters.acknowledged === (alert.acknowledged_at !== null)) &&
      (filters.severity === null || filters.severity === alert.severity) &&
      (filters.alertType === null || filters.alertType === alert.alert_type) &&
      (filters.minValue === null || (alert.value ?? -1) >= filters.minValue),
  );
  return fc.oneof(
    fc.constant(ofTrips({})),
    fc.constant(ofCrossings({})),
    fc
      .record({
        geofenceId: fc.constantFrom(null, fence, emptyFence),
        minDurationMs: fc.constantFrom(null, ...lengths),
      })
      .map(ofStops),
    fc
      .record({
        acknowledged: fc.constantFrom(null, true, false),
        severity: fc.constantFrom(null, ...severities),
        alertType: fc.constantFrom(null, "speeding", "sos", "no such"),
        minValue: fc.constantFrom(null, 0, 990, 5_000),
      })
      .map(ofAlerts),
  );
}

type AlertFiltersOfTest = AlertFilters & { readonly minValue: number | null };

function listOf<Filters extends object, Row extends WalkedRow>(
  name: string,
  rows: readonly Row[],
  list: SearchedList<Page & Filters, readonly Row[]>,
  matches: (row: Row, filters: Filters) => boolean,
): (filters: Filters) => FilteredList {
  const { atOnce: _, ...searched } = list;
  return (filters) => ({
    name: `${name} ${JSON.stringify(filters)}`,
    inParts: (reader, visibility, page, walk = null) =>
      walk === null
        ? rowsInSight(reader, visibility, { ...page, ...filters }, list, accountWalk)
        : rowsInSight(reader, visibility, { ...page, ...filters }, searched, async () => walk),
    atOnce: (reader, visibility, page) => list.read(reader, visibility, { ...page, ...filters }),
    matching: rows.filter((row) => matches(row, filters)),
  });
}
