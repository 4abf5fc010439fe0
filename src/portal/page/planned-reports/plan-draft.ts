import type { Cadence, ReportFilters } from "../../../domain/notifications/planned-report.ts";
import type { PlannedReportKind, PlannedReportRecord } from "../../both-sides/contract/planned-reports.ts";
import { daysBetween } from "../../both-sides/periods/days.ts";
import type { Period } from "../../both-sides/periods/period.ts";

/** A report as it is filtered now. */
export interface ReportToSend {
  readonly report: PlannedReportKind;
  readonly filters: ReportFilters;
}

/** What a person fills in. */
export interface PlanDraft {
  readonly name: string;
  readonly cadence: Cadence;
  readonly hour: number;
  readonly userIds: ReadonlySet<string>;
}

/** Before people begin to work, and after the trackers of the night have reported. */
const usualHour = 6;

export function newPlan(name: string, userId: string, cadence: Cadence): PlanDraft {
  return { name, cadence, hour: usualHour, userIds: new Set([userId]) };
}

/** How often a report is wanted of which these days are shown: last month's monthly, last week's weekly. Pure. */
export function cadenceOf({ name, from, to }: Period): Cadence {
  switch (name) {
    case "yesterday":
    case "today":
      return "day";
    case "week":
    case "last-week":
      return "week";
    case "month":
    case "last-month":
      return "month";
    case "days": {
      const days = daysBetween(from, to);
      return days === 1 ? "day" : days < daysOfShortMonth ? "week" : "month";
    }
  }
}

const daysOfShortMonth = 28;

export function planDraftOf({ name, cadence, hour, people }: PlannedReportRecord): PlanDraft {
  return { name, cadence, hour, userIds: new Set(people.map(({ user_id }) => user_id)) };
}

/** What is sent; null while something is missing. Without `userIds`, those who got it before still do. Pure. */
export function plannedReportBody(
  { name, cadence, hour }: PlanDraft,
  { report, filters }: ReportToSend,
  isPaused: boolean,
  userIds: ReadonlySet<string> | null,
) {
  if (name.trim() === "" || userIds?.size === 0) return null;
  const { vehicles, ...others } = filters;
  const what = { ...others, report, device_ids: vehicles };
  return { ...what, name, cadence, hour, user_ids: userIds && [...userIds], is_paused: isPaused };
}

/** What a planned report is of. Pure. */
export function reportOf({ report, filters }: PlannedReportRecord): ReportToSend | null {
  return filters && { report: report as PlannedReportKind, filters };
}
