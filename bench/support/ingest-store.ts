import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { openDatabase, type StoreTarget } from "../../src/store/open.ts";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import { benchAccountId, seedBenchFleet } from "./fleet.ts";

export interface IngestStore {
  readonly target: StoreTarget;
  /** For files of the measurement; removed with the store. */
  readonly directory: string;
  /** An API key and an ingest token of its account. */
  readonly key: string;
  readonly token: string;
  remove(): Promise<void>;
}

/** A new store with a fleet that has sent nothing yet. */
export async function makeIngestStore(devices: number, isPostgres: boolean): Promise<IngestStore> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-bench-"));
  const postgres = isPostgres ? await startPostgres() : null;
  const target: StoreTarget = postgres
    ? { engine: "postgres", url: postgres.url }
    : { engine: "sqlite", directory: join(directory, "store") };
  const database = await openDatabase(target, { create: true });
  const { key } = await seedBenchFleet(database, devices, 0);
  const { secret: token } = await createIngestToken(database, { accountId: benchAccountId, name: "bench" }, Date.now());
  await database.close();
  const remove = async () => {
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { target, directory, key, token, remove };
}
