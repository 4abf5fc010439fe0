import type { AuditAction } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import { daysBefore, nextRun, type ReportFilters } from "../../domain/notifications/planned-report.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { Transaction } from "../../store/database.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import { visibleGeofence } from "../../store/fleet/geofences.ts";
import { peopleOfAccount } from "../../store/fleet/users.ts";
import {
  addMails,
  dropWaitingReports,
  type ReportMailRow,
  recentMails,
  reportMails,
} from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import {
  filtersOf,
  type PlannedReportRow,
  planById,
  plansOfAccount,
  type ReceiverRow,
  receiversOf,
  removePlan,
  savePlan,
  stopReceiving,
} from "../../store/notifications/planned-reports.ts";
import { noteSubscribed, noteUnsubscribed, unsubscribedFrom } from "../../store/notifications/unsubscriptions.ts";
import type {
  PlannedReportRecord,
  PlannedReportsAnswer,
  ReportMailRecord,
} from "../both-sides/contract/planned-reports.ts";
import { mailablePeople } from "../confirmed.ts";
import { actorOf } from "../fleet-edit.ts";
import { type PlanFields, planFields, receiptFields } from "../planned-reports/plan-fields.ts";
import { activeReceivers, mailsFor } from "../planned-reports/write-reports.ts";
import { readCheckedBody, readId } from "../read-body.ts";
import { forbidden, invalidFields, noSuch, tooManyAttempts } from "../refusals.ts";
import { isOwner, portalRoute, type SignedInCall } from "../route.ts";

/** More than a company reads. */
const maxPlansOfAccount = 100;
const maxPlansOfUser = 20;
const mailsShown = 100;

/** Those that one made or gets; the owner sees all of the account. */
export const listPlannedReports = portalRoute("GET /planned-reports", "signed in", async (call) => {
  const { database, mail } = call.parts;
  const { accountId } = call.session.visibility;
  const whose = isOwner(call) ? null : call.session.user.id;
  const people = await peopleOfAccount(database, accountId, whose);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const receivers = await receiversOf(database, accountId, null);
  const isGot = ({ id }: PlannedReportRow) => receivers.some((one) => one.report_id === id && one.user_id === whose);
  const plans = (await plansOfAccount(database, accountId)).filter((plan) => mayChange(call, plan) || isGot(plan));
  const planNames = new Map(plans.map(({ id, name }) => [id, name]));
  const mails = await recentMails(database, reportMails, accountId, whose, mailsShown);
  const body: PlannedReportsAnswer = {
    data: plans.map((plan) => plannedReportRecord(plan, receivers, names, mayChange(call, plan))),
    mails: mails.flatMap((row) => {
      const reportName = planNames.get(row.report_id);
      // One that there was nobody for any more says nothing.
      if (reportName === undefined || (row.state === "empty" && row.problem === null)) return [];
      return [reportMailRecord(row, reportName, names)];
    }),
    people: mailablePeople(call.parts, people, await unsubscribedFrom(database, accountId, "reports")),
    sends_mail: mail !== null,
  };
  return { body };
});

export const addPlannedReport = portalRoute("POST /planned-reports", "signed in", async (call) => {
  const { parts, session, now } = call;
  requireMail(call);
  const fields = readCheckedBody(call, planFields);
  const { accountId } = session.visibility;
  const userIds = await receiversAsked(call, fields, []);
  const own = { account_id: accountId, id: crypto.randomUUID(), created_by: session.user.id, created_at: now };
  const plan = await checkedPlan(call, fields, own, null);
  const refusal = await parts.database.transaction(async (tx) => {
    // The lock keeps two requests at once from having one too many.
    await tx.lock(`planned reports ${accountId}`);
    const plans = await plansOfAccount(tx, accountId);
    const made = plans.filter(({ created_by }) => created_by === session.user.id);
    if (plans.length >= maxPlansOfAccount) return `an account has at most ${maxPlansOfAccount} planned reports`;
    if (!isOwner(call) && made.length >= maxPlansOfUser)
      return `a person has at most ${maxPlansOfUser} planned reports`;
    await savePlan(tx, plan, userIds, await othersUnsubscribed(tx, call));
    await audit(tx, call, "planned_report.added", plan);
    return null;
  });
  if (refusal !== null) throw new Failure("CONFLICT", `${refusal}: remove one first`);
  return { status: 201, body: { data: await shown(call, plan) } };
});

