import type { Route } from "./route.ts";
import { listAlerts } from "./routes/alerts.ts";
import { listChanges } from "./routes/changes.ts";
import { getAlertSettings, listDeviceGeofences } from "./routes/device-details.ts";
import { getDevice, listDevices } from "./routes/devices.ts";
import { listGeofenceEvents, listGeofences } from "./routes/geofences.ts";
import { listLatestPositions } from "./routes/latest-positions.ts";
import { reportMileage } from "./routes/mileage.ts";
import { listPositionHistory } from "./routes/position-history.ts";
import { listSensorReadings } from "./routes/sensors.ts";
import { listTrips } from "./routes/trips.ts";
import { getUser, listUsers } from "./routes/users.ts";

/** Everything under /v1 that needs a key. */
export const routes: readonly Route[] = [
  listChanges,
  listDevices,
  getDevice,
  getAlertSettings,
  listDeviceGeofences,
  listLatestPositions,
  listPositionHistory,
  listTrips,
  listAlerts,
  listSensorReadings,
  listGeofences,
  listGeofenceEvents,
  listUsers,
  getUser,
  reportMileage,
];
