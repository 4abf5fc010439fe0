import { textOf } from "../../kit/bytes.ts";
import type { TrackerEvent } from "../../kit/events.ts";
import { hexNumber } from "../../kit/values.ts";
import { eventsOfBits, type Jt808Report } from "../report.ts";
import { numberIn } from "../tlv.ts";
import { batteryLevel, type ItemReader, sized } from "./item-reader.ts";

/** Item 0xEB of BSJ and many others: a list of its own. */
const extendedItems: ReadonlyMap<number, ItemReader> = new Map<number, ItemReader>([
  [
    0x002d,
    (value, report) => {
      const volts = numberIn(value) / 1000;
      if (value.length === 4) report.supply(volts);
      return value.length === 4 || (value.length === 2 && report.supplyOrCell(volts));
    },
  ],
  // Bit 0 is the battery's switch for one maker, and for another what alarm bit 8 says anyway. Bit 4 is said to be a collision, but
  // a moped sent it in one report after another while it drove.
  [0x0089, lowBits({ 8: "harsh_acceleration", 9: "harsh_braking", 12: "tampering", 25: "harsh_cornering" })],
  [0x00a8, batteryLevel],
  [0x00c5, lowBits({ 6: "vibration", 14: "tampering" })], // 14: light fell on it
  [
    0x00c6,
    sized(1, (state, report) => {
      if (state === 3 || state === 4) report.event("low_battery");
    }),
  ],
  [0x00ce, sized(2, (volts, report) => report.supply(volts / 100))],
  [
    0x00d5,
    (value, report) => {
      const imei = textOf(value);
      if (!/^\d{15}$/.test(imei) || Number(imei) === 0) return false;
      report.imei = imei;
      return true;
    },
  ],
  [0x00e1, batteryLevel],
]);

/** Four bytes of bits that are 0 while the alarm lasts. */
function lowBits(eventByBit: Readonly<Record<number, TrackerEvent>>): ItemReader {
  return sized(4, (bits, report) => {
    for (const event of eventsOfBits(~bits, eventByBit)) report.event(event);
    const read = Object.keys(eventByBit).reduce((mask, bit) => mask | (1 << Number(bit)), 0);
    if ((~bits & ~read) !== 0) report.unread.push("other state bits");
  });
}

/** Three forms: the zone of all times in the report as text, cells of the network, or the list. */
export function readExtendedItem(value: Uint8Array, report: Jt808Report): boolean {
  const zone = /^UTC([+-])(\d\d):(\d\d)$/.exec(textOf(value));
  if (zone !== null) {
    const minutes = Number(zone[2]) * 60 + Number(zone[3]);
    const isZone = minutes <= 14 * 60;
    if (isZone) report.zoneMinutes = zone[1] === "-" ? -minutes : minutes;
    return isZone;
  }
  const parts = partsOf(value);
  if (parts === null) return false;
  for (const { id, value: part } of parts) {
    if (extendedItems.get(id)?.(part, report) !== true) report.unread.push(`item 0xeb/${hexNumber(id, 4)}`);
  }
  return true;
}

/** The length counts the number too. Null: it is no such list. */
function partsOf(value: Uint8Array): readonly { readonly id: number; readonly value: Uint8Array }[] | null {
  const parts = [];
  for (let at = 0; at < value.length; ) {
    const length = numberIn(value.subarray(at, at + 2));
    const end = at + 2 + length;
    if (length < 2 || end > value.length) return null;
    parts.push({ id: numberIn(value.subarray(at + 2, at + 4)), value: value.subarray(at + 4, end) });
    at = end;
  }
  return parts;
}
