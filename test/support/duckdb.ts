import { DuckDBInstance } from "@duckdb/node-api";

/** Runs queries in a database in memory, with the session's time zone as given. Each answer is its rows as objects. */
export async function withDuckDb<T>(
  timeZone: string,
  use: (query: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run(`set TimeZone = '${timeZone}'`);
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS());
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
