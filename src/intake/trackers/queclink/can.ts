import type { ReadFields } from "../kit/frame.ts";
import { fuel } from "./accessories.ts";
import { hexNumberOf, numberOf, type TrackMessage } from "./message.ts";

/** The items of report CAN up to the last that we read, by the bits of its mask, which is also their order. */
const items = [
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
const itemsAt = 4;

/** The distance is left out: most such trackers count one of their own, and two odometers in turn would be none. */
export function readCan({ columns }: TrackMessage): ReadFields {
  const mask = hexNumberOf(columns[itemsAt - 1]) ?? 0;
  let at = itemsAt;
  const values = new Map(items.map((item, bit) => [item, (mask & (1 << bit)) === 0 ? "" : (columns[at++] ?? "")]));
  const key = numberOf(values.get("ignition"));
  const [, unit, digits] = /^([PL])(\d{1,5}(?:\.\d{1,3})?)$/.exec(values.get("fuel level") ?? "") ?? [];
  const level = numberOf(digits);
  return {
    // 0: off, 1: on, 2: the engine runs
    ignition: key === null ? null : key > 0,
    sensors: level === null ? [] : [unit === "P" ? fuel("can", level, null) : fuel("can", null, level)],
  };
}
