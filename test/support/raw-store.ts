import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { fileName } from "../../src/store/sqlite/open.ts";
import type { EmptyStore } from "./engines.ts";

/** Statements on a store without a program of ours opening it. */
export interface RawStore {
  run(text: string): Promise<void>;
  all<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  close(): Promise<void>;
}

export function rawStore({ target }: Pick<EmptyStore, "target">): RawStore {
  if (target.engine === "postgres") {
    const client = new SQL(target.url, { max: 1 });
    return {
      run: async (text) => void (await client.unsafe(text)),
      all: async (text) => [...(await client.unsafe(text))],
      close: () => client.close(),
    };
  }
  const file = new Sqlite(join(target.directory, fileName));
  return {
    run: async (text) => void file.run(text),
    all: async <Row>(text: string) => file.query(text).all() as Row[],
    close: async () => file.close(),
  };
}
