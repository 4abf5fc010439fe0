import { type Collected, collect } from "../api/pages.ts";
import type { Alert } from "../api/records.ts";

/** More than one goes through in one sitting. Whoever has more narrows the filters. */
const mostAlerts = 2000;

const dayMs = 86_400_000;

export interface AlertFilter {
  /** "false", "true", or "" for both: as the API takes it. */
  readonly acknowledged: string;
  readonly severity: string;
  readonly alertType: string;
  readonly deviceId: string;
  readonly days: string;
}

/** The newest first. The API tells them in the order in which they happened. */
export async function loadAlerts(filter: AlertFilter, signal: AbortSignal): Promise<Collected<Alert>> {
  const to = Date.now();
  const parameters = {
    acknowledged: filter.acknowledged,
    severity: filter.severity,
    alert_type: filter.alertType,
    device_id: filter.deviceId,
    from: new Date(to - Number(filter.days) * dayMs).toISOString(),
    to: new Date(to).toISOString(),
  };
  const { rows, hasMore } = await collect<Alert>("alerts", parameters, mostAlerts, signal);
  return { rows: [...rows].reverse(), hasMore };
}
