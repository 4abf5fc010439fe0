import type { LatestPosition } from "../api/records.ts";
import { type Motion, motionOf, motions } from "./motion.ts";

/** A vehicle on the map and in the list beside it. */
export interface Vehicle {
  readonly id: string;
  readonly position: LatestPosition;
  readonly motion: Motion;
}

export function toVehicles(positions: readonly LatestPosition[], now: number): Vehicle[] {
  return positions
    .map((position) => ({ id: position.device_id, position, motion: motionOf(position, now) }))
    .sort((left, right) => left.position.name.localeCompare(right.position.name, "en", { numeric: true }));
}

export function countByMotion(vehicles: readonly Vehicle[]): Record<Motion, number> {
  const counts = Object.fromEntries(motions.map((motion) => [motion, 0])) as Record<Motion, number>;
  for (const { motion } of vehicles) counts[motion]++;
  return counts;
}

/** By name, plate or IMEI, whatever the case. */
export function matching(vehicles: readonly Vehicle[], search: string, motion: Motion | null): readonly Vehicle[] {
  const wanted = search.trim().toLowerCase();
  return vehicles.filter(
    ({ position, motion: is }) =>
      (motion === null || is === motion) &&
      (wanted === "" ||
        position.name.toLowerCase().includes(wanted) ||
        (position.plate ?? "").toLowerCase().includes(wanted) ||
        position.imei.includes(wanted)),
  );
}
