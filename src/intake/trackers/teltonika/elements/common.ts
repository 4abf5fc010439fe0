import { type ElementReading, type ElementRow, numbered, zone } from "./reading.ts";

/** 85.0 °C is what a Dallas sensor gives before its first measurement; the thousands are errors by the manual. */
const dallasErrors = [850, 2000, 3000, 4000, 5000];

/** A temperature of a Dallas sensor, in tenths. Light models send four bytes, professional ones two. */
export function dallas(number: number): ElementReading {
  return { as: "temperature", sensor: `dallas_${number}`, per: 10, from: -550, to: 1250, errors: dallasErrors };
}

/**
 * The level of a fuel probe on RS232 or RS485. It is litres once the tank is calibrated in the tracker; the wire does not say.
 * Below zero are errors.
 */
const fuelProbes = numbered(2, [201, 203, 210, 212, 214], (number) => {
  return { as: "fuel", field: "volume_l", sensor: `lls_${number}`, per: 1, from: 0, to: 32_767 };
});

/** Elements that mean the same for all models. */
export const commonElements: readonly ElementRow[] = [
  [239, 1, { as: "ignition" }],
  [16, 4, { as: "number", field: "odometer_km", per: 1000 }],
  [66, 2, { as: "number", field: "external_voltage_v", per: 1000 }],
  [182, 2, { as: "number", field: "hdop", per: 10 }],
  [78, 8, { as: "driver", form: "ibutton" }],
  [207, 8, { as: "driver", form: "rfid" }],
  ...fuelProbes,
  ...numbered(4, [72, 73, 74, 75], dallas),
  [246, 1, { as: "events", asTrigger: { 1: "towing" } }],
  // 2 to 5 mark the records of the trace after a crash: the crash itself is a record of its own.
  [247, 1, { as: "events", always: { 1: "crash", 6: "crash" } }],
  [249, 1, { as: "events", asTrigger: { 1: "jamming" } }],
  [253, 1, { as: "events", always: { 1: "harsh_acceleration", 2: "harsh_braking", 3: "harsh_cornering" } }],
  [175, 1, zone],
  // The speed where it became too high, and where it no longer was: the two look the same.
  [255, 1, { as: "trigger", event: "overspeed" }],
  [255, 2, { as: "trigger", event: "overspeed" }],
];
