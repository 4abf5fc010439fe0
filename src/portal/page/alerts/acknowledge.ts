import type { Acknowledgement } from "../api/portal-records.ts";
import type { Alert } from "../api/records.ts";
import { send } from "../api/request.ts";

/** The most that the server takes at once. */
const maxAtOnce = 500;

/** The alert as it is now: acknowledged by this person, or by somebody before. */
export async function acknowledgeOne(alert: Alert): Promise<Alert> {
  const { data } = await send<{ data: Acknowledgement }>("POST", `/alerts/${alert.alert_id}/acknowledge`);
  const { acknowledged_at, acknowledged_by } = data;
  return { ...alert, acknowledged: true, acknowledged_at, acknowledged_by };
}

/** The ids of those that are acknowledged now. Calls `onDone` after each part: what failed later is still open. */
export async function acknowledgeMany(ids: readonly string[], onDone: (ids: readonly string[]) => void): Promise<void> {
  for (let start = 0; start < ids.length; start += maxAtOnce) {
    const alert_ids = ids.slice(start, start + maxAtOnce);
    const { data } = await send<{ data: readonly Acknowledgement[] }>("POST", "/alerts/acknowledge", { alert_ids });
    onDone(data.map(({ alert_id }) => alert_id));
  }
}
