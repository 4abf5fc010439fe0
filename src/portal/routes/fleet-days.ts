import { dateOfDay } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { openCritical } from "../fleet-days/open-critical.ts";
import { devicesPerPart } from "../fleet-days/parts.ts";
import { readFleetDaysQuery, writeCursor } from "../fleet-days/query.ts";
import { isShown, rankedPage, type Show, usualRanking } from "../fleet-days/ranking.ts";
import { recordsOf } from "../fleet-days/records.ts";
import { totalsBefore, totalsOf } from "../fleet-days/totals.ts";
import { momentsOf, type VehicleDays, vehicleDays } from "../fleet-days/vehicle-days.ts";
import { portalRoute } from "../route.ts";

/** What a person wants to know first. */
const highlighted = ["speeding", "still", "silent", "fuel"] as const satisfies readonly Show[];

/**
 * What the fleet did in some days of the account's zone, vehicle by vehicle in an order, and altogether: the API's report
 * of mileage and its alerts, summed up. A trip or an alert belongs to the day in which it began.
 */
export const showFleetDays = portalRoute("GET", "/fleet-days", "signed in", async (call) => {
  const { query: text, now } = call;
  const { database } = call.parts;
  const { visibility } = call.session;
  const query = readFleetDaysQuery(text);
  const { days, before, show } = query;
  const zones = await accountZones(database, visibility.accountId);
  const vehicles = await vehicleDays(database, visibility, { ...query, zones });
  const listed = rankedPage(
    vehicles.filter((vehicle) => isShown(vehicle, show)),
    query.ranking,
    query,
  );
  const top = highlighted.map((group) => [group, topOf(vehicles, group, query.highlights)] as const);
  const wanted = new Set([...listed.vehicles, ...top.flatMap(([, some]) => some)]);
  const moments = momentsOf(days, storedZone(zones.present));
  const part = { moments, devicesPerPart: devicesPerPart(database, days) };
  const records = await recordsOf(database, visibility, part, [...wanted]);
  const recordOf = new Map([...wanted].map((vehicle, index) => [vehicle, records[index]]));
  const present = (some: readonly VehicleDays[]) => some.map((vehicle) => recordOf.get(vehicle));
  const limit = query.highlights;
  const open = limit === 0 ? null : await openCritical(database, visibility, vehicles, { now, limit });
  return {
    body: {
      time_zone: zones.present,
      from: dateOfDay(days.firstDay),
      to: dateOfDay(days.lastDay),
      totals: totalsOf(vehicles),
      before: before && {
        from: dateOfDay(before.firstDay),
        to: dateOfDay(before.lastDay),
        ...totalsBefore(vehicles),
      },
      ...(limit === 0 ? {} : { highlights: Object.fromEntries(top.map(([group, some]) => [group, present(some)])) }),
      ...(open === null ? {} : { open_critical: open }),
      data: present(listed.vehicles),
      next_cursor: listed.last && writeCursor(listed.last),
    },
  };
});

function topOf(vehicles: readonly VehicleDays[], show: Show, limit: number): readonly VehicleDays[] {
  if (limit === 0) return [];
  const group = vehicles.filter((vehicle) => isShown(vehicle, show));
  return rankedPage(group, usualRanking(show), { after: null, limit }).vehicles;
}
