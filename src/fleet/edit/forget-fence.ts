import { withoutFences } from "../../domain/alerts/set-rules.ts";
import type { Actor, AuditEntry } from "../../domain/audit.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { formatInstant, parseInstant } from "../../domain/time/time.ts";
import type { Reader, Transaction } from "../../store/database.ts";
import { saveAlertSettings } from "../../store/fleet/alert-settings.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { rulesOfRemovedDevices, settingsNamingFence } from "../../store/fleet/geofence-list.ts";
import { bumpRevisions } from "../../store/fleet/record-revisions.ts";
import type { Consequences } from "../consequences/consequences.ts";
import { alertSettingsLines, type Line } from "../parse/lines.ts";

/** The fence that is removed, and from when it is no more. */
export interface EndingFence {
  readonly accountId: number;
  readonly id: string;
  readonly by: Actor;
  readonly from: number;
}

/** The settings that name the fence, as they are without it from then on. What they said before stays. */
export async function settingsWithout(reader: Reader, { accountId, id, from }: EndingFence): Promise<Line[]> {
  const named = (await settingsNamingFence(reader, accountId, id)).map((settings) => settings.id);
  const lines: Line[] = [];
  for (const settings of named) {
    const newest = (await alertSettingsLines(reader, accountId, [settings])).at(-1);
    if (newest === undefined) continue;
    const since = parseInstant(String(newest.valid_from)) ?? from;
    const rules = (newest.rules as readonly RuleLine[]).flatMap((rule) => withoutFence(rule, id));
    lines.push({ ...newest, rules, valid_from: formatInstant(Math.max(from, since)) });
  }
  return lines;
}

interface RuleLine {
  readonly geofence_ids?: readonly string[];
}

/** A rule that held only there is gone with it. */
function withoutFence(rule: RuleLine, id: string): RuleLine[] {
  if (!rule.geofence_ids?.includes(id)) return [rule];
  const geofence_ids = rule.geofence_ids.filter((other) => other !== id);
  return geofence_ids.length === 0 ? [] : [{ ...rule, geofence_ids }];
}

/** Writes who manages the changed settings, and who changed them. Followers get the change by the load itself. */
export async function noteSettings(
  tx: Transaction,
  { accountId, by }: EndingFence,
  consequences: Consequences,
  now: number,
): Promise<void> {
  const ids = consequences.changed.all.filter(({ type }) => type === "alert_settings").map(({ id }) => id);
  await bumpRevisions(tx, accountId, "alert_settings", ids, "portal");
  const details = { fields: ["rules"] };
  const entries = ids.map((id): AuditEntry => ({ by, action: "alert_settings.changed", id, details }));
  await addAuditEntries(tx, accountId, entries, now);
}

/** The same for the settings of devices that were removed and may be put back: no line can name them, and nobody sees them. */
export async function rulesOfHiddenWithout(
  tx: Transaction,
  { accountId, id, from }: EndingFence,
  consequences: Consequences,
  now: number,
): Promise<void> {
  const settings = await rulesOfRemovedDevices(tx, accountId, id);
  const rows = settings.map(({ device, valid_from, rules_json }) => ({
    account_id: accountId,
    device,
    valid_from: Math.max(from, valid_from),
    rules_json: JSON.stringify(withoutFences(JSON.parse(rules_json) as AlertRule[], new Set([id]))),
  }));
  await saveAlertSettings(tx, rows, now);
  for (const { device, valid_from } of rows) consequences.deriveAgain({ accountId, device }, valid_from);
}
