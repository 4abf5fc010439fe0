import { ByteReader } from "../../kit/bytes.ts";
import { eventsByCode } from "../../kit/events.ts";
import { hexNumber } from "../../kit/values.ts";
import type { Jt808Report } from "../report.ts";
import { itemList, numberIn } from "../tlv.ts";

/** Kinds of item 0xE8 that are alarms of Jimi's dashcams. 0x041x are those of a calibrated sensor. */
const eventByKind = eventsByCode([
  ["fault", 0x0001],
  ["harsh_acceleration", 0x0400, 0x0412],
  ["harsh_braking", 0x0401, 0x0413],
  ["harsh_cornering", 0x0402, 0x0414],
  ["overspeed", 0x0403],
  ["crash", 0x0405, 0x0416, 0x0417],
  ["vibration", 0x0406],
  ["towing", 0x0407],
  ["geofence_enter", 0x0408],
  ["geofence_exit", 0x0409],
  ["door", 0x040c],
  ["lane_change", 0x0415],
  ["sos", 0x0c01],
  ["low_power", 0x0c02],
  ["general", 0x0c05],
  ["power_cut", 0x0c0e],
  ["low_battery", 0x0c0f],
  ["power_off", 0x0c10],
  ["tampering", 0x0c12],
]);

const power = 0x2003;
const states = 0x2005;
const [switchedOn, switchedOff] = [0x0c03, 0x0c04];

/** A kind, the length of what follows, and that. Padlocks use the number for other things, which are shorter. */
export function readJimiItem(value: Uint8Array, report: Jt808Report): boolean {
  const [kind, length = 0] = [numberIn(value.subarray(0, 2)), value[2]];
  if (length === 0 || value.length < 3 + length) return false;
  const content = value.subarray(3, 3 + length);
  const [event, ignition] = [eventByKind.get(kind), ignitionOf(kind)];
  report.event(event);
  if (ignition !== undefined) report.fields.ignition = ignition;
  const isRead = kind === power || kind === states;
  if (!isRead && numberIn(content.subarray(0, 4)) > 0) report.unread.push("details of the alarm");
  if (kind === power) return readPower(content, report);
  if (kind === states) return readStates(content, report);
  return event !== undefined || ignition !== undefined;
}

/** Charging, level 1 to 6, its voltage, signal, voltage of the supply. A level counts as so many sixths. */
function readPower(content: Uint8Array, report: Jt808Report): boolean {
  const reader = new ByteReader(content);
  reader.pass(1, "charging", report.unread);
  const level = reader.u8();
  reader.pass(3, "voltage of its battery and signal", report.unread);
  const volts = reader.u16() / 100;
  if (reader.isShort) return false;
  if (level >= 1 && level <= 6) report.battery(Math.floor((level * 100) / 6));
  report.supply(volts);
  return true;
}

function readStates(content: Uint8Array, report: Jt808Report): boolean {
  for (const { id, value } of itemList(content, { id: 2, length: 1 }).items) {
    const number = numberIn(value.subarray(0, 4));
    if (id === 0x0003 && value.length === 1) report.battery(number);
    else if (id === 0x0007 && value.length === 2) report.fields.hdop = number / 10;
    else if (id === 0x2001 && value.length === 2) report.supply(number / 10);
    else if (number > 0) report.unread.push(`item 0xe8/${hexNumber(id, 4)}`);
  }
  return true;
}

function ignitionOf(kind: number): boolean | undefined {
  return kind === switchedOn || kind === switchedOff ? kind === switchedOn : undefined;
}
