import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";

/** A vehicle as a row of a spreadsheet has it. */
export interface VehicleRow extends DescribedVehicle {
  readonly line: number;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly tracker_id: string | null;
  readonly tracker_protocol: TrackerProtocol | null;
}

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

/** What is wrong with a row; the page says it in the person's language. */
export interface RowProblem {
  readonly line: number;
  readonly problem: ReadProblem | "taken" | "tracker_id_taken";
}

export type ReadProblem =
  | "unreadable"
  | "imei"
  | "name"
  | "plate"
  | "tracker_id"
  | "tracker_protocol"
  | "twice"
  | "tracker_id_twice"
  | keyof DescribedVehicle;