export const changePlannedReport = portalRoute(
  "PUT /planned-reports/{planned_report_id}",
  "signed in",
  async (call) => {
    const before = await ownPlan(call);
    const fields = readCheckedBody(call, planFields);
    const receivers = await receiversOf(call.parts.database, before.account_id, before.id);
    const userIds = await receiversAsked(
      call,
      fields,
      receivers.map(({ user_id }) => user_id),
    );
    const plan = await checkedPlan(call, fields, before, before);
    await call.parts.database.transaction(async (tx) => {
      await savePlan(tx, plan, userIds, await othersUnsubscribed(tx, call));
      if (plan.paused_at !== null) await dropWaitingReports(tx, plan.account_id, plan.id);
      await audit(tx, call, "planned_report.changed", plan);
    });
    return { body: { data: await shown(call, plan) } };
  },
);

export const removePlannedReport = portalRoute(
  "DELETE /planned-reports/{planned_report_id}",
  "signed in",
  async (call) => {
    const plan = await ownPlan(call);
    await call.parts.database.transaction(async (tx) => {
      await removePlan(tx, plan.account_id, plan.id);
      await audit(tx, call, "planned_report.removed", plan);
    });
    return { status: 204 };
  },
);

/** Sends it now to all who get it, about the last whole days. */
export const runPlannedReport = portalRoute(
  "POST /planned-reports/{planned_report_id}/run",
  "signed in",
  async (call) => {
    const { parts, now } = call;
    const { database } = parts;
    const plan = await ownPlan(call);
    requireMail(call);
    const zone = storedZone((await accountZones(database, plan.account_id)).present);
    const people = await notifiablePeople(database, plan.account_id, null);
    const days = daysBefore(plan.cadence, zone.dayOf(now));
    const mails = await mailsFor(database, plan, await activeReceivers(database, plan, people), days, now);
    if (mails.length === 0) throw new Failure("CONFLICT", "nobody gets this report now: choose a recipient first");
    const latest = Math.max(...mails.map(({ next_try_at }) => next_try_at));
    if (latest > now) throw tooManyAttempts(latest - now);
    await database.transaction(async (tx) => {
      await addMails(tx, reportMails, mails);
      await audit(tx, call, "planned_report.run", plan);
    });
    return { status: 202, body: { data: { mails: mails.length } } };
  },
);

/** Whether a person wants a report that they or another planned. */
export const receivePlannedReport = portalRoute(
  "PUT /planned-reports/{planned_report_id}/receipt",
  "signed in",
  async (call) => {
    const { parts, session, now } = call;
    const { accountId } = session.visibility;
    const id = readId(call, "planned report");
    const receivers = await receiversOf(parts.database, accountId, id);
    if (!receivers.some(({ user_id }) => user_id === session.user.id)) throw noSuch("planned report");
    const { is_stopped: isStopped } = readCheckedBody(call, receiptFields);
    const own = { account_id: accountId, report_id: id, user_id: session.user.id };
    const plan = await planById(parts.database, accountId, id);
    await parts.database.transaction(async (tx) => {
      if (isStopped) await noteUnsubscribed(tx, ownReports(call), now);
      else if (plan?.created_by !== session.user.id) await noteSubscribed(tx, ownReports(call));
      if (!(await stopReceiving(tx, own, isStopped ? now : null))) return;
      await audit(tx, call, isStopped ? "planned_report.stopped" : "planned_report.resumed", {
        account_id: accountId,
        id,
      });
    });
    return { status: 204 };
  },
);

/** Who plans a report for themselves wants that one, and no other for it. */
async function othersUnsubscribed(tx: Transaction, { session }: SignedInCall): Promise<ReadonlySet<string>> {
  const unsubscribed = await unsubscribedFrom(tx, session.visibility.accountId, "reports");
  return unsubscribed.difference(new Set([session.user.id]));
}

function ownReports({ session }: SignedInCall) {
  return { accountId: session.visibility.accountId, userId: session.user.id, kind: "reports" } as const;
}

function mayChange(call: SignedInCall, { created_by }: PlannedReportRow): boolean {
  return isOwner(call) || created_by === call.session.user.id;
}

function requireMail({ parts }: SignedInCall): void {
  if (parts.mail === null) throw new Failure("CONFLICT", "this server sends no mail: its operator sets that up");
}

function audit(
  tx: Transaction,
  call: SignedInCall,
  action: AuditAction,
  { account_id, id }: Pick<PlannedReportRow, "account_id" | "id">,
): Promise<void> {
  return addAuditEntries(tx, account_id, [{ by: actorOf(call), action, id }], call.now);
}

/** One that the person made, or as the owner any of the account. Others do not exist. */
async function ownPlan(call: SignedInCall): Promise<PlannedReportRow> {
  const { parts, session } = call;
  const plan = await planById(parts.database, session.visibility.accountId, readId(call, "planned report"));
  if (plan === null || !mayChange(call, plan)) throw noSuch("planned report");
  return plan;
}

