import type { ByteReader } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { hexNumber } from "../kit/values.ts";
import { readDigitTime } from "./report.ts";

type Sensor = NonNullable<ReadFields["sensors"]>[number];

interface Accessories {
  readonly at: number | null;
  readonly ignition: boolean;
  readonly sensors: Sensor[];
  readonly events: TrackerEvent[];
  readonly unread: string[];
  driver: string | null;
}

/** Bluetooth accessories, and how many bytes each has behind its kind and its address. */
const [tyre, button, driverTag, thermometer, door, relay] = [1, 2, 3, 4, 5, 6] as const;
const bytesOfKind: Readonly<Record<number, number>> = {
  [tyre]: 4,
  [button]: 19,
  [driverTag]: 19,
  [thermometer]: 9,
  [door]: 6,
  [relay]: 3,
};
const [pressed, low] = [0, 1];

/** The moment, the ignition, then accessories one behind another. */
export function readTopflytechAccessories(reader: ByteReader): Accessories {
  const read: Accessories = {
    at: readDigitTime(reader),
    ignition: reader.u8() > 0,
    ...{ sensors: [], events: [], unread: [], driver: null },
  };
  while (reader.left > 2) {
    const kind = reader.u16();
    const length = bytesOfKind[kind];
    // What follows one that we do not know cannot be found.
    if (length === undefined) reader.pass(reader.left, `accessory ${hexNumber(kind, 4)}`, read.unread);
    else takeAccessory(reader, kind, length, read);
  }
  return read;
}

function takeAccessory(reader: ByteReader, kind: number, length: number, read: Accessories): void {
  const id = reader.take(6).toHex();
  const end = reader.at + length;
  if (kind === thermometer || kind === door) {
    reader.pass(1 + 1, "battery of an accessory", read.unread);
    const word = reader.u16();
    const celsius = ((word & 0x8000 ? -1 : 1) * (word & 0x7fff)) / 100;
    const humidity = kind === thermometer ? reader.u16() / 100 : null;
    read.sensors.push(temperatureReport(id, celsius + 0, humidity));
  } else if (kind === button || kind === driverTag) {
    reader.pass(1, "battery of an accessory", read.unread);
    const alarm = reader.u8();
    if (kind === button && alarm === pressed) read.events.push("sos");
    if (alarm === low) read.events.push("low_battery");
    if (kind === driverTag) read.driver = id;
  }
  reader.pass(Math.max(0, end - reader.at), `values of accessory ${hexNumber(kind, 4)}`, read.unread);
}

export function framesOfAccessories(read: Accessories, leftOut: string[]): readonly TrackerFrame[] {
  const { at, ignition, sensors, events, driver } = read;
  return at === null ? [] : trackerFrames(at, { ignition, sensors, driver_id: driver }, events, leftOut);
}
