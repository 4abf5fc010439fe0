import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { type IdPage, limitTo } from "../pages.ts";
import { nothing, type Sql, sql } from "../sql.ts";

export interface SubAccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: "active" | "disabled";
  readonly device_count: number;
  readonly last_login_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function select(visibility: Visibility): Sql {
  return sql`
    select u.id, u.name, u.email, u.status, u.last_login_at, u.created_at, u.updated_at, (
      select count(*) from assignments a
      where a.account_id = ${visibility.accountId} and a.user_id = u.id) as device_count
    from users u where ${isInSight(visibility)}`;
}

/** In ascending id. */
export function subAccounts(reader: Reader, visibility: Visibility, page: IdPage): Promise<SubAccountRow[]> {
  const start = page.after === null ? nothing : sql`and u.id > ${page.after}`;
  return reader.all(sql`${select(visibility)} ${start} order by u.id ${limitTo(page.count)}`);
}

/** A sub-account always reads itself, so that one it cannot see takes the same time as one that does not exist. */
export async function subAccount(reader: Reader, visibility: Visibility, id: string): Promise<SubAccountRow | null> {
  const read = visibility.sees === "account" ? id : visibility.userId;
  const row = await reader.get<SubAccountRow>(sql`${select(visibility)} and u.id = ${read}`);
  return row?.id === id ? row : null;
}

/** The owner sees all sub-accounts, a sub-account only itself. The owner is not among them. */
function isInSight(visibility: Visibility): Sql {
  const subAccountsOfAccount = sql`u.account_id = ${visibility.accountId} and u.role = 'sub_account' and u.removed_at is null`;
  switch (visibility.sees) {
    case "account":
      return subAccountsOfAccount;
    case "assigned":
      return sql`${subAccountsOfAccount} and u.id = ${visibility.userId}`;
  }
}
