import { distributedTables, localTables, referenceTables } from "../distribution.ts";

/** By table: what it is called on the worker, for the rows of one account. */
export type ShardNames = ReadonlyMap<string, string>;

const isRead = /^\s*(?:select|with)\b/;
/** What changes or locks something, whatever it begins with. */
const isMore =
  /\b(?:insert into|update|delete from|for (?:no key )?update|for (?:key )?share|nextval|pg_\w*advisory\w*)\b/;
const spreadUse = new RegExp(`\\b(?:from|join)\\s+(?:${distributedTables.join("|")})\\b`);
const localUse = new RegExp(`\\b(?:${localTables.join("|")})\\b`);
const tableUse = new RegExp(`\\b(from|join)\\s+(${[...distributedTables, ...referenceTables].join("|")})\\b`, "g");
/** What may follow a table that has no other name in the statement. */
const noAlias =
  /^\s*(?:$|[),;]|(?:where|join|left|right|inner|full|cross|on|using|order|group|having|limit|offset|union|intersect|except|fetch|window)\b)/;

/**
 * A read of one account, with its tables called as the account's shards on their worker. Null: only the coordinator can run it.
 * A test compares the two as PostgreSQL's own parser reads them, for every read that tests make (`test/support/shard-text-rule.ts`).
 */
export function onShards(text: string, names: ShardNames): string | null {
  if (!isRead.test(text) || isMore.test(text) || !spreadUse.test(text) || localUse.test(text)) return null;
  let isComplete = true;
  const renamed = text.replace(tableUse, (use: string, before: string, table: string, at: number) => {
    const name = names.get(table);
    if (name === undefined) isComplete = false;
    return `${before} ${name}${noAlias.test(text.slice(at + use.length)) ? ` ${table}` : ""}`;
  });
  return isComplete ? renamed : null;
}

/** The same read of several shards as one statement. Each has its own parameters, one after the other. */
export function onEachShard(
  text: string,
  parameters: number,
  shards: readonly (ShardNames | undefined)[],
): string | null {
  const texts: string[] = [];
  for (const [index, names] of shards.entries()) {
    const renamed = names && onShards(text, names);
    if (!renamed) return null;
    texts.push(renamed.replace(/\$(\d+)/g, (_, number: string) => `$${index * parameters + Number(number)}`));
  }
  return texts.join(" union all ");
}
