import { type AlertType, alertKind, type Severity, severities } from "../../../domain/alert-types.ts";
import type { Alert } from "../contract/data.ts";
import { sensorName } from "../reading/sensor-name.ts";
import type { Show } from "../reading/show.ts";
import type { Texts } from "../texts/texts.ts";

/** The most serious first. */
export const bySeverity: readonly Severity[] = severities.toReversed();

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

function ownSentence(alert: Alert, words: Words, show: Show): string | null | undefined {
  const { sentences } = words;
  if (!Object.hasOwn(sentences, alert.alert_type)) return undefined;
  const type = alert.alert_type as AlertType;
  const sentence = sentences[type];
  if (typeof sentence !== "function") return sentence;
  const { unit, source } = alertKind(type);
  const { value, threshold, message } = alert;
  const name = namePatterns[source]?.exec(message)?.[1];
  const isNamed = source === "fuel" || source === "sensor";
  // The duration of what lasts is not known yet.
  const isMeasured = source === "fuel" || (unit !== null && unit !== "s");
  if ((isNamed && name === undefined) || (isMeasured && value === null)) return undefined;
  if (unit !== null && threshold === null) return undefined;
  const shown = (figure: number | null) => (figure === null ? null : show.figure(figure, alert.unit));
  const called = name === undefined || !isNamed ? name : sensorName(name, words);
  return sentence({ value: shown(value), limit: shown(threshold), name: called === "a geofence" ? undefined : called });
}

/** Only the message has the name of a sensor or a fence. */
const namePatterns: Readonly<Partial<Record<ReturnType<typeof alertKind>["source"], RegExp>>> = {
  crossing: /^(?:Entered|Left) (.+)$/s,
  fuel: /(?:filled into|taken from) (.+)$/s,
  sensor: / (?:at|in) (.+), (?:above|below|where) /s,
};

/** The message of some alerts is only their type. */
function isSaidByType({ alert_type, message }: Alert): boolean {
  return message.toLowerCase() === alert_type.replaceAll("_", " ");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
