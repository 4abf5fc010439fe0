import type { Database } from "../../src/store/database.ts";
import type { Sql } from "../../src/store/sql.ts";
import { judge } from "./statement-rule.ts";

/** A database as the program would see it on one machine or on many, and what it is sent outside of transactions. */
export function watchedDatabase(
  database: Database,
  isDistributed: boolean,
): { readonly database: Database; readonly sent: Sql[] } {
  const sent: Sql[] = [];
  const noted = (query: Sql): Sql => {
    sent.push(query);
    return query;
  };
  return {
    sent,
    database: {
      engine: database.engine,
      isDistributed,
      all: (query) => database.all(noted(query)),
      get: (query) => database.get(noted(query)),
      change: (query) => database.change(noted(query)),
      transaction: (work) => database.transaction(work),
      commits: () => database.commits(),
      purge: (tables) => database.purge(tables),
      ping: () => database.ping(),
      close: () => database.close(),
    },
  };
}

/** The accounts that each statement is about, and what is wrong with it. */
export function judged(statements: readonly Sql[]): { readonly accounts: unknown[]; readonly faults: string[] }[] {
  return statements.map(({ text, values }) => {
    const { accountParameters, faults } = judge(text);
    return { accounts: [...new Set(accountParameters.map((number) => values[number - 1]))], faults: [...faults] };
  });
}
