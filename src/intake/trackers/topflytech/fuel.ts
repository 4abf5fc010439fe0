import type { FuelReport } from "../../../domain/frame.ts";
import { fuelReport } from "../kit/sensors.ts";

/** What is left in the tank, by the diagnostic socket: litres if the highest bit is set, else percent. All ones: not known. */
export function fuelOfSocket(byte: number): FuelReport | null {
  if (byte === 0xff || byte === 0) return null;
  return (byte & 0x80) === 0 ? fuelReport("obd", byte) : fuelReport("obd", null, byte & 0x7f);
}
