import type { SensorReport, TemperatureReport } from "../../../domain/frame.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { hexNumberOf, queclinkNumber } from "./message.ts";
import type { Model } from "./models.ts";

/** What accessories report, and what of it has no meaning for us. */
export interface AccessoryReadings {
  readonly sensors: readonly SensorReport[];
  readonly unread: readonly string[];
}

/** Reads columns from front to back. Past the end it gives empty ones. */
class Columns {
  readonly #columns: readonly string[];
  #at = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  next(): string {
    return this.#columns[this.#at++] ?? "";
  }

  /** How many groups follow; never more than there are columns. */
  count(): number {
    return Math.max(0, Math.min(queclinkNumber(this.next()) ?? 0, this.#columns.length - this.#at));
  }
}

/** Bits of the mask in report ERI, in the order of their columns. */
const rawFuelBit = 0;
const oneWireBit = 1;
const canBit = 2;
const fuelPercentBit = 3;
const fuelVolumeBit = 4;
const radioBit = 7;
const bluetoothBit = 8;

/** `columns` begin after the state of the device: the kind of the serial device, then what the mask names. */
export function readAccessories(mask: number, model: Model, columns: readonly string[]): AccessoryReadings {
  if (mask === 0) return { sensors: [], unread: [] };
  // GL320M gives the bits another meaning.
  if (model.batteryAfterMileage === true) return { sensors: [], unread: ["accessories"] };
  const reader = new Columns(columns);
  const sensors: SensorReport[] = [];
  const unread: string[] = [];
  const has = (bit: number) => (mask & (1 << bit)) !== 0;
  reader.next();
  // Without the tank's calibration it is no level.
  if (has(rawFuelBit) && reader.next() !== "") unread.push("digital fuel sensor");
  if (has(oneWireBit)) {
    for (let left = reader.count(); left > 0; left--) {
      const [id, kind, data] = [reader.next(), reader.next(), reader.next()];
      if (kind === thermometer) sensors.push(temperatureReport(id, sixteenthsOf(data)));
      else if (id !== "") unread.push(`1-wire device of type ${kind}`);
    }
  }
  // Its length depends on a mask of its own, so what follows cannot be found.
  if (has(canBit)) return { sensors, unread: [...unread, "CAN data"] };
  if (has(fuelPercentBit) || has(fuelVolumeBit)) {
    for (let number = 1, count = reader.count(); number <= count; number++) {
      reader.next();
      const level = has(fuelPercentBit) ? queclinkNumber(reader.next()) : null;
      const volume = has(fuelVolumeBit) ? queclinkNumber(reader.next()) : null;
      sensors.push(fuelReport(`fuel ${number}`, level, volume));
    }
  }
  if (has(radioBit)) return { sensors, unread: [...unread, "radio accessories"] };
  if (has(bluetoothBit)) {
    for (let left = reader.count(); left > 0; left--) sensors.push(bluetooth(reader));
    unread.push("kind of an accessory", "address of an accessory", "battery of an accessory");
  }
  return { sensors, unread };
}

/** The type of a 1-wire device that measures. The other one is an iButton, and its data is no temperature. */
const thermometer = "1";

/** In sixteenths of a degree, as a signed number of 16 bits. */
function sixteenthsOf(data: string): number | null {
  const raw = hexNumberOf(data);
  if (raw === null) return null;
  return (raw > 0x7fff ? raw - 0x10000 : raw) / 16;
}

/** Which columns a Bluetooth accessory has, by the bits of its own mask. */
const nameBit = 0;
const addressBit = 1;
const temperatureBit = 4;
const humidityBit = 5;
/** To a hundredth of a degree, if the accessory has it. */
const fineTemperatureBit = 11;

function bluetooth(reader: Columns): TemperatureReport {
  for (let skipped = 0; skipped < 3; skipped++) reader.next();
  // GV600M writes the length of the raw data before it. A mask has four digits, a length at most three.
  reader.next();
  let maskText = reader.next();
  if (!/^[0-9A-F]{4}$/i.test(maskText)) maskText = reader.next();
  const mask = hexNumberOf(maskText) ?? 0;
  const columns = Array.from({ length: 16 }, (_, bit) => ((mask & (1 << bit)) === 0 || bit === 6 ? "" : reader.next()));
  return temperatureReport(
    columns[nameBit] || columns[addressBit] || "",
    queclinkNumber(columns[fineTemperatureBit]) ?? queclinkNumber(columns[temperatureBit]),
    queclinkNumber(columns[humidityBit]),
  );
}
