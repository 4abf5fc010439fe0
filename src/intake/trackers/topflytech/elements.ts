import { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { hexNumber } from "../kit/values.ts";
import { addTopflytechAlarm, vehicleOrPortableEvents } from "./events.ts";
import { encryptedBit, portable } from "./framer.ts";
import { fuelOfSocket } from "./fuel.ts";
import { readDigitTime, readPlace, reportOfReading, type TopflytechReading } from "./report.ts";

type ElementContents = ReturnType<typeof reportOfReading> & { readonly alarm: number };

/** Elements come in lists: settings, what is measured, and what has a length of its own. */
const [settings, measured, long] = [1, 2, 3];

/** Newer trackers of all kinds send lists of elements instead of columns. */
export function readElements(reader: ByteReader, kind: number): ElementContents {
  const reading: TopflytechReading = { fields: {}, sensors: [], events: [], unread: [], at: null, alarm: 0 };
  reader.pass(1, "checksum", reading.unread);
  const info = reader.u8();
  if ((info & encryptedBit) !== 0) {
    const problem = problemOf("unknown_message", "an encrypted message: switch encryption off");
    return { frames: [], leftOut: [], unread: [], problem, alarm: 0 };
  }
  if (info !== 0) reading.unread.push("whether it was stored, whether it wants an answer");
  reading.at = readDigitTime(reader);
  const weather: Weather = { celsius: null, humidity: null };
  while (reader.left >= 2 && !reader.isShort) readList(reader, kind, reading, weather);
  if (weather.celsius !== null || weather.humidity !== null)
    reading.sensors.push(temperatureReport("external", weather.celsius, weather.humidity));
  // Where there are cells or Wi-Fi, or nothing, there is no place.
  reading.fields.fix ??= false;
  return { ...reportOfReading(reading), alarm: reading.alarm };
}

/** Of the thermometer that is plugged in. */
interface Weather {
  celsius: number | null;
  humidity: number | null;
}

function readList(reader: ByteReader, kind: number, reading: TopflytechReading, weather: Weather): void {
  const list = reader.u8();
  const count = list === long ? reader.u16() : reader.u8();
  if (list !== settings && list !== measured && list !== long) {
    reader.pass(reader.left, `list ${list}`, reading.unread);
    return;
  }
  for (let left = count; left > 0 && !reader.isShort; left--) {
    const id = list === long ? reader.u16() : reader.u8();
    const value = reader.take(list === long ? reader.u8() : widthOf(list, id));
    if (reader.isShort) return;
    if (list === settings) new ByteReader(value).pass(value.length, "settings", reading.unread);
    else if (list === measured) takeMeasured(id, value, kind, reading, weather);
    else takeLong(id, value, reading);
  }
}

/** An element's number says how many bytes it has. */
function widthOf(list: number, id: number): number {
  if (list === measured) return id < 0x60 ? 1 : id < 0xa0 ? 2 : 4;
  return id < 0x80 ? 1 : id < 0xc0 ? 2 : id < 0xf0 ? 4 : 8;
}

function takeMeasured(id: number, value: Uint8Array, kind: number, reading: TopflytechReading, weather: Weather): void {
  const reader = new ByteReader(value);
  const { fields, unread } = reading;
  switch (id) {
    case 0x01:
      reading.alarm = reader.u8();
      addTopflytechAlarm(reading, vehicleOrPortableEvents(kind), reading.alarm);
      return;
    case 0x07: {
      const percent = reader.u8();
      fields.battery_percent = percent === 0xff ? null : percent;
      return;
    }
    case 0x61: {
      const state = reader.u8();
      // A portable tracker has no wire to the key.
      if (kind !== portable) fields.ignition = (state & 0x80) !== 0;
      if ((kind === portable ? state : state & 0x7f) !== 0) unread.push("inputs and charging");
      reader.pass(1, "second byte of the inputs", unread);
      return;
    }
    case 0x62: {
      const speed = reader.u16();
      fields.speed_kmh = speed === 0xffff ? null : speed;
      return;
    }
    case 0x64:
      weather.celsius = ofParts(value[0] ?? 0, value[1] ?? 0, (value[1] ?? 0) & 0x80);
      return;
    case 0x65:
      weather.humidity = ofParts((value[0] ?? 0) & 0x7f, value[1] ?? 0, 0);
      return;
    case 0xa0: {
      const metres = reader.u32();
      fields.odometer_km = metres === 0 ? null : metres / 1000;
      return;
    }
    case 0xa1: {
      const millivolts = reader.u32();
      // Without a supply it is 0.
      fields.external_voltage_v = millivolts === 0 || millivolts === 0xffff_ffff ? null : millivolts / 1000;
      return;
    }
    default:
      reader.pass(value.length, `measured ${hexNumber(id)}`, unread);
  }
}

/** A whole part and hundredths, of which the highest bit may be the sign. All ones: no sensor. */
function ofParts(whole: number, hundredths: number, sign: number): number | null {
  const isMissing = (whole & 0x7f) === 0x7f && hundredths === 0xff;
  return isMissing ? null : (sign === 0 ? 1 : -1) * (whole + (hundredths & 0x7f) / 100) + 0;
}

const allOnes = (value: Uint8Array) => value.length > 0 && value.every((byte) => byte === 0xff);

function takeLong(id: number, value: Uint8Array, reading: TopflytechReading): void {
  const reader = new ByteReader(value);
  const { fields, sensors, unread } = reading;
  if (id === 0x01 && value.length >= 17 && !allOnes(value)) {
    const place = readPlace(reader);
    const heading = reader.u16();
    Object.assign(fields, place, place.fix === true ? { heading_deg: heading } : {});
    reader.pass(2, "dilution", unread);
    const satellites = reader.u8();
    fields.satellites = satellites === 0xff ? null : satellites;
    reader.pass(reader.left, "bytes behind the place", unread);
    return;
  }
  if (id === 0x07 && value.length >= 17) {
    reader.pass(16, "engine values", unread);
    const fuel = fuelOfSocket(reader.u8());
    if (fuel !== null) sensors.push(fuel);
    reader.pass(reader.left, "engine values", unread);
    return;
  }
  if (!allOnes(value)) reader.pass(value.length, longNames.get(id) ?? `data ${hexNumber(id, 4)}`, unread);
}

const longNames: ReadonlyMap<number, string> = new Map([
  [0x01, "place"],
  [0x02, "cell towers"],
  [0x03, "cell towers"],
  [0x04, "Wi-Fi"],
  [0x05, "acceleration"],
  [0x06, "rotation"],
  [0x07, "engine values"],
  [0x08, "battery of an electric vehicle"],
  [0x0d, "battery of an electric vehicle"],
]);
