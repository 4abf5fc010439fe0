import type { Cadence, ReportFilters } from "../../../domain/notifications/planned-report.ts";
import type { MailState } from "../../../store/notifications/mail-queue.ts";
import type { Call, List, One } from "./envelopes.ts";
import type { MailablePerson } from "./notifications.ts";

export interface PlannedReportRoutes {
  "GET /planned-reports": Call<PlannedReportsAnswer>;
  "POST /planned-reports": Call<One<PlannedReportRecord>, ReportPlan>;
  "PUT /planned-reports/{planned_report_id}": Call<One<PlannedReportRecord>, ReportPlan>;
  "DELETE /planned-reports/{planned_report_id}": Call<void>;
  "POST /planned-reports/{planned_report_id}/run": Call<One<{ readonly mails: number }>>;
  "PUT /planned-reports/{planned_report_id}/receipt": Call<void, { readonly is_stopped: boolean }>;
}

/** The name of a report in the address. */
export type PlannedReportKind = "trips" | "mileage" | "stops" | "sensors" | "crossings" | "alerts";

interface ReportPlan extends Partial<Omit<ReportFilters, "vehicles">> {
  readonly name: string;
  readonly report: PlannedReportKind;
  readonly device_ids?: readonly string[];
  readonly cadence: Cadence;
  readonly hour?: number;
  /** Null: those who got it before; a new one only the person who asks. */
  readonly user_ids?: readonly string[] | null;
  readonly is_paused?: boolean;
}

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
export interface PlannedReportsAnswer extends List<PlannedReportRecord> {
  readonly mails: readonly ReportMailRecord[];
  /** Whom the person may plan for: themselves, or as the owner everybody. */
  readonly people: readonly MailablePerson[];
  /** False: the operator has set up no mail. */
  readonly sends_mail: boolean;
}
