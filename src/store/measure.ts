import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Reader } from "./database.ts";
import type { StoreTarget } from "./open.ts";
import { sql } from "./sql.ts";
import { fileName } from "./sqlite/open.ts";
import { lastBackupFile, timeOfFile } from "./time-files.ts";

/** What an operator must know of the store, besides that it answers. */
export interface StoreMeasures {
  readonly bytes: number;
  /** Left beside an embedded store for its own user; null: only the database's machine knows. */
  readonly freeBytes: number | null;
  /** When the last backup was made; 0: never, as far as the embedded store knows; null: nobody has noted one. */
  readonly backupAt: number | null;
}

/** Some looks at files, or one question: no rows are read. */
export async function measureStore(
  reader: Reader,
  { store, dataDirectory }: { readonly store: StoreTarget; readonly dataDirectory: string },
): Promise<StoreMeasures> {
  const backupAt = timeOfFile(lastBackupFile(dataDirectory));
  if (store.engine === "postgres") {
    const row = await reader.get<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`);
    return { bytes: row?.bytes ?? 0, freeBytes: null, backupAt };
  }
  const { directory } = store;
  const sizes = await Promise.all(
    [fileName, `${fileName}-wal`, `${fileName}-shm`].map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const { bavail, bsize } = await statfs(directory);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), freeBytes: bavail * bsize, backupAt: backupAt ?? 0 };
}
