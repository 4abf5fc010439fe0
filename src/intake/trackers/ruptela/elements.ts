import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields } from "../kit/frame.ts";

type NumberField = "external_voltage_v" | "odometer_km";

/** What an element means for us. `per`: so many of the tracker's units are one of ours. */
export type RuptelaReading =
  /** On, if one of those in a record says so: what nobody wired or set up says "off". */
  | { readonly as: "ignition" }
  | { readonly as: "number"; readonly field: NumberField; readonly per: number }
  /** In tenths of a degree. */
  | { readonly as: "temperature"; readonly sensor: string; readonly missing: ReadonlySet<number> }
  /** A sensor may have both. Above `max` there is no value. */
  | { readonly as: "percent"; readonly sensor: string; readonly per: number; readonly max: number }
  | { readonly as: "litres"; readonly sensor: string }
  | { readonly as: "driver" }
  /** One of the two halves of a card's number, as text. */
  | { readonly as: "card"; readonly half: 0 | 1; readonly source: string }
  /** A counter since the last record, or a state: `is` says at which values it is one. */
  | { readonly as: "event"; readonly event: TrackerEvent; readonly is: (value: number) => boolean };

/** No device, fault of the bus, checksum, no value, outside the range; and what is measured without enough supply. */
const noThermometer: ReadonlySet<number> = new Set([2_000, 2_001, 2_002, 2_003, 2_004, 850]);

const dallas = (sensor: number): RuptelaReading => ({
  ...{ as: "temperature", sensor: `dallas_${sensor}`, missing: noThermometer },
});
const event = (name: TrackerEvent, is: (value: number) => boolean): RuptelaReading => ({
  as: "event",
  event: name,
  is,
});
const isOne = (value: number) => value === 1;
const isCounted = (value: number) => value > 0;

/**
 * The elements that mean the same for all models, by the maker's list of them. What depends on the wiring (inputs 1 to 3), the engine and
 * other CAN values are not read.
 */
export const readings: ReadonlyMap<number, RuptelaReading> = new Map<number, RuptelaReading>([
  // The input that is named for it, the one that is worked out from the voltage, and what the owner made it from.
  [5, { as: "ignition" }],
  [251, { as: "ignition" }],
  [409, { as: "ignition" }],
  [29, { as: "number", field: "external_voltage_v", per: 1000 }],
  [65, { as: "number", field: "odometer_km", per: 1000 }],
  [34, { as: "driver" }],
  [126, { as: "card", half: 0, source: "can" }],
  [127, { as: "card", half: 1, source: "can" }],
  [155, { as: "card", half: 0, source: "tachograph" }],
  [156, { as: "card", half: 1, source: "tachograph" }],
  [78, dallas(1)],
  [79, dallas(2)],
  [80, dallas(3)],
  [74, dallas(4)],
  [207, { as: "percent", sensor: "can", per: 2.5, max: 250 }],
  [205, { as: "litres", sensor: "can" }],
  [98, { as: "percent", sensor: "obd", per: 2.55, max: 254 }],
  [642, { as: "litres", sensor: "obd" }],
  [88, event("jamming", isOne)],
  // 134 counts each braking; here the lower half counts harsh, the upper extreme ones.
  [135, event("harsh_braking", isCounted)],
  [136, event("harsh_acceleration", isCounted)],
  [143, event("harsh_cornering", isCounted)],
  [410, event("towing", isOne)],
  // It rolled over.
  [411, event("crash", isOne)],
  // 2 is "not known".
  [415, event("gps_antenna_cut", (value) => value === 0)],
  [558, event("sos", isOne)],
  [758, event("tampering", isOne)],
  [985, event("power_cut", isOne)],
]);

export type WritableFields = { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
