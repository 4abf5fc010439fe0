import type { LatestPosition } from "../api/records.ts";
import { inCountingOrder } from "../common/format.ts";
import { type Motion, motionOf, motions } from "./motion.ts";

/** A vehicle on the map and in the list beside it. */
export interface Vehicle {
  readonly id: string;
  readonly position: LatestPosition;
  readonly motion: Motion;
}

/**
 * The vehicles at that moment, sorted by name. Sorting thousands takes longer than everything else here, and names hardly ever
 * change: so the order of the vehicles `before` is reused while it is still right.
 */
export function toVehicles(
  positions: readonly LatestPosition[],
  now: number,
  before: readonly Vehicle[] = [],
): readonly Vehicle[] {
  const byId = new Map(positions.map((position) => [position.device_id, position]));
  const isSameOrder =
    before.length === positions.length && before.every(({ id, position }) => byId.get(id)?.name === position.name);
  const ordered = isSameOrder
    ? before.map(({ id }) => byId.get(id) as LatestPosition)
    : [...positions].sort((left, right) => inCountingOrder(left.name, right.name));
  return ordered.map((position) => ({ id: position.device_id, position, motion: motionOf(position, now) }));
}

export function countByMotion(vehicles: readonly Vehicle[]): Record<Motion, number> {
  const counts = Object.fromEntries(motions.map((motion) => [motion, 0])) as Record<Motion, number>;
  for (const { motion } of vehicles) counts[motion]++;
  return counts;
}

/** By name, plate or IMEI, whatever the case. */
export function matching(vehicles: readonly Vehicle[], search: string, motion: Motion | null): readonly Vehicle[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "" && motion === null) return vehicles;
  return vehicles.filter(
    ({ position, motion: is }) =>
      (motion === null || is === motion) &&
      (wanted === "" ||
        position.name.toLowerCase().includes(wanted) ||
        (position.plate ?? "").toLowerCase().includes(wanted) ||
        position.imei.includes(wanted)),
  );
}
