import { beforeEach, setSystemTime } from "bun:test";
import type { Database, Reader } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { type ApiResponse, type ApiUnderTest, type KeyOptions, keyOf, startApi } from "./api.ts";
import type { EngineUnderTest, FreshDatabase } from "./engines.ts";
import { awayFromMidnight } from "./midnight.ts";
import { type SeededFleet, seedFleet } from "./seed-fleet.ts";

/** The public side over a seeded fleet, with its store. */
export interface FleetApi extends FreshDatabase {
  readonly fleet: SeededFleet;
  readonly api: ApiUnderTest;
  /** A key of the owner, unless another e-mail is named. */
  key(options?: KeyOptions & { readonly email?: string }): Promise<string>;
  /** Another node on the same store, or the same one after a restart. Ends with the test. */
  node(database?: Database): Promise<ApiUnderTest>;
}

/** One for all tests of the block. A test leaves it as it found it, but for rows that no other test looks at. */
export function sharedFleetApi(engine: EngineUnderTest): () => FleetApi {
  beforeEach(awayFromMidnight);
  const nodes: ApiUnderTest[] = [];
  return engine.shared<FleetApi>(
    async (store) => {
      const { database } = store;
      const fleet = await seedFleet(database);
      const node: FleetApi["node"] = async (on = database) => {
        const started = await startApi(on);
        nodes.push(started);
        return started;
      };
      const key: FleetApi["key"] = ({ email = fleet.owner.email, ...options } = {}) => keyOf(database, email, options);
      return { ...store, fleet, api: await node(), key, node };
    },
    async () => {
      await Promise.all(nodes.map((started) => started.close()));
    },
  );
}

/** What the five headers say. */
export function figures({ headers }: ApiResponse) {
  const figure = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  return {
    limit: figure("Limit"),
    remaining: figure("Remaining"),
    reset: figure("Reset"),
    limitSecond: figure("Limit-Second"),
    remainingSecond: figure("Remaining-Second"),
  };
}

/** Makes every query that reads the table fail for as long as the work takes: the store's fault, for real. */
export async function withoutTable(database: Database, table: string, work: () => Promise<void>): Promise<void> {
  await database.transaction((tx) => tx.run(plainSql(`alter table ${table} rename to ${table}_away`)));
  try {
    await work();
  } finally {
    await database.transaction((tx) => tx.run(plainSql(`alter table ${table}_away rename to ${table}`)));
  }
}

/**
 * Does the work within one second of the clock that the limiter counts by. Ours is stopped; by PostgreSQL's it is done
 * again until it was over in time. It must take a fraction of a second, so that few tries are needed.
 */
export async function inOneSecond<T>(reader: Reader & Pick<Database, "engine">, work: () => Promise<T>): Promise<T> {
  if (reader.engine === "sqlite") {
    setSystemTime(Date.now());
    return work().finally(() => setSystemTime());
  }
  for (;;) {
    const before = await secondOf(reader);
    const [outcome] = await Promise.allSettled([work()]);
    if ((await secondOf(reader)) !== before) continue;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}

async function secondOf(reader: Reader): Promise<number> {
  const row = await reader.get<{ second: number }>(
    plainSql("select floor(extract(epoch from clock_timestamp()))::bigint as second"),
  );
  return row?.second ?? Number.NaN;
}
