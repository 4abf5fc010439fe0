import type { TrackerEvent } from "../kit/events.ts";

/**
 * The alarm of an alarm message. Numbers mean what Concox's manual of JM-VL03 says; those that are not in it are of other makers.
 * Which models use a number for something else does not show in the message: 0x28 and 0x30 have the most common meaning.
 */
const alarms: ReadonlyMap<number, TrackerEvent> = new Map([
  [0x01, "sos"],
  [0x02, "power_cut"],
  [0x03, "vibration"],
  [0x04, "geofence_enter"],
  [0x05, "geofence_exit"],
  [0x06, "overspeed"],
  [0x09, "towing"],
  [0x0a, "gps_lost"],
  [0x0c, "power_on"],
  [0x0e, "low_power"],
  [0x0f, "low_power"],
  [0x11, "power_off"],
  [0x13, "tampering"],
  [0x14, "door"],
  [0x15, "low_battery"],
  [0x18, "tampering"],
  [0x19, "low_battery"],
  [0x1a, "harsh_braking"],
  [0x1b, "harsh_cornering"],
  [0x23, "fall_down"],
  [0x25, "tampering"],
  [0x26, "harsh_acceleration"],
  [0x27, "harsh_braking"],
  [0x28, "harsh_braking"],
  [0x29, "harsh_acceleration"],
  [0x2a, "harsh_cornering"],
  [0x2b, "harsh_cornering"],
  [0x2c, "crash"],
  [0x2e, "harsh_cornering"],
  [0x30, "harsh_braking"],
  [0x32, "tampering"],
  [0x33, "lock"],
  [0x34, "unlock"],
  [0x53, "fuel_leak"],
  [0x5b, "temperature"],
  [0x5c, "temperature"],
  [0xc9, "idling"],
  [0xf0, "harsh_acceleration"],
  [0xf1, "harsh_braking"],
  [0xf2, "crash"],
  [0x107, "jamming"],
  [0x10b, "jamming"],
]);

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
const cameraAlarms: ReadonlyMap<number, TrackerEvent> = new Map([
  [0x01, "sos"],
  [0x0e, "low_power"],
  [0x76, "temperature"],
  [0x80, "vibration"],
  [0x87, "overspeed"],
  [0x88, "power_cut"],
  [0x90, "harsh_acceleration"],
  [0x91, "harsh_braking"],
  [0x92, "harsh_cornering"],
  [0x93, "crash"],
]);

/** Of AZ735 (long 0x33). 0xa0 and 0xa1 say that it was armed and disarmed. */
const az735Alarms: ReadonlyMap<number, TrackerEvent> = new Map([
  [0xa2, "low_battery"],
  [0xa3, "low_battery"],
  [0xa4, "general"],
  [0xa5, "door"],
]);

/** Item 0x34 of modular messages (0x70). */
const modularAlarms: ReadonlyMap<number, TrackerEvent> = new Map([
  [0x10, "door"],
  [0x12, "tampering"],
  [0x14, "geofence_enter"],
  [0x15, "geofence_exit"],
  [0x16, "temperature"],
  [0x1a, "low_battery"],
  [0x1b, "overspeed"],
  [0x1c, "power_on"],
  [0x1d, "power_off"],
  [0x20, "vibration"],
  [0x21, "power_cut"],
  [0x23, "tampering"],
]);

export { alarms, az735Alarms, cameraAlarms, modularAlarms, silentAlarms, statusAlarms, trx16iAlarms };
