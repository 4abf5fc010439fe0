import type { Device, LatestPosition } from "../../../both-sides/contract/data.ts";
import { motionOf, motions, type ShownMotion } from "../../common/vehicles/motion.ts";

export interface MapVehicle {
  readonly id: string;
  readonly position: LatestPosition;
  readonly motion: ShownMotion;
}

/**
 * The vehicles at that moment, sorted by name. Sorting thousands takes longer than everything else here, and names hardly ever
 * change: so the order of the vehicles `before` is reused while it is still right.
 */
export function toVehicles(
  positions: readonly LatestPosition[],
  now: number,
  compare: (one: string, other: string) => number,
  before: readonly MapVehicle[] = [],
): readonly MapVehicle[] {
  const byId = new Map(positions.map((position) => [position.device_id, position]));
  const isSameOrder =
    before.length === positions.length && before.every(({ id, position }) => byId.get(id)?.name === position.name);
  const ordered = isSameOrder
    ? before.map(({ id }) => byId.get(id) as LatestPosition)
    : [...positions].sort((left, right) => compare(left.name, right.name));
  return ordered.map((position) => ({ id: position.device_id, position, motion: motionOf(position, now) }));
}

export function countByMotion(vehicles: readonly MapVehicle[]): Record<ShownMotion, number> {
  const counts = Object.fromEntries(motions.map((motion) => [motion, 0])) as Record<ShownMotion, number>;
  for (const { motion } of vehicles) counts[motion]++;
  return counts;
}

/** What a vehicle can be listed by: one that never had a position has no motion. */
export const vehicleStates = [...motions, "unreported"] as const;
export type VehicleState = (typeof vehicleStates)[number];

export interface MapVehicleFilter {
  readonly search: string;
  readonly motion: VehicleState | null;
  /** Those with the tags that were chosen; null: all. */
  readonly ids: ReadonlySet<string> | null;
}

export function matching(
  vehicles: readonly MapVehicle[],
  { search, motion, ids }: MapVehicleFilter,
): readonly MapVehicle[] {
  const isFound = searcher(search);
  if (search.trim() === "" && motion === null && ids === null) return vehicles;
  return vehicles.filter(
    ({ id, position, motion: is }) =>
      (ids === null || ids.has(id)) && (motion === null || is === motion) && isFound(position),
  );
}

/** The vehicles without any position, as far as the filter leaves them. */
export function unreported(
  devices: Iterable<Device>,
  vehicles: readonly MapVehicle[],
  { search, motion, ids }: MapVehicleFilter,
): readonly Device[] {
  if (motion !== null && motion !== "unreported") return [];
  const reported = new Set(vehicles.map(({ id }) => id));
  const isFound = searcher(search);
  return [...devices].filter(
    (device) => !reported.has(device.device_id) && (ids === null || ids.has(device.device_id)) && isFound(device),
  );
}

/** In the name, the plate or the IMEI, whatever the case. */
function searcher(search: string): (vehicle: Pick<Device, "name" | "plate" | "imei">) => boolean {
  const wanted = search.trim().toLowerCase();
  return ({ name, plate, imei }) =>
    wanted === "" ||
    name.toLowerCase().includes(wanted) ||
    (plate ?? "").toLowerCase().includes(wanted) ||
    imei.includes(wanted);
}
