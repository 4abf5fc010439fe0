import type { AlertType } from "../../../domain/alert-types.ts";
import type { Alert } from "../api/records.ts";
import type { Show } from "../common/show.ts";
import type { Texts } from "../texts/texts.ts";

/** Alerts in the person's language and units. The API's own message is English and metric. Pure. */
type Words = Texts["alerts"];

/** A type that is newer than this page: `door_open` as "Door open". */
export function typeWords(alertType: string, { types }: Words): string {
  const known: Readonly<Record<string, string>> = types;
  const name = Object.hasOwn(known, alertType) ? known[alertType] : undefined;
  return name ?? capitalised(alertType.replaceAll("_", " "));
}

/**
 * What happened, in a sentence; null if the type says it all. Where this page does not know the type, or a figure is missing,
 * the API's message.
 */
export function alertSentence(alert: Alert, words: Words, show: Show): string | null {
  const own = ownSentence(alert, words, show);
  if (own !== undefined) return own;
  return isSaidByType(alert) ? null : capitalised(alert.message);
}

/** Undefined: there is none. */
function ownSentence(alert: Alert, { sentences }: Words, show: Show): string | null | undefined {
  const { value, threshold, unit, message } = alert;
  const type = alert.alert_type as AlertType;
  switch (type) {
    case "sos":
    case "crash":
    case "power_cut":
    case "tampering":
    case "jamming":
    case "towing":
      return sentences[type];
    case "harsh_acceleration":
    case "harsh_braking":
    case "harsh_cornering":
      return null;
    case "geofence_enter":
    case "geofence_exit":
      return sentences[type](fenceIn(message));
    case "idling":
    case "gps_lost":
      if (value !== null) return sentences[type](show.duration(value));
      return threshold === null ? undefined : sentences[`${type}_lasts`](show.duration(threshold));
    case "device_offline":
      return threshold === null ? undefined : sentences.device_offline(show.duration(threshold));
    case "fuel_drain":
    case "fuel_refill": {
      const sensor = nameIn(message, /(?:filled into|taken from) (.+)$/s);
      if (value === null || sensor === null) return undefined;
      return sentences[type](unit === "L" ? show.volume(value) : show.percent(value, 1), sensor);
    }
    default:
      return value === null || threshold === null ? undefined : measured(type, value, threshold);
  }

  function measured(name: string, found: number, limit: number): string | undefined {
    const sensor = nameIn(message, / (?:at|in) (.+), (?:above|below|where) /s);
    switch (name) {
      case "speeding":
        return sentences.speeding(show.speed(found), show.speed(limit));
      case "low_battery":
        return sentences.low_battery(show.percent(found), show.percent(limit));
      case "low_external_voltage":
        return sentences.low_external_voltage(`${show.number(found, 1)} V`, `${show.number(limit, 1)} V`);
      case "temperature_high":
      case "temperature_low":
      case "tyre_temperature_high":
        return sensor === null ? undefined : sentences[name](show.temperature(found), sensor, show.temperature(limit));
      case "tyre_pressure_low":
        if (sensor === null) return undefined;
        return sentences.tyre_pressure_low(`${show.number(found)} kPa`, sensor, `${show.number(limit)} kPa`);
      default:
        return undefined;
    }
  }
}

/** The name of a sensor or a fence: only the message has it. */
function nameIn(message: string, pattern: RegExp): string | null {
  return pattern.exec(message)?.[1] ?? null;
}

/** Undefined: nobody knows it any more. */
function fenceIn(message: string): string | undefined {
  const name = nameIn(message, /^(?:Entered|Left) (.+)$/s);
  return name === null || name === "a geofence" ? undefined : name;
}

/** The message of some alerts is only their type. */
function isSaidByType({ alert_type, message }: Alert): boolean {
  return message.toLowerCase() === alert_type.replaceAll("_", " ");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
