import { Failure } from "../../domain/errors.ts";
import type { UserRole } from "../../domain/fleet.ts";
import { accountLimit, personLimit } from "../../domain/notifications/limits.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { visibilityOf } from "../../domain/visibility.ts";
import type { Transaction } from "../../store/database.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import { peopleOfAccount } from "../../store/fleet/users.ts";
import {
  choiceById,
  choicesOfAccount,
  type NotificationChoiceRow,
  removeChoice,
  saveChoice,
  wantedOf,
} from "../../store/notifications/choices.ts";
import { beginFollowing, endFollowing } from "../../store/notifications/followers.ts";
import { type WaitingItems, waitingItems } from "../../store/notifications/items.ts";
import { type AlertMailRow, alertMails, recentMails } from "../../store/notifications/mail-queue.ts";
import { type NotifiablePerson, notifiablePeople } from "../../store/notifications/people.ts";
import { noteSubscribed, noteUnsubscribed, unsubscribedFrom } from "../../store/notifications/unsubscriptions.ts";
import type {
  NotificationMailRecord,
  NotificationRecord,
  NotificationsAnswer,
  RuleFeeds,
} from "../both-sides/contract/notifications.ts";
import { feeding } from "../both-sides/notifications/feeds.ts";
import { mailablePeople } from "../confirmed.ts";
import { actorOf, isPreview } from "../fleet-edit.ts";
import { type ChoiceFields, choiceFields } from "../notifications/choice-fields.ts";
import { type AccountFeeds, accountFeeds } from "../notifications/rule-feeds.ts";
import { readCheckedBody, readId } from "../read-body.ts";
import { forbidden, invalidFields, noSuch } from "../refusals.ts";
import { isOwner, portalRoute, type SignedInCall } from "../route.ts";

/** More than anybody keeps apart. */
const maxChoices = 20;
const mailsShown = 50;

/** One's own choices and mails; the owner sees those of all people of the account. */
export const listNotifications = portalRoute("GET /notifications", "signed in", async (call) => {
  const { database, mail } = call.parts;
  const { accountId } = call.session.visibility;
  const whose = isOwner(call) ? null : call.session.user.id;
  const people = await peopleOfAccount(database, accountId, whose);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const choices = (await choicesOfAccount(database, accountId, whose)).filter(({ user_id }) => names.has(user_id));
  const waiting = await waitingItems(database, accountId);
  const unsubscribed = await unsubscribedFrom(database, accountId, "alerts");
  const feeds = await feedsOf(
    call,
    choices.map(({ user_id }) => user_id),
  );
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const mails = await recentMails(database, alertMails, accountId, whose, mailsShown);
  const body: NotificationsAnswer = {
    data: choices.map((row) => notificationRecord(row, { names, waiting, unsubscribed, feeds, roles })),
    mails: mails.flatMap((row) => mailRecord(row, names)),
    people: mailablePeople(call.parts, people, unsubscribed),
    sends_mail: mail !== null,
    limits: { per_hour: personLimit.mails, account_per_day: accountLimit.mails },
  };
  return { body };
});

export const addNotification = portalRoute("POST /notifications", "signed in", async (call) => {
  const { parts, session, now } = call;
  if (parts.mail === null) throw new Failure("CONFLICT", "this server sends no mail: its operator sets that up");
  const fields = readCheckedBody(call, choiceFields);
  const person = await personOf(call, fields.user_id ?? session.user.id);
  if (isPreview(call)) return { body: { data: await feedsFor(call, person, fields) } };
  const row = await checkedRow(call, person, fields, {
    account_id: session.visibility.accountId,
    id: crypto.randomUUID(),
    user_id: person.id,
    since: now,
    created_by: session.user.id,
    created_at: now,
  });
  await refuseSilent(call, person, fields);
  const added = await parts.database.transaction(async (tx) => {
    // The lock keeps two requests at once from having one too many.
    await tx.lock(`notifications ${row.account_id}`);
    if ((await choicesOfAccount(tx, row.account_id, person.id)).length >= maxChoices) return null;
    await beginFollowing(tx, row.account_id);
    const stored = await asPersonWants(tx, call, row, null);
    await saveChoice(tx, stored);
    await addAuditEntries(
      tx,
      row.account_id,
      [{ by: actorOf(call), action: "notification.added", id: person.id }],
      now,
    );
    return stored;
  });
  if (added === null)
    throw new Failure("CONFLICT", `a person has at most ${maxChoices} notifications: remove one first`);
  return { status: 201, body: { data: await shown(call, added) } };
});

