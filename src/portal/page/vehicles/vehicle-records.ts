import type { Managed } from "../../records/portal-records.ts";
import type { Device } from "../api/records.ts";
import { getJson } from "../api/request.ts";

/** Records of the fleet as its owner edits them. */

export type VehicleStatus = Device["status"];

export const vehicleStatuses: readonly VehicleStatus[] = ["active", "inactive", "blocked"];

type NotInForm = "odometer_km" | "last_position_at" | "created_at" | "updated_at";

export interface FleetVehicle extends Readonly<Omit<Device, NotInForm | "tags">>, Managed {
  readonly tags: readonly string[];
  readonly user_ids: readonly string[];
}

export interface RemovedVehicle {
  readonly device_id: string;
  readonly name: string;
  readonly plate: string | null;
  readonly imei: string;
  readonly removed_at: string;
  /** Another vehicle has its IMEI or its tracker id now. */
  readonly taken: { readonly field: "imei" | "tracker_id"; readonly value: string } | null;
  /** By a vehicle of another account on this server. */
  readonly is_taken_elsewhere: boolean;
}

interface VehiclePage {
  readonly data: readonly FleetVehicle[];
  readonly next_after: string | null;
}

export async function loadVehicles(signal: AbortSignal): Promise<readonly FleetVehicle[]> {
  const all: FleetVehicle[] = [];
  let after: string | null = null;
  do {
    const page: VehiclePage = await getJson(`/fleet/devices${after === null ? "" : `?after=${after}`}`, signal);
    all.push(...page.data);
    after = page.next_after;
  } while (after !== null);
  return all;
}

export interface RemovedVehicles {
  readonly data: readonly RemovedVehicle[];
  /** The ids of those that are on their way out for good. */
  readonly being_erased: readonly string[];
}

export function loadRemovedVehicles(signal: AbortSignal): Promise<RemovedVehicles> {
  return getJson("/fleet/removed-devices", signal);
}

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

function searched({ name, plate, imei, tracker_id, vin, external_ids }: FleetVehicle): string {
  return [name, plate ?? "", imei, tracker_id ?? "", vin ?? "", ...Object.values(external_ids)]
    .join("\n")
    .toLowerCase();
}

export function tagsOf(vehicles: readonly FleetVehicle[], compare: (one: string, other: string) => number): string[] {
  return [...new Set(vehicles.flatMap(({ tags }) => tags))].sort(compare);
}
