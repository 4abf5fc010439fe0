import type { EpisodeType } from "./episode.ts";

/** The unit of an alert's value and threshold. */
export function alertUnit(alertType: EpisodeType): string | null {
  switch (alertType) {
    case "speeding":
      return "km/h";
    case "idling":
    case "gps_lost":
      return "s";
    case "low_battery":
      return "%";
    case "low_external_voltage":
      return "V";
    case "temperature_high":
    case "temperature_low":
    case "tyre_temperature_high":
      return "°C";
    case "tyre_pressure_low":
      return "kPa";
    default:
      return null;
  }
}

/** The alert in one sentence for a person. The value is null until it is known. */
export function alertMessage(
  alertType: EpisodeType,
  qualifier: string,
  value: number | null,
  threshold: number | null,
): string {
  const found = rounded(value);
  const limit = rounded(threshold);
  switch (alertType) {
    case "speeding":
      return `${found} km/h where ${limit} km/h are allowed`;
    case "sos":
      return "The panic button was pressed";
    case "crash":
      return "The tracker reports a crash";
    case "power_cut":
      return "The tracker was cut off from the vehicle's power";
    case "tampering":
      return "The tracker reports that it was tampered with";
    case "jamming":
      return "The tracker reports that its radio is jammed";
    case "harsh_acceleration":
      return "Harsh acceleration";
    case "harsh_braking":
      return "Harsh braking";
    case "harsh_cornering":
      return "Harsh cornering";
    case "towing":
      return "The vehicle was moved with its ignition off";
    case "idling":
      return value === null
        ? `The engine has been running at a standstill for over ${minutes(threshold)} min`
        : `The engine ran at a standstill for ${minutes(value)} min`;
    case "low_battery":
      return `The tracker's battery is at ${found} %, below ${limit} %`;
    case "low_external_voltage":
      return `The vehicle's supply is at ${found} V, below ${limit} V`;
    case "temperature_high":
      return `${found} °C at ${qualifier}, above ${limit} °C`;
    case "temperature_low":
      return `${found} °C at ${qualifier}, below ${limit} °C`;
    case "tyre_pressure_low":
      return `${found} kPa in ${qualifier}, where ${limit} kPa is already low`;
    case "tyre_temperature_high":
      return `${found} °C in ${qualifier}, where ${limit} °C is already hot`;
    case "gps_lost":
      return value === null
        ? `No position for over ${minutes(threshold)} min of a trip`
        : `No position for ${minutes(value)} min of a trip`;
  }
}

/** As a person writes it: at most one decimal. */
export function rounded(value: number | null): string {
  return value === null ? "?" : String(Math.round(value * 10) / 10);
}

function minutes(seconds: number | null): string {
  return seconds === null ? "?" : String(Math.floor(seconds / 60));
}
