import type { DeviceStatus } from "../../../domain/fleet.ts";
import type { TrackerProtocol } from "../../../domain/tracker-protocols.ts";
import type { AddCall, Call, ChangeCall, Edited, EditPreview, List, Managed, One, RemoveCall } from "./envelopes.ts";

export interface VehicleRoutes {
  "GET /fleet/devices": Call<VehiclePage>;
  "POST /fleet/devices": AddCall<FleetVehicle>;
  "PUT /fleet/devices/{device_id}": ChangeCall<FleetVehicle>;
  "POST /fleet/devices/change": Call<Edited<Counted>, SeveralChange, EditPreview<Counted>>;
  "POST /fleet/devices/import": Call<
    Edited<{ readonly added: number }>,
    { readonly csv: string },
    EditPreview<ReadSheet>
  >;
  "POST /fleet/devices/{device_id}/remove": RemoveCall<{ readonly stored: StoredHistory | null }>;
  "GET /fleet/removed-devices": Call<RemovedVehicles>;
  "POST /fleet/removed-devices/{device_id}/restore": Call<One<{ readonly device_id: string }>>;
  "POST /fleet/removed-devices/{device_id}/erase": Call<One<{ readonly device_id: string }>>;
}

/** A vehicle as the owner edits it. */
export interface FleetVehicle extends DescribedVehicle, Managed {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: DeviceStatus;
  readonly tracker_id: string | null;
  readonly tracker_protocol: TrackerProtocol | null;
  readonly user_ids: readonly string[];
  readonly last_seen_at: string | null;
}

/** What a vehicle may be described with. */
export interface DescribedVehicle {
  readonly vin: string | null;
  readonly vehicle_make: string | null;
  readonly vehicle_model: string | null;
  readonly vehicle_year: number | null;
  readonly vehicle_type: string | null;
  readonly tracker_model: string | null;
  readonly tracker_clock: string | null;
  readonly fuel_tank_capacity_l: number | null;
  readonly tags: readonly string[];
  readonly external_ids: Readonly<Record<string, string>>;
}

/** In ascending id. */
interface VehiclePage extends List<FleetVehicle> {
  /** What the next page is asked for with; null: this was the last. */
  readonly next_after: string | null;
}

/** One change of several vehicles. */
interface SeveralChange {
  readonly devices: readonly { readonly device_id: string; readonly revision: number }[];
  readonly status?: DeviceStatus;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly add_user_ids?: readonly string[];
  readonly remove_user_ids?: readonly string[];
}

interface Counted {
  /** How many of them were not so already. */
  readonly changed: number;
}

/** A vehicle as a row of a spreadsheet has it. */
export interface SheetVehicle extends DescribedVehicle {
  readonly line: number;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly tracker_id: string | null;
  readonly tracker_protocol: TrackerProtocol | null;
}

export type VehicleColumn = Exclude<keyof SheetVehicle, "line">;

/** What is wrong with a row; the page says it in the person's language. */
export interface RowProblem {
  readonly line: number;
  readonly problem: ReadProblem | "taken" | "tracker_id_taken";
}

export type ReadProblem = VehicleColumn | "unreadable" | "twice" | "tracker_id_twice";

/** What the server reads in the rows of a spreadsheet. */
export interface ReadSheet {
  readonly rows: number;
  readonly refused: number;
  /** The first of them. */
  readonly problems: readonly RowProblem[];
  readonly columns: readonly VehicleColumn[];
  /** Columns that are not read, as their header calls them. */
  readonly ignored: readonly string[];
  readonly first: readonly Omit<SheetVehicle, "line">[];
}

/** What would be lost with a vehicle. */
export interface StoredHistory {
  readonly frames: number;
  readonly trips: number;
  readonly alerts: number;
  readonly readings: number;
  readonly from: string | null;
  readonly to: string | null;
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

export interface RemovedVehicles extends List<RemovedVehicle> {
  /** The ids of those that are on their way out for good. */
  readonly being_erased: readonly string[];
}
