import type { ReadFields } from "../kit/frame.ts";
import { fuelReport } from "../kit/sensors.ts";
import { hexNumberOf, queclinkNumber, type TrackMessage } from "./message.ts";
import type { Model } from "./models.ts";
import { queclinkState } from "./states.ts";
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
  const stateAt = queclinkState(columns[1]) === null && queclinkState(columns[2]) !== null ? 2 : 1;
  const supply = columns[stateAt + supplyAt];
  const voltage = columns[stateAt + supplyAt + 1] ?? "";
  const millivolts = /^\d{1,6}$/.test(voltage) ? Number(voltage) : null;
  // GV200 writes 0 while the supply is connected: it does not measure. Portable trackers have neither supply nor voltage there.
  const isMeasured = millivolts !== null && (supply === "0" || (millivolts > 0 && supply !== ""));
  const mileage = model.mileageInInformation === true && voltage.includes(".") ? queclinkNumber(voltage) : null;
  const zoneMinutes = offsetOf(columns.at(-2), columns.at(-1));
  return {
    fields: {
      ignition: queclinkState(columns[stateAt])?.ignition ?? null,
      external_voltage_v: isMeasured ? millivolts / 1000 : null,
      odometer_km: mileage,
      battery_percent: queclinkNumber(batteryAfterFix.exec(columns.join(","))?.[1]),
    },
    ...(zoneMinutes === null ? {} : { zoneMinutes }),
  };
}

/** The items of report CAN up to the last that we read, by the bits of its mask, which is also their order. */
const canItems = [
  "VIN",
  "ignition",
  "distance",
  "fuel used",
  "engine speed",
  "vehicle speed",
  "coolant temperature",
  "fuel consumption",
  "fuel level",
] as const;
const canItemsAt = 4;

/** The distance is left out: most such trackers count one of their own, and two odometers in turn would be none. */
export function readCan({ columns }: TrackMessage): ReadFields {
  const mask = hexNumberOf(columns[canItemsAt - 1]) ?? 0;
  let at = canItemsAt;
  const values = new Map(canItems.map((item, bit) => [item, (mask & (1 << bit)) === 0 ? "" : (columns[at++] ?? "")]));
  const key = queclinkNumber(values.get("ignition"));
  const [, unit, digits] = /^([PL])(\d{1,5}(?:\.\d{1,3})?)$/.exec(values.get("fuel level") ?? "") ?? [];
  const level = queclinkNumber(digits);
  return {
    // 0: off, 1: on, 2: the engine runs
    ignition: key === null ? null : key > 0,
    sensors: level === null ? [] : [unit === "P" ? fuelReport("can", level) : fuelReport("can", null, level)],
  };
}
