import type { Severity } from "../alert-types.ts";

/** How soon a mail comes: with the alert, or with others of a quarter of an hour, an hour or a day. The soonest is first. */
export const pacings = ["at_once", "quarter_hour", "hour", "day"] as const;

export type Pacing = (typeof pacings)[number];

/** Minutes of the day, from the first to before the second; over midnight if the second is not later. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

/** Which alerts. Null: any. A vehicle is meant if it is named or has one of the tags. */
export interface AlertsWanted {
  readonly alertTypes: readonly string[] | null;
  readonly severities: readonly Severity[] | null;
  readonly tags: readonly string[] | null;
  readonly deviceIds: readonly string[] | null;
}

/** What one person wants to be mailed of. */
export interface NotificationChoice extends AlertsWanted {
  readonly id: string;
  readonly userId: string;
  readonly pacing: Pacing;
  /** Whether there is a mail when the alert ends, too. */
  readonly tellsEnd: boolean;
  readonly quiet: QuietHours | null;
  /** The IANA name. */
  readonly timeZone: string;
  /** Since when it holds: what was received before is no news. */
  readonly since: number;
}

export interface NotifiableAlert {
  readonly alertType: string;
  readonly severity: Severity;
  readonly deviceId: string;
  readonly tags: readonly string[];
  readonly receivedAt: number;
}

export function matchesChoice(choice: NotificationChoice, alert: NotifiableAlert): boolean {
  const { alertTypes, severities, tags, deviceIds, since } = choice;
  if (alert.receivedAt < since) return false;
  if (alertTypes !== null && !alertTypes.includes(alert.alertType)) return false;
  if (severities !== null && !severities.includes(alert.severity)) return false;
  if (tags === null && deviceIds === null) return true;
  return (deviceIds?.includes(alert.deviceId) ?? false) || (tags?.some((tag) => alert.tags.includes(tag)) ?? false);
}

/** Of a person's choices the one by which they hear of the alert soonest: there is one mail, whatever else matches. */
export function soonestChoice(
  choices: readonly NotificationChoice[],
  alert: NotifiableAlert,
): NotificationChoice | null {
  const matching = choices.filter((choice) => matchesChoice(choice, alert));
  const rank = ({ pacing, id }: NotificationChoice) => `${pacings.indexOf(pacing)} ${id}`;
  return matching.sort((one, other) => (rank(one) < rank(other) ? -1 : 1))[0] ?? null;
}
