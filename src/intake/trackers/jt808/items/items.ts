import { textOf } from "../../kit/bytes.ts";
import { hexNumber } from "../../kit/values.ts";
import { alarmBitsOfLocators } from "../alarms.ts";
import type { Jt808Report } from "../report.ts";
import { itemList, numberIn, signAndAmount } from "../tlv.ts";
import { readExtendedItem } from "./extended.ts";
import { readHollooAlarms, readHollooBasics, readHollooCar } from "./holloo.ts";
import { batteryLevel, firstOf, type ItemReader, sized } from "./item-reader.ts";
import { readJimiItem } from "./jimi.ts";
import { maskedItems } from "./masked.ts";
import { markedAlarms, safetyItems } from "./safety.ts";
import { outerSensor, sensorItems } from "./sensors.ts";

/** Readings of an engine in a list of its own. Trackers of another vendor have one byte there. */
function engineList(value: Uint8Array, report: Jt808Report): boolean {
  const { items, isWhole } = itemList(value, { id: 2, length: 1 });
  if (!isWhole || items.length === 0) return false;
  for (const { id, value: reading } of items) {
    if (id === 0x0004 && reading.length === 2) report.supply(numberIn(reading) / 1000);
    // Many engines do not know it and send 0.
    else if (id === 0x0005 && reading.length === 4 && numberIn(reading) > 0) report.odometer(numberIn(reading) / 10);
    else report.unread.push(`item 0xf3/${hexNumber(id, 4)}`);
  }
  return true;
}

/** Of one byte it is a percentage, except that SK-01 sends 0 whatever its battery has. Two bytes are the standard's temperature. */
function batteryOrTemperature(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length === 2) report.temperature(1, signAndAmount(numberIn(value)));
  return value.length === 2 || (numberIn(value) !== 0 && batteryLevel(value, report));
}

/** The highest bit says that it is a share of the tank, not tenths of a litre. */
const fuel = sized(2, (word, report) =>
  report.fuel(word & 0x8000 ? { level_percent: word & 0x7fff } : { volume_l: word / 10 }),
);

/** A level of 0 to 10, then a percentage, which only some trackers send. */
function levelAndPercent(value: Uint8Array, report: Jt808Report): boolean {
  const [level = 0, percent = 0] = value;
  if (value.length !== 2) return false;
  report.alarmBits = alarmBitsOfLocators;
  report.battery(Math.abs(percent - level * 10) <= 10 && percent > 0 ? percent : level * 10);
  return true;
}

/** Level and voltage of the battery; wired trackers send a level of 0 and the voltage of the vehicle. */
function batteryOrSupply(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 6) return false;
  const [level = 0, volts] = [value[1], numberIn(value.subarray(2, 4)) / 100];
  const isNeither = level === 0 && volts === 0;
  if (value[0] !== 0 || numberIn(value.subarray(4)) > 0) report.unread.push("item 0xe3, other values");
  if (!report.supplyOrCell(volts) && !isNeither) report.battery(level);
  return true;
}

/** Signal, supply and battery in millivolts, satellites. Other trackers have cells of the network there. */
function lockState(value: Uint8Array, report: Jt808Report): boolean {
  if (value.length !== 6) return false;
  report.supply(numberIn(value.subarray(1, 3)) / 1000);
  report.fields.satellites = value[5] ?? 0;
  report.unread.push("signal and voltage of the lock's battery");
  return true;
}

/** The event of a lock: who opened it is at the end. */
function lockEvent(value: Uint8Array, report: Jt808Report): boolean {
  const event = numberIn(value.subarray(0, 2));
  if (event < 0x61 || event > 0x66 || value.length < 10) return false;
  report.driver(textOf(value.subarray(-8)));
  return true;
}

const driverNumber = sized(4, (number, report) => report.driver(String(number)));

function driverText(value: Uint8Array, report: Jt808Report): boolean {
  report.driver(textOf(value));
  return true;
}

const supplyTenths = sized(2, (volts, report) => report.supply(volts / 10));

const items: ReadonlyMap<number, ItemReader> = new Map<number, ItemReader>([
  ...safetyItems,
  ...sensorItems,
  ...maskedItems,
  [0x01, sized(4, (tenths, report) => report.odometer(tenths / 10))],
  [0x02, fuel],
  [0x06, batteryOrTemperature],
  [
    0x31,
    sized(1, (satellites, report) => {
      report.fields.satellites = satellites;
    }),
  ],
  [0x56, levelAndPercent],
  [0x60, lockEvent],
  [0x61, sized(2, (volts, report) => report.supply(volts / 100))],
  [0x68, sized(2, (percent, report) => report.battery(percent / 100))],
  [0x82, supplyTenths],
  [0x8c, sized(4, (tenths, report) => report.odometer(tenths / 10))],
  [0x8e, sized(1, (percent, report) => report.fuel({ level_percent: percent }))],
  [0xac, sized(4, (metres, report) => report.odometer(metres / 1000))],
  [0xbd, driverText],
  [0xd3, (value, report) => value.length === 2 && report.supplyOrCell(numberIn(value) / 10)],
  [0xd4, firstOf(batteryLevel, driverNumber)],
  [0xe1, firstOf(batteryLevel, supplyTenths, driverNumber)],
  [0xe2, sized(4, (tenths, report) => report.fuel({ volume_l: tenths / 10 }))],
  [0xe3, batteryOrSupply],
  [0xe4, (value, report) => batteryLevel(value.subarray(1), report)],
  [0xe8, readJimiItem],
  [0xe9, firstOf(batteryLevel, driverNumber)],
  [0xea, firstOf(readHollooBasics, outerSensor)],
  [0xeb, firstOf(readExtendedItem, readHollooCar)],
  [0xee, lockState],
  [0xf1, sized(4, (millivolts, report) => report.supply(millivolts / 1000))],
  [0xf3, engineList],
  [0xfa, readHollooAlarms],
  [
    0xfe,
    firstOf(
      batteryLevel,
      (value, report) => value.length === 2 && report.supplyOrCell(numberIn(value) / 10),
      markedAlarms,
    ),
  ],
]);

/** What is not read, but known: for the owner. */
const nameByItem: ReadonlyMap<number, string> = new Map<number, string>([
  [0x03, "speed of the recorder"],
  [0x04, "event to be confirmed"],
  [0x05, "tyre pressure"],
  [0x13, "time on a route"],
  [0x14, "video alarms"],
  [0x25, "vehicle signals"],
  [0x2a, "inputs and outputs"],
  [0x2b, "analogue inputs"],
  [0x30, "signal strength"],
  [0x53, "cells"],
  [0x54, "wireless networks"],
  [0x5d, "cells"],
  [0x64, "driver assistance"],
  [0x65, "driver monitoring"],
  [0x69, "battery voltage"],
  [0xcc, "SIM card"],
  [0xec, "wireless networks"],
  [0xf0, "cells"],
]);

/** Reads the items behind a location. What has no meaning for us is named. */
export function readItems(bytes: Uint8Array, report: Jt808Report): void {
  const list = itemList(bytes, { id: 1, length: 1 });
  for (const { id, value } of list.items) {
    if (items.get(id)?.(value, report) === true) continue;
    const name = nameByItem.get(id);
    report.unread.push(`item ${hexNumber(id)}${name === undefined ? "" : ` (${name})`}`);
  }
  if (!list.isWhole) report.unread.push("a cut item");
}
