import { getJson } from "../api/request.ts";

/** Records of the fleet as its owner edits them. */

export type VehicleStatus = "active" | "inactive" | "blocked";

export const vehicleStatuses: readonly VehicleStatus[] = ["active", "inactive", "blocked"];

export interface FleetVehicle {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: VehicleStatus;
  readonly vin: string | null;
  readonly vehicle_make: string | null;
  readonly vehicle_model: string | null;
  readonly vehicle_year: number | null;
  readonly vehicle_type: string | null;
  readonly tracker_model: string | null;
  readonly fuel_tank_capacity_l: number | null;
  readonly tags: readonly string[];
  readonly external_ids: Readonly<Record<string, string>>;
  readonly user_ids: readonly string[];
  readonly last_seen_at: string | null;
  readonly revision: number;
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
}

/** An IMEI that was refused lately. */
export interface UnknownDevice {
  readonly imei: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly count: number;
}

/** A vehicle that was removed and kept. */
export interface RemovedVehicle {
  readonly device_id: string;
  readonly name: string;
  readonly plate: string | null;
  readonly imei: string;
  readonly removed_at: string;
  /** Another vehicle has its IMEI now. */
  readonly imei_is_taken: boolean;
  /** By a vehicle of another account on this server. */
  readonly imei_is_elsewhere: boolean;
}

/** What is stored of a vehicle. */
export interface StoredHistory {
  readonly frames: number;
  readonly trips: number;
  readonly alerts: number;
  readonly readings: number;
  readonly from: string | null;
  readonly to: string | null;
}

interface VehiclePage {
  readonly data: readonly FleetVehicle[];
  readonly next_after: string | null;
}

/** Every vehicle of the account. */
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

export async function loadUnknownDevices(signal: AbortSignal): Promise<readonly UnknownDevice[]> {
  return (await getJson<{ data: readonly UnknownDevice[] }>("/fleet/unknown-devices", signal)).data;
}

export interface RemovedVehicles {
  readonly data: readonly RemovedVehicle[];
  /** The ids of those that are on their way out for good. */
  readonly being_erased: readonly string[];
}

export function loadRemovedVehicles(signal: AbortSignal): Promise<RemovedVehicles> {
  return getJson("/fleet/removed-devices", signal);
}
