import { type AlertType, alertTypes, type Severity } from "../../../domain/alert-types.ts";
import { severitiesOf } from "../../../domain/alerts/raised.ts";
import type { AlertRule } from "../../../domain/fleet.ts";
import { to } from "../../both-sides/address.ts";
import type { NotificationRecord, RuleFeeds } from "../../both-sides/contract/notifications.ts";
import { preview, send } from "../api/request.ts";
import { recordBody } from "../notifications/choice-draft.ts";
import { tagOf } from "./scope-rules.ts";

/** Whom rules are for: `all`, `tag:NAME` or a vehicle with its tags. */
interface RuleScope {
  readonly id: string;
  readonly tags: readonly string[];
}

/** The alerts of some rules. */
export interface RuleAlerts {
  readonly type: AlertType;
  readonly severities: readonly Severity[];
  readonly scope: RuleScope;
}

/** How a person is mailed of the alerts of a rule. */
export interface RuleMail {
  /** The notification of just these vehicles, which the rule's own page may change. */
  readonly own: readonly NotificationRecord[];
  /** Another that has these alerts among others. */
  readonly elsewhere: NotificationRecord | null;
}

/** With which severities these rules raise alerts; none: they are off. Pure. */
export function severitiesOfRules(rules: readonly AlertRule[]): readonly Severity[] {
  return [...new Set(rules.flatMap(severitiesOf))];
}

/** Of one person's notifications. Pure. */
export function ruleMailOf(alerts: RuleAlerts, choices: readonly NotificationRecord[]): RuleMail {
  const covering = choices.filter((choice) => choice.stopped_at === null && covers(choice, alerts));
  const own = covering.filter((choice) => choice.alert_types !== null && isOfScope(choice, alerts.scope));
  return { own, elsewhere: covering.find((choice) => !own.includes(choice)) ?? null };
}

export function isMailed({ own, elsewhere }: RuleMail): boolean {
  return own.length > 0 || elsewhere !== null;
}

function covers(choice: NotificationRecord, { type, severities, scope }: RuleAlerts): boolean {
  const { alert_types, severities: wanted, tags, device_ids } = choice;
  if (alert_types !== null && !alert_types.includes(type)) return false;
  if (wanted !== null && !severities.every((severity) => wanted.includes(severity))) return false;
  if (tags === null && device_ids === null) return true;
  const tag = tagOf(scope.id);
  if (tag !== null) return tags?.includes(tag) ?? false;
  return (device_ids?.includes(scope.id) ?? false) || scope.tags.some((one) => tags?.includes(one) ?? false);
}

/** Whether a notification is about just those whom the rules are for. */
function isOfScope({ tags, device_ids }: NotificationRecord, { id }: RuleScope): boolean {
  const wanted = vehiclesOf(id);
  return isSame(tags, wanted.tags) && isSame(device_ids, wanted.device_ids);
}

function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one === other || (one?.length === 1 && other?.length === 1 && one[0] === other[0]);
}

function vehiclesOf(id: string) {
  const tag = tagOf(id);
  if (id === "all") return { tags: null, device_ids: null };
  return tag === null ? { tags: null, device_ids: [id] } : { tags: [tag], device_ids: null };
}

/** What the rules in force raise for the vehicles that these are for and that the person sees. */
export async function feedsOfRule(userId: string, { id }: RuleScope): Promise<RuleFeeds> {
  const body = { user_id: userId, ...vehiclesOf(id), pacing: "at_once" } as const;
  return (await preview("POST /notifications", body)).data;
}

/**
 * Starts mailing a person of these alerts, at once. What they have of the same vehicles gains a type. False: nothing would
 * ever be mailed, so nothing is stored.
 */
export async function startMailing(
  userId: string,
  alerts: RuleAlerts,
  choices: readonly NotificationRecord[],
): Promise<boolean> {
  const { type, scope } = alerts;
  const { rules } = await feedsOfRule(userId, scope);
  if (!rules.some(({ alert_type }) => alert_type === type)) return false;
  const plain = choices.find(
    (choice) =>
      choice.stopped_at === null &&
      choice.alert_types !== null &&
      choice.severities === null &&
      choice.pacing === "at_once" &&
      choice.quiet_from === null &&
      isOfScope(choice, scope),
  );
  if (plain !== undefined) await change(plain, [...(plain.alert_types ?? []), type]);
  else {
    const which = { alert_types: [type], severities: null, ...vehiclesOf(scope.id) };
    await send("POST /notifications", { user_id: userId, ...which, pacing: "at_once" });
  }
  return true;
}

/** Ends it: of what the person has of the same vehicles, this type is taken out. */
export async function stopMailing({ own }: RuleMail, type: AlertType) {
  for (const choice of own) await change(choice, choice.alert_types?.filter((other) => other !== type) ?? []);
}

async function change(choice: NotificationRecord, types: readonly string[]) {
  const { notification_id } = choice;
  if (types.length === 0) {
    await send(to("DELETE /notifications/{notification_id}", { notification_id }));
    return;
  }
  const alert_types = alertTypes.filter((type) => types.includes(type));
  // Its other types may be off: nobody decides that here.
  const body = { ...recordBody(choice), alert_types, although_silent: true };
  await send(to("PUT /notifications/{notification_id}", { notification_id }), body);
}
