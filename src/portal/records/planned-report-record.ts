import { formatInstant } from "../../domain/time/time.ts";
import type { ReportMailRow } from "../../store/notifications/mail-queue.ts";
import { filtersOf, type PlanRow, type ReceiverRow } from "../../store/notifications/planned-reports.ts";
import type { PlannedReportRecord, ReportMailRecord } from "../both-sides/contract/planned-reports.ts";

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
