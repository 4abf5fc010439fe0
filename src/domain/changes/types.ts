/** Records of the fleet itself: few, changed by people. */
export const fleetTypes = ["device", "geofence", "user", "alert_settings", "driver"] as const;
/** What frames lead to, in the order in which the changes of one transaction are reported. */
export const trackedTypes = ["position", "reading", "trip", "stop", "geofence_event", "alert", "mileage"] as const;

export type FleetType = (typeof fleetTypes)[number];
export type TrackedType = (typeof trackedTypes)[number];
export type ChangeType = FleetType | TrackedType;

export const changeTypes = [
  "device",
  "position",
  "trip",
  "stop",
  "alert",
  "reading",
  "geofence",
  "geofence_event",
  "mileage",
  "user",
  "alert_settings",
  "driver",
] as const satisfies readonly ChangeType[];

export function isChangeType(text: string): text is ChangeType {
  return (changeTypes as readonly string[]).includes(text);
}

/** Of a frame, and of a reading of it: always the same. */
export function positionId(deviceId: string, { recordedAt, digest }: { recordedAt: number; digest: number }): string {
  return `${deviceId}/${recordedAt.toString(36)}-${digest.toString(36)}`;
}

export function readingId(frameId: string, kind: string, sensor: string): string {
  return `${frameId}/${kind}/${sensor}`;
}

/** Mileage has no id of its own: it is named by its device and date. */
export function mileageId(deviceId: string, date: string): string {
  return `${deviceId}/${date}`;
}
