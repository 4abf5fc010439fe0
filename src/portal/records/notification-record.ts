import type { Severity } from "../../domain/alert-types.ts";
import type { Pacing } from "../../domain/notifications/choice.ts";
import type { HoldReason } from "../../domain/notifications/due.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { type ChoiceRow, wantedOf } from "../../store/notifications/choices.ts";
import type { WaitingItems } from "../../store/notifications/items.ts";
import type { MailState } from "../../store/notifications/mail-queue.ts";
import type { MailRow } from "../../store/notifications/mails.ts";

/** What somebody is mailed of. Null where nothing is left out: any type, any severity, any vehicle. */
export interface NotificationRecord {
  readonly notification_id: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly alert_types: readonly string[] | null;
  readonly severities: readonly Severity[] | null;
  readonly tags: readonly string[] | null;
  readonly device_ids: readonly string[] | null;
  readonly pacing: Pacing;
  readonly tells_end: boolean;
  /** `22:00`; null: no quiet hours. */
  readonly quiet_from: string | null;
  readonly quiet_until: string | null;
  /** The IANA name; null: the account's zone. */
  readonly time_zone: string | null;
  readonly stopped_at: string | null;
  /** Whether it is stopped and the person has unsubscribed: nobody else can start it again. */
  readonly is_unsubscribed: boolean;
  /** Alerts that are being gathered for the next mail. */
  readonly waiting: { readonly alerts: number; readonly due_at: string; readonly held: HoldReason | null } | null;
}

/** A mail of the last days. */
export interface NotificationMailRecord {
  readonly mail_id: string;
  readonly user_name: string;
  readonly state: Exclude<MailState, "empty">;
  readonly alerts: number;
  readonly created_at: string;
  readonly done_at: string | null;
  readonly problem: string | null;
}

/** Somebody to whom alerts and reports can be mailed. */
export interface MailablePerson {
  readonly user_id: string;
  readonly name: string;
  /** Whether nothing is mailed to the address until the person has confirmed it. */
  readonly needs_confirmation: boolean;
}

/** What the page of notifications shows. */
export interface NotificationsPage {
  readonly data: readonly NotificationRecord[];
  readonly mails: readonly NotificationMailRecord[];
  /** Whom the person may choose for: themselves, or as the owner everybody. */
  readonly people: readonly MailablePerson[];
  /** False: the operator has set up no mail. */
  readonly sends_mail: boolean;
  readonly limits: { readonly per_hour: number; readonly account_per_day: number };
}

interface Surroundings {
  readonly names: ReadonlyMap<string, string>;
  readonly waiting: readonly WaitingItems[];
  /** Those who have unsubscribed. */
  readonly unsubscribed: ReadonlySet<string>;
}

export function notificationRecord(row: ChoiceRow, { names, waiting, unsubscribed }: Surroundings): NotificationRecord {
  const { alertTypes, severities, tags, deviceIds } = wantedOf(row);
  const own = waiting.find(({ choice_id }) => choice_id === row.id);
  return {
    notification_id: row.id,
    user_id: row.user_id,
    user_name: names.get(row.user_id) ?? "",
    alert_types: alertTypes,
    severities,
    tags,
    device_ids: deviceIds,
    pacing: row.pacing,
    tells_end: Boolean(row.tells_end),
    quiet_from: clockText(row.quiet_from),
    quiet_until: clockText(row.quiet_until),
    time_zone: row.time_zone,
    stopped_at: row.stopped_at === null ? null : formatInstant(row.stopped_at),
    is_unsubscribed: row.stopped_at !== null && unsubscribed.has(row.user_id),
    waiting: own ? { alerts: own.alerts, due_at: formatInstant(own.due_at), held: own.held } : null,
  };
}

export function mailRecord(row: MailRow, names: ReadonlyMap<string, string>): NotificationMailRecord[] {
  const { id, user_id, state, alerts, created_at, done_at, problem } = row;
  if (state === "empty") return [];
  const times = { created_at: formatInstant(created_at), done_at: done_at === null ? null : formatInstant(done_at) };
  return [{ mail_id: id, user_name: names.get(user_id) ?? "", state, alerts, ...times, problem }];
}

function clockText(minute: number | null): string | null {
  if (minute === null) return null;
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
