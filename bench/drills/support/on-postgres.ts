import { startPostgres } from "../../../test/support/postgres-server.mjs";

/** Runs a drill on a PostgreSQL of its own, which is gone afterwards. */
export async function onPostgres(drill: (url: string) => Promise<void>): Promise<void> {
  const postgres = await startPostgres();
  try {
    await drill(postgres.url);
  } finally {
    await postgres.stop();
  }
}
