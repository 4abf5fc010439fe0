import { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { Report } from "./report.ts";
import { itemList, numberIn } from "./tlv.ts";

/** Kinds of item 0xE8 that are alarms of Jimi's dashcams. 0x041x are those of a calibrated sensor. */
const eventByKind: Readonly<Record<number, TrackerEvent>> = {
  1: "fault",
  1024: "harsh_acceleration",
  1025: "harsh_braking",
  1026: "harsh_cornering",
  1027: "overspeed",
  1029: "crash",
  1030: "vibration",
  1031: "towing",
  1032: "geofence_enter",
  1033: "geofence_exit",
  1036: "door",
  1042: "harsh_acceleration",
  1043: "harsh_braking",
  1044: "harsh_cornering",
  1045: "lane_change",
  1046: "crash",
  1047: "crash",
  3073: "sos",
  3074: "low_power",
  3077: "general",
  3086: "power_cut",
  3087: "low_battery",
  3088: "power_off",
  3090: "tampering",
};

const power = 0x2003;
const states = 0x2005;
const ignitionByKind: Readonly<Record<number, boolean>> = { 3075: true, 3076: false };

/** A kind, the length of what follows, and that. Padlocks use the number for other things, whose length does not fit. */
export function readJimiItem(value: Uint8Array, report: Report): boolean {
  if (value.length < 3 || value[2] !== value.length - 3) return false;
  const [kind, content] = [numberIn(value.subarray(0, 2)), value.subarray(3)];
  const [event, ignition] = [eventByKind[kind], ignitionByKind[kind]];
  report.event(event);
  if (ignition !== undefined) report.fields.ignition = ignition;
  if (kind === power) return readPower(content, report);
  if (kind === states) return readStates(content, report);
  return event !== undefined || ignition !== undefined;
}

/** Charging, level 1 to 6, its voltage, signal, voltage of the supply. A level counts as so many sixths. */
function readPower(content: Uint8Array, report: Report): boolean {
  const reader = new ByteReader(content, 1);
  const level = reader.u8();
  reader.skip(3);
  const volts = reader.u16() / 100;
  if (reader.isShort) return false;
  if (level >= 1 && level <= 6) report.battery(Math.floor((level * 100) / 6));
  report.supply(volts);
  return true;
}

function readStates(content: Uint8Array, report: Report): boolean {
  for (const { id, value } of itemList(content, { id: 2, length: 1 }).items) {
    const number = numberIn(value.subarray(0, 4));
    if (id === 0x0003 && value.length === 1) report.battery(number);
    if (id === 0x0007 && value.length === 2) report.fields.hdop = number / 10;
    if (id === 0x2001 && value.length === 2) report.supply(number / 10);
  }
  return true;
}
