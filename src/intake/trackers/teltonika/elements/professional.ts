import { dallas } from "./common.ts";
import { type ElementRow, humidity, numbered, ranges, temperature, zone } from "./reading.ts";

/** FMx630, FMx640, FMx650 and the older FM, whose numbers partly mean something else than those of the light models. */
export const professionalElements: readonly ElementRow[] = [
  [216, 4, { as: "number", field: "odometer_km", per: 1000, isFallback: true }],
  ...numbered(2, [72, 73, 74, 75, 6, 8], dallas),
  ...numbered(2, ranges([701, 704]), (number) => temperature(`ble_${number}`, 10, -400, 1250)),
  ...numbered(2, ranges([709, 712]), (number) => humidity(`ble_${number}`, 10, 1000)),
  [37, 1, { as: "fuel", field: "level_percent", sensor: "can", per: 1, from: 0, to: 100 }],
  [34, 2, { as: "fuel", field: "volume_l", sensor: "can", per: 10, from: 0, to: 65_534 }],
  // Older FM have the mileage in metres here: no vehicle has driven less than 103 m, so only 0 would be unclear.
  [87, 4, { as: "fuel", field: "level_percent", sensor: "fms", per: 1, from: 1, to: 102 }],
  [10_348, 1, { as: "fuel", field: "level_percent", sensor: "fms_2", per: 1, from: 0, to: 100 }],
  [195, 8, { as: "driver", form: "card_first_half" }],
  [196, 8, { as: "driver", form: "card_second_half" }],
  [217, 8, { as: "driver", form: "rfid" }],
  [243, 1, { as: "events", asTrigger: { 1: "idling" } }],
  ...ranges([155, 174], [327, 356], [550, 599]).map((id): ElementRow => [id, 1, zone]),
];
