import type { FleetVehicle, VehicleStatus } from "./vehicle-records.ts";

export interface VehicleFilter {
  readonly search: string;
  /** Any of these. */
  readonly tags: readonly string[];
  readonly status: VehicleStatus | null;
}

/** Those that fit, by name. Pure. */
export function matchingVehicles(
  vehicles: readonly FleetVehicle[],
  { search, tags, status }: VehicleFilter,
  compare: (one: string, other: string) => number,
): FleetVehicle[] {
  const wanted = search.trim().toLowerCase();
  return vehicles
    .filter((vehicle) => status === null || vehicle.status === status)
    .filter((vehicle) => tags.length === 0 || vehicle.tags.some((tag) => tags.includes(tag)))
    .filter((vehicle) => wanted === "" || searched(vehicle).includes(wanted))
    .sort((one, other) => compare(one.name, other.name));
}

function searched({ name, plate, imei, vin, external_ids }: FleetVehicle): string {
  return [name, plate ?? "", imei, vin ?? "", ...Object.values(external_ids)].join("\n").toLowerCase();
}

export function tagsOf(vehicles: readonly FleetVehicle[], compare: (one: string, other: string) => number): string[] {
  return [...new Set(vehicles.flatMap(({ tags }) => tags))].sort(compare);
}