/**
 * The owner plans for anybody of the account, others for themselves: whom the owner added to their report stays. So may a person
 * who was disabled since.
 */
async function receiversAsked(
  call: SignedInCall,
  { user_ids }: PlanFields,
  before: readonly string[],
): Promise<readonly string[]> {
  const { parts, session } = call;
  const self = session.user.id;
  if (user_ids === null && before.length > 0) return before;
  const wanted = [...new Set(user_ids ?? [self])];
  if (!isOwner(call) && wanted.some((id) => id !== self)) {
    throw forbidden("only the account's owner plans reports for others");
  }
  const people = await notifiablePeople(parts.database, session.visibility.accountId, null);
  const able = new Set([...people.map(({ id }) => id), ...before]);
  if (wanted.length === 0 || wanted.some((id) => !able.has(id))) {
    throw invalidFields({ user_ids: "expected people of this account who may sign in, at least one" });
  }
  return isOwner(call) ? wanted : [...new Set([...before, ...wanted])];
}

/** Vehicles and fences must be in the person's sight. What each receiver sees is asked when the report is made. */
async function checkedPlan(
  { parts, session, now }: SignedInCall,
  fields: PlanFields,
  { account_id, id, created_by, created_at }: Pick<PlannedReportRow, "account_id" | "id" | "created_by" | "created_at">,
  before: PlannedReportRow | null,
): Promise<PlannedReportRow> {
  const { database } = parts;
  const { visibility } = session;
  // What was chosen before may have left the sight since: that alone is no reason to refuse a change.
  const known = before === null ? null : filtersOf(before);
  for (const device of fields.device_ids) {
    if (known?.vehicles.includes(device) || (await deviceIdentity(database, visibility, { id: device })) !== null)
      continue;
    throw invalidFields({ device_ids: "expected vehicles that you see" });
  }
  const { fence } = fields;
  if (fence !== null && fence !== known?.fence && (await visibleGeofence(database, visibility, fence)) === null) {
    throw invalidFields({ fence: "expected a fence that you see" });
  }
  const { view, sort, choice, driver, tags, device_ids: vehicles, cadence, hour } = fields;
  const filters: ReportFilters = { view, sort, choice, driver, fence, tags, vehicles };
  const zone = storedZone((await accountZones(database, account_id)).present);
  const isSameTime = before !== null && before.paused_at === null && before.cadence === cadence && before.hour === hour;
  return {
    account_id,
    id,
    created_by,
    created_at,
    name: fields.name,
    report: fields.report,
    filters_json: JSON.stringify(filters),
    cadence,
    hour,
    // What is due already is not put off by another name.
    next_at: isSameTime ? before.next_at : nextRun(cadence, hour, zone, now),
    paused_at: fields.is_paused ? (before?.paused_at ?? now) : null,
    updated_at: now,
  };
}

async function shown(call: SignedInCall, plan: PlannedReportRow) {
  const { database } = call.parts;
  const people = await peopleOfAccount(database, plan.account_id, isOwner(call) ? null : call.session.user.id);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return plannedReportRecord(plan, await receiversOf(database, plan.account_id, plan.id), names, true);
}

function plannedReportRecord(
  plan: PlannedReportRow,
  receivers: readonly ReceiverRow[],
  names: ReadonlyMap<string, string>,
  mayChange: boolean,
): PlannedReportRecord {
  const people = receivers.flatMap(({ report_id, user_id, stopped_at }) => {
    const name = names.get(user_id);
    return report_id === plan.id && name !== undefined ? [{ user_id, name, stopped_at: instant(stopped_at) }] : [];
  });
  return {
    planned_report_id: plan.id,
    name: plan.name,
    report: plan.report,
    cadence: plan.cadence,
    hour: plan.hour,
    next_at: plan.paused_at === null ? formatInstant(plan.next_at) : null,
    may_change: mayChange,
    filters: mayChange ? filtersOf(plan) : null,
    people,
  };
}

function reportMailRecord(
  mail: ReportMailRow,
  reportName: string,
  names: ReadonlyMap<string, string>,
): ReportMailRecord {
  return {
    mail_id: mail.id,
    planned_report_id: mail.report_id,
    report_name: reportName,
    user_name: names.get(mail.user_id) ?? "",
    from: mail.from_day,
    to: mail.to_day,
    state: mail.state,
    row_count: mail.row_count,
    created_at: formatInstant(mail.created_at),
    next_try_at: formatInstant(mail.next_try_at),
    done_at: instant(mail.done_at),
    problem: mail.problem,
  };
}

function instant(at: number | null): string | null {
  return at === null ? null : formatInstant(at);
}
