import { getJson } from "../api/request.ts";
import type { VehicleDays } from "../yesterday/fleet-days.ts";
import { ListSource, type RowSource } from "./row-source.ts";
import type { ReportScope } from "./scope.ts";
import type { Sort } from "./sorting.ts";

export type FleetRow = VehicleDays;

export type FleetTotals = Pick<FleetRow, "distance_km" | "driving_s" | "idle_s" | "trip_count" | "max_speed_kmh">;

interface FleetDays {
  readonly totals: FleetTotals;
  readonly data: readonly FleetRow[];
  readonly next_cursor: string | null;
}

/** The columns, and what the server calls their orders. */
const fleetSorts: Readonly<Record<string, string>> = {
  vehicle: "name",
  distance: "distance",
  driving: "driving",
  idle: "idle",
  trips: "trips",
  "top-speed": "max_speed",
};

const vehiclesAtOnce = 200;

/** The vehicles in the server's order, which may be any of the table's. Every page has the totals of all of them. */
export function fleetSource(
  { period, list, chosen: { tags, vehicles } }: Pick<ReportScope, "period" | "list" | "chosen">,
  { column, isDescending }: Sort,
  onTotals: (totals: FleetTotals) => void,
): RowSource<FleetRow> {
  const query = new URLSearchParams({
    from: period.from,
    to: period.to,
    sort: fleetSorts[column] ?? "distance",
    order: isDescending ? "desc" : "asc",
    limit: String(vehiclesAtOnce),
  });
  for (const tag of tags) query.append("tag", tag);
  for (const id of vehicles) query.append("device_id", id);
  return new ListSource<FleetRow, FleetRow>({
    windows: list === null ? [] : [list.window],
    async read(_, cursor, signal) {
      const page = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const found = await getJson<FleetDays>(`/fleet-days?${query}${page}`, signal);
      onTotals(found.totals);
      return found;
    },
    rowsOf: (rows) => rows,
    timeOf: null,
  });
}
