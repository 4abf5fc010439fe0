import type { Database } from "../store/database.ts";
import { openDatabase } from "../store/open.ts";
import type { Call } from "./command.ts";

/** Opens the store for one command and closes it again, whatever happens. */
export async function withStore<T>(
  call: Call,
  options: { readonly create: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(call.settings().store, options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
