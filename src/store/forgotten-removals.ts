import type { ChangeType } from "../domain/changes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import { sql } from "./sql.ts";
import { viewerId } from "./viewers.ts";

/** Whether a removal after this number, of these types and in the viewer's sight, is no longer remembered. */
export async function hasForgotten(
  reader: Reader,
  visibility: Visibility,
  number: number,
  types: ReadonlySet<ChangeType>,
): Promise<boolean> {
  if (types.size === 0) return false;
  const { accountId, userId } = visibility;
  const list = [...types].map((type) => sql`${type}`).reduce((all, one) => sql`${all}, ${one}`);
  const seen =
    visibility.sees === "account"
      ? sql`f.device > 0`
      : sql`exists (select 1 from assignments a
          where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = f.device)`;
  const row = await reader.get(sql`
    select 1 as there from forgotten_removals f
    where f.account_id = ${accountId} and f.number > ${number} and f.type in (${list})
      and (${seen} or (f.device = 0 and f.user_id = ${viewerId(visibility)})) limit 1`);
  return row !== null;
}
