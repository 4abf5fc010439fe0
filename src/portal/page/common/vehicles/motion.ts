import { isUnderWay } from "../../../../domain/motion.ts";
import type { LatestPosition } from "../../../both-sides/contract/data.ts";

export const motions = ["moving", "idling", "stopped", "offline"] as const;

export type ShownMotion = (typeof motions)[number];

export type ReportedPosition = Pick<LatestPosition, "recorded_at" | "speed_kmh" | "ignition" | "trip_id">;

/** A moving vehicle reports every minute or so. After a longer silence nobody knows whether it still moves. */
const silentUnderWayMs = 15 * 60_000;

/** A parked tracker sleeps. This is when the `device_offline` alert is raised, too. */
const silentParkedMs = 24 * 3_600_000;

/** What a vehicle is doing, as of its last position and the clock. Pure. */
export function motionOf(live: ReportedPosition, now: number): ShownMotion {
  const silentMs = now - Date.parse(live.recorded_at);
  if (silentMs > silentParkedMs) return "offline";
  const isMoving = isUnderWay(live);
  if (!isMoving && live.ignition !== true) return "stopped";
  if (silentMs > silentUnderWayMs) return "offline";
  return isMoving ? "moving" : "idling";
}

/** On a grid of 24, north up. Each state has its own shape, so that nothing depends on colour. `sign` is a line in its middle. */
export const motionShapes: Readonly<Record<ShownMotion, { readonly body: string; readonly sign: string }>> = {
  moving: { body: "M12 2.5 19.5 20 12 16.2 4.5 20z", sign: "" },
  idling: { body: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", sign: "M9.8 8.8v6.4M14.2 8.8v6.4" },
  stopped: { body: "M6.5 4.5h11a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2z", sign: "" },
  offline: { body: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z", sign: "M7 17 17 7" },
};
