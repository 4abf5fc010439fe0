import type { FuelReport, TemperatureReport } from "../../../domain/frame.ts";

/** Readings of sensors, as frames have them. Null: not sent. */

export function temperatureReport(
  sensor: string,
  celsius: number | null,
  humidity: number | null = null,
): TemperatureReport {
  return { kind: "temperature", sensor, temperature_c: celsius, humidity_percent: humidity };
}

export function fuelReport(sensor: string, level: number | null, volume: number | null = null): FuelReport {
  return { kind: "fuel", sensor, level_percent: level, volume_l: volume };
}
