import { newsMs } from "../../domain/notifications/due.ts";
import { longestLimitMs, nextAllowedTo } from "../../domain/notifications/limits.ts";
import { daysBefore, nextRun, type ReportDays } from "../../domain/notifications/planned-report.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { Database } from "../../store/database.ts";
import { addMails, mailTimes, type ReportMailRow, reportMails } from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import { duePlans, moveOn, type PlannedReportRow, receiversOf } from "../../store/notifications/planned-reports.ts";

/** Plans that are looked at together. What is beyond has its turn in the next pass. */
const maxPlans = 100;

/** Puts the reports that are due into the queue, a mail for each person. */
export async function writeReports(database: Database, now: number): Promise<void> {
  for (const plan of await duePlans(database, now, maxPlans)) {
    const people = await notifiablePeople(database, plan.account_id, null);
    // Without anybody who may be mailed, the days of the calendar are anybody's.
    const zone = storedZone(people[0]?.time_zone ?? "UTC");
    const days = daysBefore(plan.cadence, zone.dayOf(plan.next_at));
    // What fell due longer ago, since no server ran, is not made up for.
    const receivers = plan.next_at < now - newsMs ? [] : await activeReceivers(database, plan, people);
    const mails = await mailsFor(database, plan, receivers, days, now);
    await database.transaction(async (tx) => {
      if (await moveOn(tx, plan, nextRun(plan.cadence, plan.hour, zone, plan.next_at)))
        await addMails(tx, reportMails, mails);
    });
  }
}

/** Those who get a report: they may sign in, and have not unsubscribed. */
export async function activeReceivers(
  database: Database,
  { account_id, id }: PlannedReportRow,
  people: readonly { readonly id: string }[],
): Promise<string[]> {
  const able = new Set(people.map((person) => person.id));
  const receivers = await receiversOf(database, account_id, id);
  return receivers.flatMap(({ user_id, stopped_at }) => (stopped_at === null && able.has(user_id) ? [user_id] : []));
}

/** A mail for each, as soon as the limits allow it. They are those of alerts, counted apart: a report delays no alert. */
export async function mailsFor(
  database: Database,
  { account_id, id: report_id }: PlannedReportRow,
  userIds: readonly string[],
  { from, to }: ReportDays,
  now: number,
): Promise<ReportMailRow[]> {
  const times = await mailTimes(database, reportMails, account_id, now - longestLimitMs);
  return userIds.map((user_id) => {
    const next_try_at = nextAllowedTo(user_id, times, now);
    times.push({ user_id, at: next_try_at });
    const fresh = { state: "waiting", attempts: 0, problem: null, done_at: null, claimed_until: 0 } as const;
    const about = { report_id, from_day: from, to_day: to, row_count: 0 };
    return { account_id, id: crypto.randomUUID(), user_id, ...about, created_at: now, next_try_at, ...fresh };
  });
}
