import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModule, parseSync } from "libpg-query";
import { statementsOf } from "../../src/store/postgres/connection.ts";

await loadModule();

const folder = join(import.meta.dir, "../../src/store/postgres/migrations");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** What statements do, wherever they are in a text. */
function parsed(text: string): unknown[] {
  const withoutPlaces = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(withoutPlaces);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).filter(([name]) => !/location$|^rexpr_list_(start|end)$/.test(name));
    return Object.fromEntries(entries.map(([name, value]) => [name, withoutPlaces(value)]));
  };
  return (parseSync(text).stmts ?? []).map(({ stmt }) => withoutPlaces(stmt));
}

describe("the statements of a migration", () => {
  test("are found in every file", () => expect(files.length).toBeGreaterThanOrEqual(21));

  test.each(files)("%s: are those that PostgreSQL finds", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const alone = statementsOf(text).map(parsed);
    expect(alone.map((statements) => statements.length)).toEqual(alone.map(() => 1));
    expect(alone.flat()).toEqual(parsed(text));
  });
});
