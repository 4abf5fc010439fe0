import type { AlertType, Severity } from "../../../domain/alert-types.ts";
import type { Pacing } from "../../../domain/notifications/choice.ts";
import type { HoldReason } from "../../../domain/notifications/due.ts";
import type { MailState } from "../../../store/notifications/mail-queue.ts";
import type { Call, List, One } from "./envelopes.ts";

export interface NotificationRoutes {
  "GET /notifications": Call<NotificationsAnswer>;
  /** The preview says which rules are in force for the vehicles that are chosen, whatever types and severities are. */
  "POST /notifications": Call<One<NotificationRecord>, ChosenNotification, One<RuleFeeds>>;
  "PUT /notifications/{notification_id}": Call<One<NotificationRecord>, ChosenNotification>;
  "DELETE /notifications/{notification_id}": Call<void>;
  /** A mail to the person who asks, at once. */
  "POST /notifications/test-mail": Call<One<TestMail>>;
}

/** Whose it is, and which alerts; absent or null: of the person who asks, and any. */
interface ChosenNotification {
  readonly user_id?: string;
  readonly alert_types?: readonly AlertType[] | null;
  readonly severities?: readonly Severity[] | null;
  readonly tags?: readonly string[] | null;
  readonly device_ids?: readonly string[] | null;
  readonly pacing: Pacing;
  readonly tells_end?: boolean;
  readonly quiet_from?: string | null;
  readonly quiet_until?: string | null;
  readonly time_zone?: string | null;
  readonly is_stopped?: boolean;
  /** The person knows that no rule in force raises such alerts. Without it, such a choice is refused. */
  readonly although_silent?: boolean;
}

/** What the rules in force raise of a type. */
export interface RuleFeed {
  readonly alert_type: AlertType;
  /** For how many of the vehicles meant. */
  readonly vehicles: number;
  /** With which severities. */
  readonly severities: readonly Severity[];
}

/** The rules in force for the vehicles that are meant and that the person sees. A type that is off is not in it. */
export interface RuleFeeds {
  readonly vehicles: number;
  readonly rules: readonly RuleFeed[];
}

/** What became of a test mail. */
export interface TestMail {
  readonly email: string;
  /** The address is not confirmed: nothing was mailed. */
  readonly needs_confirmation: boolean;
  /** Why the mail server did not take it; null: it did. */
  readonly problem: string | null;
}

/** What a person is mailed of. Null where nothing is left out: any type, any severity, any vehicle. */
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
  /** All rules in force for its vehicles; `feeding` says which of them raise what it is about. */
  readonly feeds: RuleFeeds;
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

/** A person to whom alerts and reports can be mailed. */
export interface MailablePerson {
  readonly user_id: string;
  readonly name: string;
  /** Whether nothing is mailed to the address until the person has confirmed it. */
  readonly needs_confirmation: boolean;
  /** Whether the person wants no such mails: what others choose for them waits until they start it. */
  readonly is_unsubscribed: boolean;
}

/** What the page of notifications shows. */
export interface NotificationsAnswer extends List<NotificationRecord> {
  readonly mails: readonly NotificationMailRecord[];
  /** Whom the person may choose for: themselves, or as the owner everybody. */
  readonly people: readonly MailablePerson[];
  /** False: the operator has set up no mail. */
  readonly sends_mail: boolean;
  readonly limits: { readonly per_hour: number; readonly account_per_day: number };
}
