import { plainSql, type Sql, sql } from "../sql.ts";

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
