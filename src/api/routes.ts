import { createRouter } from "../http/router.ts";
import { readingMethods } from "./refusals.ts";
import { prefix, type Route } from "./route.ts";
import { listAlerts } from "./routes/alerts.ts";
import { listChanges } from "./routes/changes.ts";
import { getAlertSettings, getDevice, listDeviceGeofences, listDevices } from "./routes/devices.ts";
import { driverList } from "./routes/drivers.ts";
import { listGeofenceEvents, listGeofences } from "./routes/geofences.ts";
import { getMe } from "./routes/me.ts";
import { reportMileage } from "./routes/mileage.ts";
import { reportMileageSums } from "./routes/mileage-sums.ts";
import { listLatestPositions, listPositionHistory } from "./routes/positions.ts";
import { listPositionsAt } from "./routes/positions-at.ts";
import { listSensorReadings } from "./routes/sensors.ts";
import { listStops } from "./routes/stops.ts";
import { listTrips } from "./routes/trips.ts";
import { getUser, listUsers } from "./routes/users.ts";

/** Everything under /v1 that needs a key. */
export const routes: readonly Route[] = [
  getMe,
  listChanges,
  listDevices,
  getDevice,
  getAlertSettings,
  listDeviceGeofences,
  driverList,
  listLatestPositions,
  listPositionHistory,
  listPositionsAt,
  listTrips,
  listStops,
  listAlerts,
  listSensorReadings,
  listGeofences,
  listGeofenceEvents,
  listUsers,
  getUser,
  reportMileage,
  reportMileageSums,
];

export const findRoute = createRouter(
  routes.map((route) => ({ methods: readingMethods, path: prefix + route.path, route })),
  decoded,
);

/** Null for what is empty or cannot be decoded: no record has such an id. */
function decoded(segment: string): string | null {
  if (segment === "") return null;
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment) || null;
  } catch {
    return null;
  }
}
