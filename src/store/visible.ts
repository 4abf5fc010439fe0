import type { Visibility } from "../domain/visibility.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * The condition that keeps a query within what the viewer may see, for a table or alias with the columns `account_id`
 * and `device`. It stands in every query that answers a customer, so that what is foreign is never even read.
 */
export function visibleRows(visibility: Visibility, alias: "d" | "r"): Sql {
  const own = ownAccount[alias](visibility.accountId);
  switch (visibility.sees) {
    case "account":
      return own;
    case "assigned":
      return sql`${own} and exists (
        select 1 from assignments a
        where a.account_id = ${visibility.accountId} and a.user_id = ${visibility.userId} and a.device = ${device[alias]})`;
  }
}

// An alias is part of the text and so cannot be a parameter: there is one for devices and one for rows about them.
const ownAccount = {
  d: (accountId: number) => sql`d.account_id = ${accountId}`,
  r: (accountId: number) => sql`r.account_id = ${accountId}`,
};
const device = { d: sql`d.device`, r: sql`r.device` };
