import { formatInstant } from "../../domain/time/time.ts";
import { type ChoiceRow, wantedOf } from "../../store/notifications/choices.ts";
import type { WaitingItems } from "../../store/notifications/items.ts";
import type { AlertMailRow } from "../../store/notifications/mail-queue.ts";
import type { NotificationMailRecord, NotificationRecord } from "../both-sides/contract/notifications.ts";

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

export function mailRecord(row: AlertMailRow, names: ReadonlyMap<string, string>): NotificationMailRecord[] {
  const { id, user_id, state, alerts, created_at, done_at, problem } = row;
  if (state === "empty") return [];
  const times = { created_at: formatInstant(created_at), done_at: done_at === null ? null : formatInstant(done_at) };
  return [{ mail_id: id, user_name: names.get(user_id) ?? "", state, alerts, ...times, problem }];
}

function clockText(minute: number | null): string | null {
  if (minute === null) return null;
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
