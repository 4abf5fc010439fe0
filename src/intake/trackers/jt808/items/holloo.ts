import { eventsByCode } from "../../kit/events.ts";
import { hexNumber } from "../../kit/values.ts";
import type { Jt808Report } from "../report.ts";
import { itemList, numberIn } from "../tlv.ts";
import type { ItemReader } from "./item-reader.ts";

/**
 * Trackers at the diagnostic socket by Holloo, also sold by Seeworld: items 0xEA to 0xFA hold lists whose numbers have two bytes.
 * Other vendors use the same items for other things, so a list must end where the item ends.
 */
function listOf(read: (id: number, value: Uint8Array, report: Jt808Report) => boolean, item: number): ItemReader {
  return (bytes, report) => {
    const { items, isWhole } = itemList(bytes, { id: 2, length: 1 });
    if (!isWhole || items.length === 0) return false;
    for (const { id, value } of items) {
      if (!read(id, value, report)) report.unread.push(`item ${hexNumber(item)}/${hexNumber(id, 4)}`);
    }
    return true;
  };
}

const eventByAlarm = eventsByCode([
  ["door", 0x0005, 0x010f],
  ["towing", 0x0101],
  ["power_cut", 0x0103],
  ["power_restored", 0x0104],
  ["low_power", 0x0105],
  ["idling", 0x0106],
  ["overspeed", 0x0107],
  ["fatigue_driving", 0x0108],
  ["temperature", 0x0109],
  ["general", 0x0110],
  ["harsh_acceleration", 0x0111],
  ["harsh_braking", 0x0112, 0x0401, 0x0402],
  ["harsh_cornering", 0x0113],
  ["crash", 0x0114],
  ["vibration", 0x0115],
  ["high_rpm", 0x0403],
  ["tampering", 0x0407, 0x0408],
  ["low_battery", 0x040a],
]);

/** Only says that the ignition changed, which the status says too. */
const ignitionChanges = new Set([0x0001, 0x0002]);

function alarm(id: number, value: Uint8Array, report: Jt808Report): boolean {
  const event = eventByAlarm.get(id);
  report.event(event);
  if (event !== undefined && numberIn(value.subarray(0, 4)) > 0) report.unread.push("details of the alarm");
  return event !== undefined || ignitionChanges.has(id);
}

function basicValue(id: number, value: Uint8Array, report: Jt808Report): boolean {
  // How it is measured, then metres.
  if (id === 0x0003 && value.length === 5) report.odometer(numberIn(value.subarray(1)) / 1000);
  else if (id === 0x0012 && value.length === 2) report.supply(numberIn(value) / 10);
  else if (id === 0x0018 && value.length === 1) report.fields.satellites = numberIn(value);
  else if (id === 0x0019 && value.length === 2) report.fields.hdop = numberIn(value) / 100;
  else return false;
  return true;
}

/** What is left in the tank: the highest bit says litres, else it is a percentage. */
function carValue(id: number, value: Uint8Array, report: Jt808Report): boolean {
  if (id !== 0x62f0 || value.length !== 2) return false;
  const [word, tenths] = [numberIn(value), numberIn(value) & 0x7fff];
  report.fuel(word & 0x8000 ? { volume_l: tenths / 10 } : { level_percent: tenths / 10 });
  return true;
}

export const readHollooBasics = listOf(basicValue, 0xea);
export const readHollooCar = listOf(carValue, 0xeb);
export const readHollooAlarms = listOf(alarm, 0xfa);
