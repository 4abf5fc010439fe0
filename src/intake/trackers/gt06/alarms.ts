import { eventsByCode, type TrackerEvent } from "../kit/events.ts";
import type { Gt06Model } from "./tracker-model.ts";

/**
 * The alarm of an alarm message. Numbers mean what Concox's manual of JM-VL03 says; those that are not in it are of other makers.
 * 0x28 has no meaning of its own: three makers use it for three things.
 */
const alarms = eventsByCode([
  ["sos", 0x01],
  ["power_cut", 0x02],
  ["vibration", 0x03],
  ["geofence_enter", 0x04],
  ["geofence_exit", 0x05],
  ["overspeed", 0x06],
  ["towing", 0x09],
  ["gps_lost", 0x0a],
  ["power_on", 0x0c],
  ["low_power", 0x0e, 0x0f],
  ["power_off", 0x11],
  ["tampering", 0x13, 0x18, 0x25, 0x32],
  ["door", 0x14],
  ["low_battery", 0x15, 0x19],
  ["harsh_braking", 0x1a, 0x27, 0x30, 0xf1],
  ["harsh_cornering", 0x1b, 0x2a, 0x2b, 0x2e],
  ["fall_down", 0x23],
  ["harsh_acceleration", 0x26, 0x29, 0xf0],
  ["crash", 0x2c, 0xf2],
  ["lock", 0x33],
  ["unlock", 0x34],
  ["fuel_leak", 0x53],
  ["temperature", 0x5b, 0x5c],
  ["idling", 0xc9],
  ["jamming", 0x107, 0x10b],
]);

const alarmsOfModel: Readonly<Record<Gt06Model, ReadonlyMap<number, TrackerEvent>>> = {
  r11: alarms,
  lw: new Map([...alarms, [0x18, "crash"], [0x19, "harsh_acceleration"]]),
  seeworld: new Map([...alarms, [0x28, "harsh_cornering"], [0x29, "crash"]]),
  vl: new Map([...alarms, [0x28, "power_off"]]),
};

/** As the model numbers them. */
function alarmsOf(model: Gt06Model | null): ReadonlyMap<number, TrackerEvent> {
  return model === null ? alarms : alarmsOfModel[model];
}

/** The same field of TRX16i, where two numbers differ. */
const trx16iAlarms: ReadonlyMap<number, TrackerEvent> = new Map([...alarms, [0x09, "geofence"]]);

/** Nothing happened, or only what the frame says anyway: a fix was found again (0x0b, 0x0d), ignition on or off (0xfe, 0xff). */
const silentAlarms: ReadonlySet<number> = new Set([0x00, 0x0b, 0x0d, 0xfe, 0xff]);

/** Bits 3 to 5 of the status byte. */
const statusAlarms: readonly (TrackerEvent | null)[] = [
  null,
  "vibration",
  "power_cut",
  "low_battery",
  "sos",
  null,
  "geofence",
  "tampering",
];

/** Of JC100 and JC400 (0x95). */
const cameraAlarms = eventsByCode([
  ["sos", 0x01],
  ["low_power", 0x0e],
  ["temperature", 0x76],
  ["vibration", 0x80],
  ["overspeed", 0x87],
  ["power_cut", 0x88],
  ["harsh_acceleration", 0x90],
  ["harsh_braking", 0x91],
  ["harsh_cornering", 0x92],
  ["crash", 0x93],
]);

/** Of AZ735 (long 0x33). 0xa0 and 0xa1 say that it was armed and disarmed. */
const az735Alarms = eventsByCode([
  ["low_battery", 0xa2, 0xa3],
  ["general", 0xa4],
  ["door", 0xa5],
]);

/** Item 0x34 of modular messages (0x70). */
const modularAlarms = eventsByCode([
  ["door", 0x10],
  ["tampering", 0x12, 0x23],
  ["geofence_enter", 0x14],
  ["geofence_exit", 0x15],
  ["temperature", 0x16],
  ["low_battery", 0x1a],
  ["overspeed", 0x1b],
  ["power_on", 0x1c],
  ["power_off", 0x1d],
  ["vibration", 0x20],
  ["power_cut", 0x21],
]);

export { alarmsOf, az735Alarms, cameraAlarms, modularAlarms, silentAlarms, statusAlarms, trx16iAlarms };
