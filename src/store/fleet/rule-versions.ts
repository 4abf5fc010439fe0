import { noSharedRules, type SharedRules, type TagHistory } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, plainSql, type Sql, sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

/** A device's tags over time, once they have changed. Without a row, it always had its present tags. */
const deviceTagTable = table("device_tag_versions", ["account_id", "device", "valid_from"], {
  account_id: bigint,
  device: bigint,
  valid_from: bigint,
  tags_json: text,
});

export type DeviceTagRow = RowOf<typeof deviceTagTable.columns>;

const tagColumns = listed(deviceTagTable.columns);
const saveTags = upsert(deviceTagTable);

/** Each device's in ascending time. */
export function deviceTagVersions(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${tagColumns} from device_tag_versions
    where account_id = ${accountId} and device in ${listOf(devices)} order by device, valid_from`);
}

export function accountTagVersions(reader: Reader, accountId: number): Promise<DeviceTagRow[]> {
  return reader.all(sql`
    select ${tagColumns} from device_tag_versions where account_id = ${accountId} order by device, valid_from`);
}

/** The history of a device with these rows, which has these tags now. */
export function tagHistoryOf(rows: readonly DeviceTagRow[] | undefined, tagsJson: string): TagHistory {
  if (rows === undefined || rows.length === 0) {
    return [{ validFrom: fromTheBeginning, content: JSON.parse(tagsJson) as string[] }];
  }
  return rows.map(({ valid_from, tags_json }) => ({
    validFrom: valid_from,
    content: JSON.parse(tags_json) as string[],
  }));
}

export async function saveTagVersions(tx: Transaction, rows: readonly DeviceTagRow[]): Promise<void> {
  await tx.insertMany(saveTags, rows);
}

export async function removeTagVersions(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<void> {
  await tx.run(sql`delete from device_tag_versions where account_id = ${accountId} and device in ${listOf(devices)}`);
}

/** Alert rules for the devices with a tag, or for all of an account, over time. */
const ruleVersionTable = table("rule_versions", ["account_id", "tag", "valid_from"], {
  account_id: bigint,
  /** Empty: for all devices. */
  tag: text,
  valid_from: bigint,
  rules_json: text,
  created_at: bigint,
});

/** The tag under which the rules for all devices are stored: no tag is empty. */
export const forAll = "";

export type RuleVersionRow = RowOf<typeof ruleVersionTable.columns>;

const ruleColumns = listed(ruleVersionTable.columns);
const saveRules = upsert(ruleVersionTable);

export function ruleVersions(reader: Reader, accountId: number): Promise<RuleVersionRow[]> {
  return reader.all(sql`
    select ${ruleColumns} from rule_versions where account_id = ${accountId} order by tag, valid_from`);
}

export async function sharedRules(reader: Reader, accountId: number): Promise<SharedRules> {
  const rows = await ruleVersions(reader, accountId);
  if (rows.length === 0) return noSharedRules;
  const histories = new Map(
    Map.groupBy(rows, ({ tag }) => tag)
      .entries()
      .map(([tag, versions]) => [
        tag,
        versions.map(({ valid_from, rules_json }) => ({
          validFrom: valid_from,
          content: JSON.parse(rules_json) as readonly AlertRule[],
        })),
      ]),
  );
  const all = histories.get(forAll) ?? [];
  histories.delete(forAll);
  return { byTag: histories, all };
}

/** All rules that were ever set in an account beside one of this type, of devices, of tags and for all. */
export async function rulesAbout(
  reader: Reader,
  accountId: number,
  alertType: AlertRule["alertType"],
): Promise<(readonly AlertRule[])[]> {
  const isAbout = sql`account_id = ${accountId} and rules_json like ${`%${alertType}%`}`;
  const rows = await reader.all<{ rules_json: string }>(sql`
    select rules_json from alert_settings_versions where ${isAbout}
    union all select rules_json from rule_versions where ${isAbout}`);
  return rows.map(({ rules_json }) => JSON.parse(rules_json) as readonly AlertRule[]);
}

export async function saveRuleVersions(tx: Transaction, rows: readonly RuleVersionRow[]): Promise<void> {
  await tx.insertMany(saveRules, rows);
}

/** What has versions: each holds from its moment on, until the next. */
const tables = {
  alert_settings_versions: plainSql(
    "select max(newer.valid_from) from alert_settings_versions newer where newer.device =",
  ),
  rule_versions: plainSql("select max(newer.valid_from) from rule_versions newer where newer.tag ="),
  geofence_versions: plainSql("select max(newer.valid_from) from geofence_versions newer where newer.geofence_id ="),
};

/** Since when the newest version is valid. Take `key` from the joined table, if there is one: by it the index is sought. */
export function newest(table: keyof typeof tables, accountId: number, key: Sql): Sql {
  return sql`(${tables[table]} ${key} and newer.account_id = ${accountId})`;
}
