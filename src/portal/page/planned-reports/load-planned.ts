import type { PlannedReportsPage } from "../../both-sides/contract/planned-reports.ts";
import { getJson } from "../api/request.ts";

export function loadPlannedReports(signal: AbortSignal): Promise<PlannedReportsPage> {
  return getJson("GET /planned-reports", signal);
}
