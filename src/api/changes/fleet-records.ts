import type { FleetType } from "../../domain/changes/types.ts";
import { alertSettings as storedSettings } from "../../store/fleet/alert-settings.ts";
import { visibleDevice } from "../../store/fleet/devices.ts";
import { visibleGeofence } from "../../store/fleet/geofences.ts";
import { subAccount } from "../../store/fleet/users.ts";
import { alertSettings } from "../records/alert-settings.ts";
import { device } from "../records/device.ts";
import { geofence } from "../records/geofence.ts";
import { user } from "../records/user.ts";
import type { RouteCall } from "../route.ts";

type Viewing = Pick<RouteCall, "database" | "visibility">;

/** A record of the fleet as its list shows it; null if the viewer does not see it any more. */
export const fleetRecord: Readonly<Record<FleetType, (call: Viewing, id: string) => Promise<string | null>>> = {
  device: async ({ database, visibility }, id) => shown(device, await visibleDevice(database, visibility, id)),
  geofence: async ({ database, visibility }, id) => shown(geofence, await visibleGeofence(database, visibility, id)),
  user: async ({ database, visibility }, id) => shown(user, await subAccount(database, visibility, id)),
  alert_settings: async ({ database, visibility }, id) =>
    shown(alertSettings, await storedSettings(database, visibility, id)),
};

function shown<Row>({ json }: { readonly json: (rows: readonly Row[]) => string }, row: Row | null): string | null {
  return row === null ? null : json([row]);
}

/** Whether records of this type are named by their device. */
export function isOfDevice(type: FleetType): boolean {
  return type === "device" || type === "alert_settings";
}
