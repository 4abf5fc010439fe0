/**
 * Reads what belongs to these rows account by account, because no statement is about two accounts (distribution.ts). Mostly there
 * is one.
 */
export async function inEachAccount<Owned extends { readonly account_id: number }, Result>(
  rows: Iterable<Owned>,
  read: (accountId: number, rows: readonly Owned[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [accountId, own] of Map.groupBy(rows, ({ account_id }) => account_id)) {
    for (const result of await read(accountId, own)) results.push(result);
  }
  return results;
}
