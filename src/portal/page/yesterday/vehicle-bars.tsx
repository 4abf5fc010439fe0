import type { FleetTotals, VehicleDaysRecord } from "../../both-sides/contract/fleet-days.ts";
import { Link } from "../common/navigation/route.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { findPath, type Order, tripPath, type YesterdaySort } from "./fleet-days.ts";

interface VehicleBarsProps {
  readonly vehicles: readonly VehicleDaysRecord[];
  readonly totals: FleetTotals;
  readonly order: Order;
  readonly onSort: (sort: YesterdaySort) => void;
  readonly zone: string;
  readonly days: { readonly from: string; readonly to: string };
}

/** A row for each vehicle that drove. Every figure leads to its moment in playback. */
export function VehicleBars({ vehicles, totals, order, onSort, zone, days }: VehicleBarsProps) {
  const { common, reports } = useTexts();
  const columns: readonly (readonly [YesterdaySort, string])[] = [
    ["name", common.vehicle],
    ["distance", reports.distance],
    ["driving", reports.driving],
    ["idle", reports.idle],
    ["max_speed", reports.topSpeed],
  ];
  return (
    <table className="table vehicle-bars" aria-describedby="bars-meaning">
      <thead>
        <tr>
          {columns.map(([sort, name]) => (
            <th
              key={sort}
              scope="col"
              data-column={sort}
              aria-sort={order.sort === sort ? (order.isDescending ? "descending" : "ascending") : undefined}
            >
              <button type="button" className="sort plain" onClick={() => onSort(sort)}>
                {name}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {vehicles.map((vehicle) => (
          <VehicleRow key={vehicle.device_id} vehicle={vehicle} totals={totals} zone={zone} days={days} />
        ))}
      </tbody>
    </table>
  );
}

type VehicleRowProps = Pick<VehicleBarsProps, "totals" | "zone" | "days"> & { readonly vehicle: VehicleDaysRecord };

function VehicleRow({ vehicle, totals, zone, days }: VehicleRowProps) {
  const { reports, show } = useTexts();
  const { first_trip_at, longest_trip_at, idle_s, max_speed_kmh } = vehicle;
  const to = (at: string | null) => tripPath(vehicle, at, zone, days.from);
  // A day is looked at from its beginning; of several, the longest trip is worth a look.
  const begin = days.from === days.to ? first_trip_at : longest_trip_at;
  return (
    <tr>
      <th scope="row" data-column="name">
        <Link to={to(begin)}>{vehicle.name}</Link>
        {vehicle.plate !== null && <span className="under-name block hint">{vehicle.plate}</span>}
      </th>
      <td data-column="distance">
        <Link to={to(begin)}>{show.distance(vehicle.distance_km)}</Link>
        {vehicle.carried_km > 0 && (
          <span className="under-name block hint">{reports.carried(show.distance(vehicle.carried_km))}</span>
        )}
        <span className="bar" aria-hidden="true">
          <span className="bar-distance" style={{ width: share(vehicle.distance_km, totals.most_distance_km) }} />
        </span>
      </td>
      <td data-column="driving" data-label={reports.driving}>
        <Link to={to(longest_trip_at)}>{show.duration(vehicle.driving_s)}</Link>
        <span className="bar" aria-hidden="true">
          <span className="bar-driving" style={{ width: share(vehicle.driving_s, totals.most_engine_s) }} />
          <span className="bar-idling" style={{ width: share(vehicle.idle_s, totals.most_engine_s) }} />
        </span>
      </td>
      <td data-column="idle" data-label={reports.idle}>
        {idle_s > 0 ? (
          <Link to={findPath(vehicle, "idling", zone, days)}>{show.duration(idle_s)}</Link>
        ) : (
          show.duration(idle_s)
        )}
      </td>
      <td data-column="max_speed" data-label={reports.topSpeed}>
        {max_speed_kmh !== null && <Link to={findPath(vehicle, "speed", zone, days)}>{show.speed(max_speed_kmh)}</Link>}
      </td>
    </tr>
  );
}

/** Something that is not nothing is to be seen. */
function share(part: number, whole: number): string {
  return part > 0 && whole > 0 ? `${Math.max(1, (part / whole) * 100)}%` : "0";
}
