import type { TrackerEvent } from "../../kit/events.ts";
import { eventsOfBits, type Jt808Report } from "../report.ts";
import { itemList, numberIn } from "../tlv.ts";
import { alarmBits, type ItemReader } from "./item-reader.ts";

/** The end of an alarm that was reported when it began. */
const ended = 2;

/** Alarms of driver assistance begin with a number of four bytes, a flag (begins, ends) and the kind. */
function safetyAlarm(eventByKind: Readonly<Record<number, TrackerEvent>>): ItemReader {
  return (value, report) => {
    const [flag = 0, kind = 0] = value.subarray(4, 6);
    const event = eventByKind[kind];
    if (value.length < 6 || event === undefined) return false;
    if (flag !== ended) report.event(event);
    report.unread.push("details of the alarm");
    return true;
  };
}

/** Kind of area, its number, and the direction. */
function areaAlarm(value: Uint8Array, report: Jt808Report): boolean {
  const direction = value[5];
  if (value.length !== 6 || direction === undefined || direction > 1) return false;
  report.event(direction === 0 ? "geofence_enter" : "geofence_exit");
  report.unread.push("number of the area");
  return true;
}

/** Kind of place, and its number if it is an area or a route. */
function overspeedAlarm(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 1 && value.length !== 5) return false;
  report.event("overspeed");
  if (numberIn(value) > 0) report.unread.push("kind of the place");
  return true;
}

const harshBits = { 0: "harsh_acceleration", 1: "harsh_braking", 2: "harsh_cornering" } as const;

/** What is set beside the bits of the first word that are read. */
function nameOthers(value: Uint8Array, readBits: number, name: string, report: Jt808Report): void {
  const isSet = (numberIn(value.subarray(0, 2)) & ~readBits) !== 0 || value.subarray(2).some((byte) => byte !== 0);
  if (isSet) report.unread.push(name);
}

/** Alarms in the first word, then switches and other bits. */
function switchAlarms(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 8) return false;
  for (const event of eventsOfBits(numberIn(value.subarray(0, 2)) >> 8, harshBits)) report.event(event);
  nameOthers(value, 0x0700, "switches", report);
  return true;
}

/** Alarms in the first word, the rest is state. */
function locatorAlarms(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 8) return false;
  const eventByBit = { 0: "vibration", 1: "sos", 2: "sos", 3: "sos" } as const;
  for (const event of eventsOfBits(numberIn(value.subarray(0, 2)), eventByBit)) report.event(event);
  nameOthers(value, 0x000f, "state of the locator", report);
  return true;
}

const behaviourBits = { ...harshBits, 3: "crash", 4: "tampering" } as const;

/** A list behind the mark 0x7c; its first item has the alarms. */
export function markedAlarms(value: Uint8Array, report: Jt808Report): boolean {
  if (value[0] !== 0x7c) return false;
  for (const { id, value: bits } of itemList(value.subarray(1), { id: 1, length: 1 }).items) {
    if (id === 1) alarmBits(4, behaviourBits)(bits, report);
    else report.unread.push("other items of an alarm");
  }
  return true;
}

export const safetyItems: ReadonlyMap<number, ItemReader> = new Map<number, ItemReader>([
  [0x11, overspeedAlarm],
  [0x12, areaAlarm],
  [0x57, switchAlarms],
  [0x65, safetyAlarm({ 1: "fatigue_driving" })],
  [0x70, safetyAlarm({ 1: "harsh_acceleration", 2: "harsh_braking", 3: "harsh_cornering", 22: "crash" })],
  [0xd0, alarmBits(4, { 3: "vibration" })],
  [0xe7, locatorAlarms],
  // Rapid and hard braking are two bits there. Access points of a wireless network come in groups of seven bytes instead.
  [
    0xf4,
    alarmBits(2, {
      0: "harsh_acceleration",
      1: "harsh_braking",
      2: "harsh_braking",
      3: "harsh_cornering",
      4: "crash",
      5: "crash",
    }),
  ],
]);
