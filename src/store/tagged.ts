import { matchesNoText } from "../domain/text/search-text.ts";
import type { Engine } from "./database.ts";
import { nothing, plainSql, type Sql, sql } from "./sql.ts";

const no = plainSql("and 1 = 0");

/** The condition that device `d` has this tag now: `and …`. Null: any device. */
export function hasTag(engine: Engine, tag: string | null): Sql {
  if (tag === null) return nothing;
  if (matchesNoText(tag)) return no;
  return engine === "sqlite"
    ? sql`and exists (select 1 from json_each(d.tags_json) t where t.value = ${tag})`
    : sql`and exists (select 1 from json_array_elements_text(cast(d.tags_json as json)) t where t.value = ${tag})`;
}
