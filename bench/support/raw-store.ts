import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { StoreTarget } from "../../src/store/open.ts";

export type RawRow = Readonly<Record<string, string | number | null>>;

/**
 * The tables of a store without the program, so that those of any version can be read and filled. Nothing survives a power
 * cut while it is open, and nobody else may have the store open.
 */
export interface RawStore {
  readonly engine: StoreTarget["engine"];
  all(text: string): Promise<RawRow[]>;
  run(text: string): Promise<void>;
  /** Names of the tables that have all of these columns, each with its columns. */
  tablesWith(columns: readonly string[]): Promise<Map<string, string[]>>;
  /** Bytes of each table on disk, with its indexes. */
  bytesByTable(): Promise<Map<string, number>>;
  close(): Promise<void>;
}

export function openRaw(target: StoreTarget): RawStore {
  return target.engine === "sqlite" ? openFile(target.directory) : openServer(target.url);
}

function openFile(directory: string): RawStore {
  const database = new Database(join(directory, "odograph.db"), { readwrite: true });
  // Without a file for it: what a transaction changes fits into memory.
  database.run("pragma journal_mode = delete");
  database.run("pragma journal_mode = memory");
  database.run("pragma synchronous = off");
  database.run("pragma cache_size = -1000000");
  const all = (text: string) => database.query(text).all() as RawRow[];
  return {
    engine: "sqlite",
    all: async (text) => all(text),
    run: async (text) => void database.run(text),
    tablesWith: async (columns) =>
      withAll(
        all(
          "select m.name as tab, i.name as col from sqlite_master m, pragma_table_info(m.name) i where m.type = 'table'",
        ),
        columns,
      ),
    bytesByTable: async () =>
      sizes(
        all(
          "select m.tbl_name as tab, sum(d.pgsize) as bytes from dbstat d join sqlite_master m on m.name = d.name group by 1",
        ),
      ),
    close: async () => {
      database.run("pragma journal_mode = wal");
      database.close();
    },
  };
}

function openServer(url: string): RawStore {
  const server = new Bun.SQL(url, { max: 1, idleTimeout: 0 });
  const all = async (text: string) => (await server.unsafe(text)) as RawRow[];
  return {
    engine: "postgres",
    all,
    run: async (text) => void (await server.unsafe(text)),
    tablesWith: async (columns) =>
      withAll(
        await all(`
          select c.relname as tab, a.attname as col from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`),
        columns,
      ),
    bytesByTable: async () =>
      sizes(
        await all(`
          select coalesce(p.relname, c.relname) as tab, sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
          left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`),
      ),
    close: () => server.close(),
  };
}

function withAll(rows: readonly RawRow[], columns: readonly string[]): Map<string, string[]> {
  const tables = Map.groupBy(rows, ({ tab }) => String(tab));
  const named = [...tables].map(([name, list]) => [name, list.map(({ col }) => String(col))] as const);
  return new Map(
    named.filter(([, names]) => columns.every((column) => names.includes(column))).map((x) => [x[0], x[1]]),
  );
}

function sizes(rows: readonly RawRow[]): Map<string, number> {
  return new Map(
    rows.map(({ tab, bytes }) => [String(tab), Number(bytes)] as const).sort((one, other) => other[1] - one[1]),
  );
}