export const changeNotification = portalRoute("PUT /notifications/{notification_id}", "signed in", async (call) => {
  const { parts, now } = call;
  const before = await ownChoice(call);
  const fields = readCheckedBody(call, choiceFields);
  const person = await personOf(call, before.user_id);
  const row = await checkedRow(call, person, fields, before);
  await refuseSilent(call, person, fields);
  const stored = await parts.database.transaction(async (tx) => {
    const wanted = await asPersonWants(tx, call, row, before);
    await saveChoice(tx, wanted);
    const entry = { by: actorOf(call), action: "notification.changed", id: person.id } as const;
    await addAuditEntries(tx, row.account_id, [entry], now);
    return wanted;
  });
  return { body: { data: await shown(call, stored) } };
});

export const removeNotification = portalRoute("DELETE /notifications/{notification_id}", "signed in", async (call) => {
  const { account_id, id, user_id, created_by } = await ownChoice(call);
  const isOwn = user_id === call.session.user.id;
  await call.parts.database.transaction(async (tx) => {
    await tx.lock(`notifications ${account_id}`);
    await removeChoice(tx, account_id, id);
    // To remove what another person has set up is to unsubscribe.
    if (isOwn && created_by !== user_id) {
      await noteUnsubscribed(tx, { accountId: account_id, userId: user_id, kind: "alerts" }, call.now);
    }
    if ((await choicesOfAccount(tx, account_id, null)).length === 0) await endFollowing(tx, account_id);
    const entry = { by: actorOf(call), action: "notification.removed", id: user_id } as const;
    await addAuditEntries(tx, account_id, [entry], call.now);
  });
  return { status: 204 };
});

/** One's own, or as the owner that of anybody in the account. Others do not exist. */
async function ownChoice(call: SignedInCall): Promise<NotificationChoiceRow> {
  const { parts, session } = call;
  const row = await choiceById(parts.database, session.visibility.accountId, readId(call, "notification"));
  if (row === null || (row.user_id !== session.user.id && !isOwner(call))) throw noSuch("notification");
  return row;
}

async function personOf(call: SignedInCall, userId: string): Promise<NotifiablePerson> {
  const { parts, session } = call;
  if (userId !== session.user.id && !isOwner(call)) {
    throw forbidden("only the account's owner sets notifications for others");
  }
  const [person] = await notifiablePeople(parts.database, session.visibility.accountId, userId);
  if (person === undefined) throw invalidFields({ user_id: "expected a person of this account who may sign in" });
  return person;
}

function feedsOf({ parts, session, now }: SignedInCall, userIds: readonly string[]): Promise<AccountFeeds> {
  const account = { number: session.visibility.accountId, zone: session.account.timeZone };
  return accountFeeds(parts.database, account, [...new Set(userIds)], now);
}

async function feedsFor(call: SignedInCall, { id, role }: NotifiablePerson, fields: ChoiceFields): Promise<RuleFeeds> {
  const feeds = await feedsOf(call, [id]);
  const { accountId } = call.session.visibility;
  return feeds.of(visibilityOf({ accountId, id, role }), { tags: fields.tags, deviceIds: fields.device_ids });
}

/** What can never send a mail is not stored unless the person knows it. */
async function refuseSilent(call: SignedInCall, person: NotifiablePerson, fields: ChoiceFields): Promise<void> {
  if (fields.is_stopped || fields.although_silent) return;
  const { rules } = await feedsFor(call, person, fields);
  if (feeding(fields, rules).length > 0) return;
  throw invalidFields({ alert_types: "no rule in force raises such alerts for these vehicles" });
}

