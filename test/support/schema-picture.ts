import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";

/**
 * Each fact of a schema as one line: tables with their columns in order, what is checked, keys, indexes, triggers, proportions.
 * Of two indexes that are as good, SQLite takes the one that was made last, so they have places.
 */
const pictures = {
  sqlite: `
    select 'table ' || t.name || ' rowid ' || (not t.wr) || ' strict ' || t.strict as line
    from pragma_table_list t where t.type = 'table' and t.name not like 'sqlite_%'
    union all
    select 'column ' || t.name || '.' || c.name || ' ' || c.cid || ' ' || c.type || ' required ' || c."notnull"
      || ' default ' || coalesce(c.dflt_value, '') || ' key ' || c.pk
    from pragma_table_list t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'
    union all
    select 'reference ' || t.name || '.' || f."from" || ' to ' || f."table" || '.' || coalesce(f."to", '') || ' ' || f.seq
    from pragma_table_list t, pragma_foreign_key_list(t.name) f where t.type = 'table'
    union all
    select 'place ' || t.name || ' ' || l.seq || ' ' || l.name from pragma_table_list t, pragma_index_list(t.name) l
    union all
    select 'unique ' || t.name || ' (' || (select group_concat(i.name) from pragma_index_info(l.name) i) || ')'
    from pragma_table_list t, pragma_index_list(t.name) l where t.type = 'table' and l.origin = 'u'
    union all
    select m.type || ' ' || m.sql from sqlite_master m where m.type in ('index', 'trigger', 'view') and m.sql is not null
    union all
    select 'proportion ' || tbl || ' ' || coalesce(idx, '') || ' ' || stat from sqlite_stat1
    union all
    select 'checks of ' || m.name || ': ' || m.sql from sqlite_master m where m.type = 'table' and m.name not like 'sqlite_%'`,
  postgres: `
    with own as (
      select c.* from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S'))
    select 'table ' || t.relname || ' ' || t.relkind::text || ' ' || coalesce(t.reloptions::text, '') as line from own t
    union all
    select 'column ' || t.relname || '.' || c.attname || ' '
      || row_number() over (partition by t.oid order by c.attnum) || ' ' || format_type(c.atttypid, c.atttypmod)
      || ' required ' || c.attnotnull || ' default ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
      || ' collation ' || coalesce(c.attcollation::regcollation::text, '') || ' storage ' || c.attstorage::text
      || ' identity ' || c.attidentity::text
    from own t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = c.attnum where t.relkind <> 'S'
    union all
    select 'constraint ' || t.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
    from own t join pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'
    union all
    select 'index ' || pg_get_indexdef(i.indexrelid) from own t join pg_index i on i.indrelid = t.oid
    union all
    select 'trigger ' || pg_get_triggerdef(g.oid) from own t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal`,
};

/** Two stores with the same lines have the same schema. A check of SQLite is only in the text of its table. */
export async function schemaPicture(database: Database): Promise<string[]> {
  const rows = await database.all<{ line: string }>(plainSql(pictures[database.engine]));
  return rows
    .map(({ line }) => (line.startsWith("checks of ") ? checksOf(line) : line).replaceAll(/\s+/g, " "))
    .toSorted();
}

function checksOf(line: string): string {
  const [name] = line.split(":");
  const text = line.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  return `${name}: ${[...text.matchAll(/check \((?:[^()]|\([^()]*\))*\)/g)]
    .map(([check]) => check)
    .toSorted()
    .join("; ")}`;
}
