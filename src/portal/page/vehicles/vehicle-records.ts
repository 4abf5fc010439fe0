import { to } from "../../both-sides/address.ts";
import type { AnswerTo } from "../../both-sides/contract/contract.ts";
import type { Device } from "../../both-sides/contract/data.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { getJson } from "../api/request.ts";

/** Records of the fleet as its owner edits them. */

export type VehicleStatus = Device["status"];

export const vehicleStatuses: readonly VehicleStatus[] = ["active", "inactive", "blocked"];

export async function loadVehicles(signal: AbortSignal): Promise<readonly FleetVehicle[]> {
  const all: FleetVehicle[] = [];
  let after: string | null = null;
  do {
    const page: AnswerTo<"GET /fleet/devices"> = await getJson(to("GET /fleet/devices", { after }), signal);
    all.push(...page.data);
    after = page.next_after;
  } while (after !== null);
  return all;
}

export interface VehicleListFilter {
  readonly search: string;
  /** Any of these. */
  readonly tags: readonly string[];
  readonly status: VehicleStatus | null;
}

/** Those that fit, by name. Pure. */
export function matchingVehicles(
  vehicles: readonly FleetVehicle[],
  { search, tags, status }: VehicleListFilter,
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
