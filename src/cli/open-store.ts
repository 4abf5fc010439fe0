import type { Database } from "../store/database.ts";
import { openDatabase, type StoreTarget } from "../store/open.ts";

/** Opens the store for one command and closes it again, whatever happens. */
export async function withStore<T>(
  store: StoreTarget,
  options: { readonly create: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(store, options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
