import type { AlertType } from "../../domain/alert-types.ts";
import { rulesAmong, type SetRule } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { listed, omit, stamped, table, upsert } from "../table.ts";
import { deviceInSight } from "../visible.ts";
import { visibleGeofenceIds } from "./geofences.ts";
import { deviceTagVersions, forAll, newest, type RuleVersionRow, tagHistoryOf } from "./rule-versions.ts";

export interface AlertSettingsRow {
  readonly device_id: string;
  readonly imei: string;
  /** Rules with whom they were set for; null where none were ever set. */
  readonly rules_json: string | null;
  readonly updated_at: number | null;
}

interface OwnSettings extends AlertSettingsRow {
  readonly device: number;
  readonly tags_json: string;
}

/**
 * The newest rules for the device of this public id; null if the viewer sees no such device. A sub-account is shown
 * only the fences that it sees, and no rule that names only other fences: without fences it would read as a rule that
 * applies everywhere.
 */
export async function alertSettingsOf(
  reader: Reader,
  visibility: Visibility,
  deviceId: string,
): Promise<AlertSettingsRow | null> {
  const { tables, condition } = deviceInSight(visibility, { id: deviceId });
  const { accountId } = visibility;
  const own = await reader.get<OwnSettings>(sql`
    select d.device, d.id as device_id, d.imei, d.tags_json, v.rules_json, v.created_at as updated_at
    from ${tables}
    left join alert_settings_versions v on v.account_id = ${accountId} and v.device = d.device
      and v.valid_from = ${newest("alert_settings_versions", accountId, sql`d.device`)}
    where ${condition}`);
  if (own === null) return null;
  const row = await withSharedRules(reader, accountId, own);
  if (row.rules_json === null || visibility.sees === "account") return row;
  const rules = JSON.parse(row.rules_json) as SetRule[];
  const named = rules.flatMap((rule) => rule.geofenceIds);
  const inSight = new Set(await visibleGeofenceIds(reader, visibility, named));
  const shown = rules
    .map((rule) => ({ rule, geofenceIds: rule.geofenceIds.filter((id) => inSight.has(id)) }))
    .filter(({ rule, geofenceIds }) => rule.geofenceIds.length === 0 || geofenceIds.length > 0)
    .map(({ rule, geofenceIds }) => ({ ...rule, geofenceIds }));
  return { ...row, rules_json: JSON.stringify(shown) };
}

/** With the rules of the device's tags and of its account, where its own say nothing. */
async function withSharedRules(reader: Reader, accountId: number, own: OwnSettings): Promise<AlertSettingsRow> {
  const { device_id, imei, device, tags_json, rules_json, updated_at } = own;
  const history = tagHistoryOf(await deviceTagVersions(reader, accountId, [device]), tags_json);
  const everHeld = new Set(history.flatMap(({ content }) => content));
  const shared = new Map(
    (await newestRuleVersions(reader, accountId, [forAll, ...everHeld])).map((row) => [row.tag, row]),
  );
  const tags = (JSON.parse(tags_json) as string[]).filter((tag) => shared.has(tag)).sort();
  const inForce = [forAll, ...tags].flatMap((tag) => shared.get(tag) ?? []);
  // It also gets other rules when a tag that has some comes or goes.
  const retagged = history.findLast(({ content }, index) => {
    const before = history[index - 1]?.content ?? content;
    const differ = [
      ...before.filter((tag) => !content.includes(tag)),
      ...content.filter((tag) => !before.includes(tag)),
    ];
    return differ.some((tag) => shared.has(tag));
  });
  const changes = [updated_at, retagged?.validFrom, ...inForce.map(({ created_at }) => created_at)];
  const moments = changes.filter((moment) => moment !== null && moment !== undefined);
  if (moments.length === 0) return { device_id, imei, rules_json: null, updated_at: null };
  const parsed = (json: string | null | undefined) => JSON.parse(json ?? "[]") as AlertRule[];
  const rules = rulesAmong({
    own: parsed(rules_json),
    ofTags: tags.map((tag) => ({ tag, rules: parsed(shared.get(tag)?.rules_json) })),
    all: parsed(shared.get(forAll)?.rules_json),
  });
  return { device_id, imei, rules_json: JSON.stringify(rules), updated_at: Math.max(...moments) };
}

function newestRuleVersions(
  reader: Reader,
  accountId: number,
  tags: Iterable<string>,
): Promise<Pick<RuleVersionRow, "tag" | "rules_json" | "created_at">[]> {
  return reader.all(sql`
    select r.tag, r.rules_json, r.created_at from rule_versions r
    where r.account_id = ${accountId} and r.tag in ${listOf(tags)}
      and r.valid_from = ${newest("rule_versions", accountId, sql`r.tag`)}`);
}

export const alertSettingsTable = table("alert_settings_versions", ["account_id", "device", "valid_from"], {
  account_id: bigint,
  device: bigint,
  valid_from: bigint,
  rules_json: text,
  created_at: bigint,
});

const loaded = omit(alertSettingsTable.columns, "created_at");
const columns = listed(loaded);
const bulk = upsert(alertSettingsTable);

export type AlertSettingsVersionRow = RowOf<typeof loaded>;

/** All versions for the devices named, each device's in ascending time. */
export function alertSettingsVersions(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<AlertSettingsVersionRow[]> {
  return reader.all(sql`
    select ${columns} from alert_settings_versions
    where account_id = ${accountId} and device in ${listOf(devices)} order by device, valid_from`);
}

export interface OwnRules {
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly rules_json: string;
}

/** The newest version for each of the devices named that has one. */
export function newestOwnRules(reader: Reader, accountId: number, devices: Iterable<number>): Promise<OwnRules[]> {
  return reader.all(sql`
    select e.device, e.id, e.imei, v.rules_json
    from device_directory e
    join alert_settings_versions v on v.account_id = ${accountId} and v.device = e.device
      and v.valid_from = ${newest("alert_settings_versions", accountId, sql`e.device`)}
    where e.account_id = ${accountId} and e.device in ${listOf(devices)}`);
}

/** The devices that have rules of their own now, and for which types of alert. */
export async function devicesWithOwnRules(reader: Reader, accountId: number): Promise<RuledTypes[]> {
  const rows = await reader.all<{ id: string; tags_json: string; rules_json: string }>(sql`
    select d.id, d.tags_json, v.rules_json from devices d
    join alert_settings_versions v on v.account_id = ${accountId} and v.device = d.device
      and v.valid_from = ${newest("alert_settings_versions", accountId, sql`d.device`)}
    where d.account_id = ${accountId} and d.removed_at is null and v.rules_json <> '[]' order by d.id`);
  return rows.map(({ id, tags_json, rules_json }) => {
    const types = (JSON.parse(rules_json) as AlertRule[]).map(({ alertType }) => alertType);
    return { id, tags: JSON.parse(tags_json) as string[], types: [...new Set(types)] };
  });
}

export interface RuledTypes {
  readonly id: string;
  readonly tags: readonly string[];
  readonly types: readonly AlertType[];
}

export async function saveAlertSettings(
  tx: Transaction,
  rows: readonly AlertSettingsVersionRow[],
  now: number,
): Promise<void> {
  await tx.insertMany(bulk, stamped(rows, now));
}
