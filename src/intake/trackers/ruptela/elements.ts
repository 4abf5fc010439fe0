import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields } from "../kit/frame.ts";

type NumberField = "external_voltage_v" | "odometer_km";

/** What an element means for us. `per`: so many of the tracker's units are one of ours. */
export type RuptelaReading =
  | { readonly as: "ignition" }
  | { readonly as: "number"; readonly field: NumberField; readonly per: number }
  | { readonly as: "temperature"; readonly sensor: string }
  | { readonly as: "fuel"; readonly percentPer: number }
  | { readonly as: "driver" }
  /** If it is not 0, or not `calm`. */
  | { readonly as: "event"; readonly event: TrackerEvent; readonly calm?: number };

/** In tenths of a degree; from 3,000 on it is a sensor that is missing. */
export const maxTenths = 2_000;

const dallas = (sensor: number): RuptelaReading => ({ as: "temperature", sensor: `dallas_${sensor}` });

/**
 * The elements that mean the same for all models. What depends on the wiring (inputs 1 to 4), the engine and CAN values are not read.
 * After the maker's list of parameters as other gateways have published it, compared with messages from the field.
 */
export const readings: ReadonlyMap<number, RuptelaReading> = new Map<number, RuptelaReading>([
  [29, { as: "number", field: "external_voltage_v", per: 1000 }],
  [34, { as: "driver" }],
  [65, { as: "number", field: "odometer_km", per: 1000 }],
  [78, dallas(1)],
  [79, dallas(2)],
  [80, dallas(3)],
  [88, { as: "event", event: "jamming" }],
  [134, { as: "event", event: "harsh_braking" }],
  [136, { as: "event", event: "harsh_acceleration" }],
  [207, { as: "fuel", percentPer: 2.5 }],
  [251, { as: "ignition" }],
  [409, { as: "ignition" }],
  [410, { as: "event", event: "towing" }],
  [411, { as: "event", event: "crash" }],
  [415, { as: "event", event: "gps_antenna_cut", calm: 1 }],
]);

export type WritableFields = { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
