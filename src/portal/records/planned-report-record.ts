import type { Cadence, ReportFilters } from "../../domain/notifications/planned-report.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { MailState } from "../../store/notifications/mail-queue.ts";
import { filtersOf, type PlanRow, type ReceiverRow } from "../../store/notifications/planned-reports.ts";
import type { ReportMailRow } from "../../store/notifications/report-mails.ts";
import type { MailablePerson } from "./notification-record.ts";

/** A report that is mailed regularly. */
export interface PlannedReportRecord {
  readonly planned_report_id: string;
  readonly name: string;
  readonly report: string;
  readonly cadence: Cadence;
  /** Of the account's clock. */
  readonly hour: number;
  /** Null while it is paused. */
  readonly next_at: string | null;
  /** Whether the person made it, or owns the account. Others only say whether they want it. */
  readonly may_change: boolean;
  /** Null for those who only get it: it may name what they cannot see. */
  readonly filters: ReportFilters | null;
  /** Those who get it; for those who may not change it, only themselves. */
  readonly people: readonly PlannedReportReceiver[];
}

export interface PlannedReportReceiver {
  readonly user_id: string;
  readonly name: string;
  readonly stopped_at: string | null;
}

/** A mailed report of the last weeks. */
export interface ReportMailRecord {
  readonly mail_id: string;
  readonly planned_report_id: string;
  readonly report_name: string;
  readonly user_name: string;
  /** The days that it is about, both included. */
  readonly from: string;
  readonly to: string;
  readonly state: MailState;
  readonly row_count: number;
  readonly created_at: string;
  readonly next_try_at: string;
  readonly done_at: string | null;
  readonly problem: string | null;
}

/** What the page of planned reports shows. */
export interface PlannedReportsPage {
  readonly data: readonly PlannedReportRecord[];
  readonly mails: readonly ReportMailRecord[];
  /** Whom the person may plan for: themselves, or as the owner everybody. */
  readonly people: readonly MailablePerson[];
  /** False: the operator has set up no mail. */
  readonly sends_mail: boolean;
}

export function plannedReportRecord(
  plan: PlanRow,
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

export function reportMailRecord(
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
