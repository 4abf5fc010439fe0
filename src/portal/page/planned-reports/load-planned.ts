import type { PlannedReportsPage } from "../../records/planned-report-record.ts";
import { getJson } from "../api/request.ts";

export function loadPlannedReports(signal: AbortSignal): Promise<PlannedReportsPage> {
  return getJson("/planned-reports", signal);
}