/** The vehicles must be in the person's sight. What the choice says later on is looked at again when a mail is sent. */
async function checkedRow(
  { parts, now }: SignedInCall,
  person: NotifiablePerson,
  fields: ChoiceFields,
  own: Pick<NotificationChoiceRow, "account_id" | "id" | "user_id" | "since" | "created_by" | "created_at"> & {
    readonly stopped_at?: number | null;
    readonly wanted_json?: string;
  },
): Promise<NotificationChoiceRow> {
  const visibility = visibilityOf({ accountId: own.account_id, id: person.id, role: person.role });
  // One that was chosen before may have left the sight since: that alone is no reason to refuse a change.
  const before = own.wanted_json === undefined ? [] : (wantedOf({ wanted_json: own.wanted_json }).deviceIds ?? []);
  for (const id of fields.device_ids ?? []) {
    if (before.includes(id)) continue;
    if ((await deviceIdentity(parts.database, visibility, { id })) === null) {
      throw invalidFields({ device_ids: `expected vehicles that ${person.name} sees` });
    }
  }
  const wanted = {
    alertTypes: fields.alert_types,
    severities: fields.severities,
    tags: fields.tags,
    deviceIds: fields.device_ids,
  };
  const { account_id, id, user_id, since, created_by, created_at, stopped_at = null } = own;
  const isResumed = stopped_at !== null && !fields.is_stopped;
  return {
    account_id,
    id,
    user_id,
    created_by,
    created_at,
    wanted_json: JSON.stringify(wanted),
    pacing: fields.pacing,
    tells_end: fields.tells_end,
    quiet_from: fields.quiet_from,
    quiet_until: fields.quiet_until,
    time_zone: fields.time_zone,
    since: isResumed ? now : since,
    stopped_at: fields.is_stopped ? (stopped_at ?? now) : null,
    updated_at: now,
  };
}

/**
 * The person alone says whether they are mailed. Who has unsubscribed stays so, whatever others add or change: what others add
 * waits until the person starts it.
 */
async function asPersonWants(
  tx: Transaction,
  { session, now }: SignedInCall,
  row: NotificationChoiceRow,
  before: NotificationChoiceRow | null,
): Promise<NotificationChoiceRow> {
  const { account_id: accountId, user_id: userId } = row;
  const whose = { accountId, userId, kind: "alerts" } as const;
  const wasStopped = before !== null && before.stopped_at !== null;
  if (userId === session.user.id) {
    // What they set up for themselves says nothing of what others may.
    if (row.stopped_at === null && wasStopped && before.created_by !== userId) await noteSubscribed(tx, whose);
    if (row.stopped_at !== null && !wasStopped) await noteUnsubscribed(tx, whose, now);
    return row;
  }
  const isStarting = row.stopped_at === null && (wasStopped || before === null);
  if (!isStarting || !(await unsubscribedFrom(tx, accountId, "alerts")).has(userId)) return row;
  if (wasStopped) throw forbidden("this person has unsubscribed: only they can start these mails again");
  return { ...row, stopped_at: now };
}

async function shown(call: SignedInCall, row: NotificationChoiceRow) {
  const { parts } = call;
  const people = await peopleOfAccount(parts.database, row.account_id, row.user_id);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const waiting = await waitingItems(parts.database, row.account_id);
  const unsubscribed = await unsubscribedFrom(parts.database, row.account_id, "alerts");
  const feeds = await feedsOf(call, [row.user_id]);
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  return notificationRecord(row, { names, waiting, unsubscribed, feeds, roles });
}

interface Surroundings {
  readonly names: ReadonlyMap<string, string>;
  readonly waiting: readonly WaitingItems[];
  /** Those who have unsubscribed. */
  readonly unsubscribed: ReadonlySet<string>;
  readonly feeds: AccountFeeds;
  readonly roles: ReadonlyMap<string, UserRole>;
}

function notificationRecord(
  row: NotificationChoiceRow,
  { names, waiting, unsubscribed, feeds, roles }: Surroundings,
): NotificationRecord {
  const { alertTypes, severities, tags, deviceIds } = wantedOf(row);
  const { account_id: accountId, user_id: id } = row;
  const visibility = visibilityOf({ accountId, id, role: roles.get(id) ?? "sub_account" });
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
    feeds: feeds.of(visibility, { tags, deviceIds }),
  };
}

function mailRecord(row: AlertMailRow, names: ReadonlyMap<string, string>): NotificationMailRecord[] {
  const { id, user_id, state, alerts, created_at, done_at, problem } = row;
  if (state === "empty") return [];
  const times = { created_at: formatInstant(created_at), done_at: done_at === null ? null : formatInstant(done_at) };
  return [{ mail_id: id, user_name: names.get(user_id) ?? "", state, alerts, ...times, problem }];
}

function clockText(minute: number | null): string | null {
  if (minute === null) return null;
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
