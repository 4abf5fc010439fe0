import type { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { trackerFrames } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { hexNumber } from "../kit/values.ts";
import type { Contents } from "./contents.ts";
import { portable } from "./framer.ts";
import { newReading, readDigitTime, readPlace, readSpeed, type TopflytechReading } from "./report.ts";
import { isPlaceBit, placeBytes, satellitesBits } from "./state.ts";

/** Bluetooth accessories. Behind the address of each: how many bytes, and at which of them the temperature is. */
const [mixed, tyre, button, driverTag, thermometer, door, relay, fuelProbe] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const bytesOfKind: Readonly<Record<number, number>> = {
  [tyre]: 4,
  [button]: 2,
  [driverTag]: 2,
  [thermometer]: 9,
  [door]: 6,
  [relay]: 6,
  [fuelProbe]: 9,
};
const temperatureAt: Readonly<Record<number, number>> = { [thermometer]: 2, [door]: 2, [relay]: 2, [fuelProbe]: 3 };
const addressBytes = 6;
const lowBattery = 1;
const none = 0xffff;

/**
 * The moment, the ignition, in a newer form the place, then accessories: all of one kind, or each with its kind before it.
 * In the older form a button or a tag has its own place.
 */
export function accessoryContents(reader: ByteReader, trackerKind: number, hasPlace: boolean): Contents {
  const reading = newReading();
  reading.at = readDigitTime(reader);
  const flags = reader.u8();
  // A portable tracker has no wire to the key.
  if (trackerKind !== portable) reading.fields.ignition = (flags & 1) !== 0;
  else if (flags !== 0) reading.unread.push("state of the tracker");
  if (hasPlace) readPlaceAndState(reader, reading);
  const common = reader.left >= 2 ? reader.u16() : mixed;
  while (reader.left > 2) {
    const kind = common === mixed ? reader.u16() : common;
    // What follows one that we do not know cannot be found.
    if (bytesOfKind[kind] === undefined) reader.pass(reader.left, `accessory ${hexNumber(kind, 4)}`, reading.unread);
    else takeAccessory(reader, kind, !hasPlace, reading);
  }
  const { at, fields, sensors, events, unread } = reading;
  const leftOut: string[] = [];
  const frames = at === null ? [] : trackerFrames(at, { ...fields, sensors }, events, leftOut);
  const problem = at === null ? problemOf("no_time", "no such time") : null;
  return { what: "accessories", frames, leftOut, unread, problem };
}

function takeAccessory(reader: ByteReader, kind: number, hasOwnPlace: boolean, reading: TopflytechReading): void {
  const { fields, sensors, events, unread } = reading;
  const id = reader.take(addressBytes).toHex();
  const from = reader.at;
  if (kind === button || kind === driverTag) {
    reader.pass(1, "battery of an accessory", unread);
    const isLow = reader.u8() === lowBattery;
    if (isLow) events.push("low_battery");
    else if (kind === button) events.push("sos");
    if (kind === driverTag) fields.driver_id = id;
    if (hasOwnPlace) readPlaceAndState(reader, reading);
    return;
  }
  const end = from + (bytesOfKind[kind] ?? 0);
  const offset = temperatureAt[kind];
  if (offset !== undefined) {
    reader.pass(offset, "battery of an accessory", unread);
    const celsius = signedHundredths(reader.u16());
    const humidity = kind === thermometer ? reader.u16() : none;
    const percent = humidity === none ? null : humidity / 100;
    if (celsius !== null || percent !== null) sensors.push(temperatureReport(id, celsius, percent));
  }
  reader.pass(Math.max(0, end - reader.at), `values of accessory ${hexNumber(kind, 4)}`, unread);
}

/** The highest bit is the sign. */
function signedHundredths(word: number): number | null {
  return word === none ? null : ((word & 0x8000 ? -1 : 1) * (word & 0x7fff)) / 100 + 0;
}

function readPlaceAndState(reader: ByteReader, { fields, unread }: TopflytechReading): void {
  const state = reader.u8();
  if ((state & ~(isPlaceBit | satellitesBits)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  fields.satellites = state & satellitesBits;
  if ((state & isPlaceBit) === 0) {
    fields.fix = false;
    reader.pass(placeBytes, "cell towers", unread);
    return;
  }
  const place = readPlace(reader);
  const motion = { speed_kmh: readSpeed(reader), heading_deg: reader.u16() };
  Object.assign(fields, place, place.fix === true ? motion : {});
}
