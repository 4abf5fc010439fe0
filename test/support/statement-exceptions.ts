/**
 * Statements that a store on one machine sends and one on many does not (`isDistributed`): there the same is done account by
 * account. Requests of any accounts share them, or they cost less this way.
 */
const forOneMachine = [
  // `insertsOfRows` of store/postgres/bulk.ts; else `insertsByAccount`.
  /^insert into \w+ \([\w, ]+\) select [\w, ]+ from json_to_recordset\(\$1::text::json\) as row /,
  // `countersOfViewers` of store/viewers.ts; else `countersInAccount`.
  /from unnest\(\$\d+::bigint\[\], \$\d+::uuid\[\]\) as asked \(account_id, user_id\)/,
];

/** As above, but only for being about more than one account: `SharedCounters` of store/shared-counters.ts. */
const forSeveralAccounts = /^\s*insert into key_counters as c \(/;

export function isForSeveralAccounts(text: string): boolean {
  return forSeveralAccounts.test(text);
}

/** Statements that are about tables as a whole, and rare. */
const ofWholeTables = [
  // Whether a table is empty after something was erased: store/postgres/purge.ts.
  /^\s*select not exists \(select 1 from \w+\) as empty, /,
  // Of stores older than 1.0.0, which cannot be distributed: store/forms.ts.
  /select r\.packed from frames r where r\.account_id = f\.account_id/,
];

export function isExcepted(text: string): boolean {
  return [...forOneMachine, ...ofWholeTables].some((pattern) => pattern.test(text));
}
