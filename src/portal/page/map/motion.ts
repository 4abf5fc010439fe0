/** What a vehicle is doing, as of its last position and the clock. Pure. */

export const motions = ["moving", "idling", "stopped", "offline"] as const;

export type Motion = (typeof motions)[number];

export interface Reported {
  readonly recorded_at: string;
  readonly speed_kmh: number | null;
  readonly ignition: boolean | null;
  readonly trip_id: string | null;
}

/** Slower than walking is noise of the receiver. */
const movingKmh = 5;

/** A moving vehicle reports every minute or so. After a longer silence nobody knows whether it still moves. */
const silentUnderWayMs = 15 * 60_000;

/** A parked tracker sleeps. This is when the `device_offline` alert is raised, too. */
const silentParkedMs = 24 * 3_600_000;

export function motionOf({ recorded_at, speed_kmh, ignition, trip_id }: Reported, now: number): Motion {
  const silentMs = now - Date.parse(recorded_at);
  if (silentMs > silentParkedMs) return "offline";
  const isMoving = speed_kmh === null ? trip_id !== null && ignition !== false : speed_kmh >= movingKmh;
  if (!isMoving && ignition !== true) return "stopped";
  if (silentMs > silentUnderWayMs) return "offline";
  return isMoving ? "moving" : "idling";
}
