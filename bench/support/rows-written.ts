import { Database } from "bun:sqlite";

/** Counts the rows that are inserted, updated and deleted in all tables of a store, until it is stopped: with triggers, which cost time. */
export interface RowCount {
  rows(): number;
  stop(): void;
}

const operations = ["insert", "update", "delete"] as const;

/** SQLite only. The server that writes may be running. */
export function countRows(path: string): RowCount {
  const store = new Database(path);
  store.run("pragma busy_timeout = 10000");
  const names = store.query("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
  const tables = (names.all() as { name: string }[]).map(({ name }) => name);
  const triggers = tables.flatMap((table) =>
    operations.map((operation) => ({ table, operation, name: `counts_${operation}_${table}` })),
  );
  store.transaction(() => {
    store.run("create table counted_rows (count integer not null)");
    store.run("insert into counted_rows values (0)");
    for (const { table, operation, name } of triggers) {
      store.run(
        `create trigger ${name} after ${operation} on ${table} begin update counted_rows set count = count + 1; end`,
      );
    }
  })();
  return {
    rows: () => (store.query("select count from counted_rows").get() as { count: number }).count,
    stop: () => {
      store.transaction(() => {
        for (const { name } of triggers) store.run(`drop trigger ${name}`);
        store.run("drop table counted_rows");
      })();
      store.close();
    },
  };
}
