import { noSharedRules, type SharedRules } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

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

const columns = listed(ruleVersionTable.columns);
const bulk = upsert(ruleVersionTable);

/** All versions of the account, those of one tag in ascending time. */
export function ruleVersions(reader: Reader, accountId: number): Promise<RuleVersionRow[]> {
  return reader.all(sql`
    select ${columns} from rule_versions where account_id = ${accountId} order by tag, valid_from`);
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

export async function saveRuleVersions(tx: Transaction, rows: readonly RuleVersionRow[]): Promise<void> {
  await tx.insertMany(bulk, rows);
}
