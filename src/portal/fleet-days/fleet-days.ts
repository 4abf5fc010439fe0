import { dateOfDay } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import type { FleetDays, Highlights } from "../both-sides/contract/fleet-days.ts";
import { openCritical } from "./open-critical.ts";
import { devicesPerPart } from "./parts.ts";
import { readFleetDaysQuery, writeCursor } from "./query.ts";
import { isShown, rankedPage, type Show, usualRanking } from "./ranking.ts";
import { recordsOf } from "./records.ts";
import { totalsBefore, totalsOf } from "./totals.ts";
import { momentsOf, type VehicleDays, vehicleDays } from "./vehicle-days.ts";

/**
 * What the fleet did in some days of the account's zone, vehicle by vehicle in an order, and altogether: the API's report
 * of mileage and its alerts, summed up. A trip or an alert belongs to the day in which it began.
 */
export async function fleetDays(
  database: Database,
  visibility: UserVisibility,
  text: string,
  now: number,
): Promise<FleetDays> {
  const query = readFleetDaysQuery(text);
  const { days, before, show } = query;
  const zones = await accountZones(database, visibility.accountId);
  const vehicles = await vehicleDays(database, visibility, { ...query, zones });
  const listed = rankedPage(
    vehicles.filter((vehicle) => isShown(vehicle, show)),
    query.ranking,
    query,
  );
  const limit = query.highlights;
  // What a person wants to know first.
  const top = {
    speeding: topOf(vehicles, "speeding", limit),
    still: topOf(vehicles, "still", limit),
    silent: topOf(vehicles, "silent", limit),
    fuel: topOf(vehicles, "fuel", limit),
  };
  const wanted = new Set([...listed.vehicles, ...Object.values(top).flat()]);
  const moments = momentsOf(days, storedZone(zones.present));
  const part = { moments, devicesPerPart: devicesPerPart(database, days) };
  const recordOf = await recordsOf(database, visibility, part, [...wanted]);
  const present = (some: readonly VehicleDays[]) => some.flatMap((vehicle) => recordOf.get(vehicle) ?? []);
  const highlights: Highlights = {
    speeding: present(top.speeding),
    still: present(top.still),
    silent: present(top.silent),
    fuel: present(top.fuel),
  };
  const open = limit === 0 ? null : await openCritical(database, visibility, vehicles, { now, limit });
  return {
    time_zone: zones.present,
    from: dateOfDay(days.firstDay),
    to: dateOfDay(days.lastDay),
    totals: totalsOf(vehicles),
    before: before && {
      from: dateOfDay(before.firstDay),
      to: dateOfDay(before.lastDay),
      ...totalsBefore(vehicles),
    },
    ...(limit === 0 ? {} : { highlights }),
    ...(open === null ? {} : { open_critical: open }),
    data: present(listed.vehicles),
    next_cursor: listed.last && writeCursor(listed.last),
  };
}

function topOf(vehicles: readonly VehicleDays[], show: Show, limit: number): readonly VehicleDays[] {
  if (limit === 0) return [];
  const group = vehicles.filter((vehicle) => isShown(vehicle, show));
  return rankedPage(group, usualRanking(show), { after: null, limit }).vehicles;
}
