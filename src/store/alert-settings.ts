import type { AlertRule } from "../domain/fleet.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import { visibleGeofenceIds } from "./geofences.ts";
import { sql } from "./sql.ts";
import { deviceInSight } from "./visible.ts";

export interface AlertSettingsRow {
  readonly device_id: string;
  readonly imei: string;
  /** Null where no settings were ever loaded. */
  readonly rules_json: string | null;
  readonly updated_at: number | null;
}

/**
 * The newest settings of the device of this public id; null if the viewer sees no such device. A sub-account is shown
 * only the fences that it sees, and no rule that names only other fences: without fences it would read as a rule that
 * applies everywhere.
 */
export async function alertSettings(
  reader: Reader,
  visibility: Visibility,
  deviceId: string,
): Promise<AlertSettingsRow | null> {
  const { tables, condition } = deviceInSight(visibility, { id: deviceId });
  const row = await reader.get<AlertSettingsRow>(sql`
    select d.id as device_id, d.imei, v.rules_json, v.created_at as updated_at
    from ${tables}
    left join alert_settings_versions v on v.account_id = d.account_id and v.device = d.device and v.valid_from = (
      select max(newer.valid_from) from alert_settings_versions newer
      where newer.account_id = d.account_id and newer.device = d.device)
    where ${condition}`);
  if (!row?.rules_json || visibility.sees === "account") return row;
  const rules = JSON.parse(row.rules_json) as AlertRule[];
  const named = rules.flatMap((rule) => rule.geofenceIds);
  const inSight = new Set(await visibleGeofenceIds(reader, visibility, named));
  const shown = rules
    .map((rule) => ({ rule, geofenceIds: rule.geofenceIds.filter((id) => inSight.has(id)) }))
    .filter(({ rule, geofenceIds }) => rule.geofenceIds.length === 0 || geofenceIds.length > 0)
    .map(({ rule, geofenceIds }) => ({ ...rule, geofenceIds }));
  return { ...row, rules_json: JSON.stringify(shown) };
}
