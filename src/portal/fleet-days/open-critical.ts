import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { alertsAt } from "../../store/facts/alerts.ts";
import { openCriticalAlerts } from "../../store/facts/fleet-days.ts";
import type { VehicleDays } from "./vehicle-days.ts";

/** The longest window that the API lists alerts of. */
const openDays = 31;

/**
 * The critical alerts that nobody has acknowledged, of now, whatever days are asked for: by vehicle, the newest first. A
 * button that is stuck is one line.
 */
export async function openCritical(
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
          newest: { alert_id: alert.id, alert_type: alert.alert_type, occurred_at: formatInstant(newest_at) },
        },
      ];
    }),
  };
}
