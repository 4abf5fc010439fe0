import { placeOrNull } from "../../api/records/values.ts";
import { dateOfDay, dayMs, formatInstant } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { UserVisibility, Visibility } from "../../domain/visibility.ts";
import type { Database, Reader } from "../../store/database.ts";
import { alertsAt } from "../../store/facts/alerts.ts";
import { openCriticalAlerts } from "../../store/facts/fleet-days.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import type { FleetDays, Highlights } from "../both-sides/contract/fleet-days.ts";
import { accountFeeds } from "../notifications/rule-feeds.ts";
import { devicesPerPart } from "./parts.ts";
import { readFleetDaysQuery, writeCursor } from "./query.ts";
import { isInGroup, rankedPage, type ShownGroup, usualRanking } from "./ranking.ts";
import { vehicleRecords } from "./records.ts";
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
    vehicles.filter((vehicle) => isInGroup(vehicle, show)),
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
  const records = await vehicleRecords(database, visibility, part, [...wanted]);
  const present = (some: readonly VehicleDays[]) => some.flatMap((vehicle) => records.get(vehicle) ?? []);
  const highlights: Highlights = {
    speeding: present(top.speeding),
    still: present(top.still),
    silent: present(top.silent),
    fuel: present(top.fuel),
  };
  const open = limit === 0 ? null : await openCritical(database, visibility, vehicles, { now, limit });
  const account = { number: visibility.accountId, zone: zones.present };
  const totals = totalsOf(vehicles);
  // Only where nobody was too fast it is asked whether anybody could have been.
  const isAsked = limit > 0 && totals.speeding_vehicles === 0;
  const limits = isAsked ? (await accountFeeds(database, account, [], now)).vehiclesOf("speeding") : null;
  return {
    time_zone: zones.present,
    from: dateOfDay(days.firstDay),
    to: dateOfDay(days.lastDay),
    totals,
    before: before && {
      from: dateOfDay(before.firstDay),
      to: dateOfDay(before.lastDay),
      ...totalsBefore(vehicles),
    },
    ...(limit === 0 ? {} : { highlights }),
    ...(open === null ? {} : { open_critical: open }),
    ...(limits === null ? {} : { limited_vehicles: vehicles.filter(({ device }) => limits.has(device.id)).length }),
    data: present(listed.vehicles),
    next_cursor: listed.last && writeCursor(listed.last),
  };
}

function topOf(vehicles: readonly VehicleDays[], show: ShownGroup, limit: number): readonly VehicleDays[] {
  if (limit === 0) return [];
  const group = vehicles.filter((vehicle) => isInGroup(vehicle, show));
  return rankedPage(group, usualRanking(show), { after: null, limit }).vehicles;
}

/** The longest window that the API lists alerts of. */
const openDays = 31;

/**
 * The critical alerts that nobody has acknowledged, of now, whatever days are asked for: by vehicle, the newest first. A
 * button that is stuck is one line.
 */
async function openCritical(
  reader: Reader,
  visibility: Visibility,
  vehicles: readonly VehicleDays[],
  { now, limit }: { readonly now: number; readonly limit: number },
) {
  const byNumber = new Map(vehicles.map(({ device }) => [device.device, device]));
  const since = now - openDays * dayMs;
  const all = await openCriticalAlerts(reader, visibility, since);
  const open = all.filter(({ device }) => byNumber.has(device)).sort((one, other) => other.newest_at - one.newest_at);
  const shown = open.slice(0, limit);
  const newest = await alertsAt(
    reader,
    visibility,
    shown.map(({ device, newest_at }) => ({ device, at: newest_at })),
  );
  const newestOf = new Map(newest.filter(({ severity }) => severity === "critical").map((row) => [row.device, row]));
  return {
    since: formatInstant(since),
    count: open.reduce((sum, { count }) => sum + count, 0),
    vehicles: open.length,
    data: shown.flatMap(({ device, count, newest_at }) => {
      const vehicle = byNumber.get(device);
      const alert = newestOf.get(device);
      if (vehicle === undefined || alert === undefined) return [];
      return [
        {
          device_id: vehicle.id,
          name: vehicle.name,
          plate: vehicle.plate,
          count,
          newest: {
            alert_id: alert.id,
            alert_type: alert.alert_type,
            occurred_at: formatInstant(newest_at),
            place: placeOrNull(alert.latitude_e7, alert.longitude_e7),
          },
        },
      ];
    }),
  };
}
