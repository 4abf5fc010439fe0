import { loadModule, parseSync } from "libpg-query";
import { distributedTables, referenceTables } from "../../src/store/distribution.ts";
import { onShards } from "../../src/store/postgres/shard-text.ts";

await loadModule();

/** What the tables of one account are called on a worker. */
const names = new Map([...distributedTables, ...referenceTables].map((table) => [table as string, `${table}_7`]));

/** What a read would do against its meaning if it were asked of a worker: the same statement, but for the names of its tables. */
export function shardFaults(text: string): string[] {
  const renamed = onShards(text, names);
  if (renamed === null) return [];
  const expected = JSON.stringify(parseSync(text), withShards);
  return expected === parsed(renamed) ? [] : ["on a worker it would not be the same statement (shard-text.ts)"];
}

function parsed(text: string): string | null {
  try {
    return JSON.stringify(parseSync(text), withoutPlaces);
  } catch {
    return null;
  }
}

/** Where something is in the text. */
const places = /(?:^|_)(?:location|start|end|len)$/;

function withoutPlaces(key: string, value: unknown): unknown {
  if (places.test(key)) return undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? sorted(value) : value;
}

function withShards(key: string, value: unknown): unknown {
  const table = key === "RangeVar" ? (value as { relname: string; alias?: unknown }) : null;
  const name = names.get(table?.relname ?? "");
  if (!table || name === undefined) return withoutPlaces(key, value);
  return sorted({ ...table, relname: name, alias: table.alias ?? { aliasname: table.relname } });
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
