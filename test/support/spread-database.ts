import type { Database } from "../../src/store/database.ts";
import type { Sql } from "../../src/store/sql.ts";
import { altered, noting } from "./altered.ts";
import { judge } from "./statement-rule.ts";

/** A database as the program would see it on one machine or on many, and what it is sent outside of transactions. */
export function watchedDatabase(
  database: Database,
  isDistributed: boolean,
): { readonly database: Database; readonly sent: Sql[] } {
  const sent: Sql[] = [];
  const noted = noting(database, (query) => sent.push(query));
  return { sent, database: altered(noted, { isDistributed, transaction: (work) => database.transaction(work) }) };
}

/** The accounts that each statement is about, and what is wrong with it. */
export function judged(statements: readonly Sql[]): { readonly accounts: unknown[]; readonly faults: string[] }[] {
  return statements.map(({ text, values }) => {
    const { accountParameters, faults } = judge(text);
    return { accounts: [...new Set(accountParameters.map((number) => values[number - 1]))], faults: [...faults] };
  });
}
