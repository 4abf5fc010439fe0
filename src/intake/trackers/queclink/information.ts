import type { ReadFields } from "../kit/frame.ts";
import { numberOf, type TrackMessage } from "./message.ts";
import type { Model } from "./models.ts";
import { stateOf } from "./states.ts";
import { offsetOf } from "./times.ts";

/** What report INF says: it has no position. */
interface Information {
  readonly fields: ReadFields;
  readonly zoneMinutes?: number;
}

/** State, ICCID, two columns of the signal, supply, its voltage. */
const supplyAt = 4;
/** Portable trackers: volts of the battery, five columns, the time of the last fix, then the battery in percent. */
const batteryAfterFix = /,\d\.\d{1,2}(?:,[^,]*){5},\d{14},(\d{1,3})(?=,|$)/;

export function readInformation({ columns }: TrackMessage, model: Model): Information {
  // The state follows the name, or VIN and name.
  const stateAt = stateOf(columns[1]) === null && stateOf(columns[2]) !== null ? 2 : 1;
  const supply = columns[stateAt + supplyAt];
  const voltage = columns[stateAt + supplyAt + 1] ?? "";
  const millivolts = /^\d{1,6}$/.test(voltage) ? Number(voltage) : null;
  // GV200 writes 0 while the supply is connected: it does not measure. Portable trackers have neither supply nor voltage there.
  const isMeasured = millivolts !== null && (supply === "0" || (millivolts > 0 && supply !== ""));
  const mileage = model.mileageInInformation === true && voltage.includes(".") ? numberOf(voltage) : null;
  const zoneMinutes = offsetOf(columns.at(-2), columns.at(-1));
  return {
    fields: {
      ignition: stateOf(columns[stateAt])?.ignition ?? null,
      external_voltage_v: isMeasured ? millivolts / 1000 : null,
      odometer_km: mileage,
      battery_percent: numberOf(batteryAfterFix.exec(columns.join(","))?.[1]),
    },
    ...(zoneMinutes === null ? {} : { zoneMinutes }),
  };
}
