import { type ElementRow, eventIfOne, humidity, numbered, ranges, temperature, zone } from "./reading.ts";

/** FMB, FMC, FMM, FMT and FMP of the series 0 to 3 and 8 to 9, and trackers for things and people (TAT, TMT, GH). */

/**
 * In hundredths of a degree. Firmware before 03.28 says 2000, 3000 and 4000 for a sensor that is missing or broken, which would be
 * 20, 30 and 40 °C: these three are left out, since a missing sensor says so in every record. Later firmware uses values above 32,000.
 */
const bluetoothErrors = [2000, 3000, 4000];
const bluetooth = (sensor: string, errors?: readonly number[]) => temperature(sensor, 100, -4000, 12_500, errors);

const sensors: readonly ElementRow[] = [
  ...numbered(2, [25, 26, 27, 28], (number) => bluetooth(`ble_${number}`, bluetoothErrors)),
  ...numbered(2, [86, 104, 106, 108], (number) => humidity(`ble_${number}`, 10, 1000)),
  ...numbered(2, ranges([10_800, 10_803]), (number) => bluetooth(`eye_${number}`)),
  ...numbered(1, ranges([10_804, 10_807]), (number) => humidity(`eye_${number}`, 1, 100)),
  [89, 1, { as: "fuel", field: "level_percent", sensor: "can", per: 1, from: 0, to: 100 }],
  [84, 2, { as: "fuel", field: "volume_l", sensor: "can", per: 10, from: 0, to: 65_534 }],
  [48, 1, { as: "fuel", field: "level_percent", sensor: "obd", per: 1, from: 0, to: 100 }],
  [390, 4, { as: "fuel", field: "volume_l", sensor: "obd_oem", per: 10, from: 0, to: 65_534 }],
];

/** What the alarm button of a personal tracker sends: the first digit is the button, the second how it was pressed. */
const alarmButton = { 17: "sos", 18: "sos", 19: "sos" } as const;

export const lightElements: readonly ElementRow[] = [
  ...sensors,
  [113, 1, { as: "number", field: "battery_percent", per: 1 }],
  [147, 8, { as: "driver", form: "card_first_half" }],
  [148, 8, { as: "driver", form: "card_second_half" }],
  [236, 1, eventIfOne("general")],
  [251, 1, { as: "events", asTrigger: { 1: "idling" } }],
  // Professional and older models have "authorised driving" here.
  [252, 1, { as: "events", asTrigger: { 0: "power_restored", 1: "power_cut" } }],
  // 1 is a warning while the position is still good.
  [318, 1, { as: "events", asTrigger: { 2: "jamming" } }],
  [389, 1, { as: "events", asTrigger: alarmButton }],
  [390, 1, { as: "events", asTrigger: { 0: "power_on", 1: "power_off" } }],
  [520, 1, { as: "events", asTrigger: { 1: "tampering" } }],
];

export const lightZones: readonly ElementRow[] = ranges(
  [61, 65],
  [70, 70],
  [88, 88],
  [91, 99],
  [153, 159],
  [190, 198],
  [208, 209],
  [216, 231],
).map((id) => [id, 1, zone]);

/**
 * FTC and FTM, the successors of the light models, differ from them in these. Their zones (155 to 157: number, inside, too fast) are
 * not read, since it is not published which of the three makes the record.
 */
export const ftElements: readonly ElementRow[] = [
  [800, 4, { as: "number", field: "external_voltage_v", per: 1000, isFallback: true }],
  [242, 1, { as: "events", asTrigger: { 1: "fall_down" } }],
];
