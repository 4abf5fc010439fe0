import type { Database } from "../../../src/store/database.ts";
import { load, loadedAt } from "../../../test/support/fleet.ts";
import { inOrder } from "../../../test/support/ingest-arrival.ts";
import { fences, loadIngestFleet, newYear, randomFleet } from "../../../test/support/ingest-fleet.ts";
import { dirtyCount, take } from "../../../test/support/ingest-node.ts";
import { seedTables } from "../../../test/support/seed-tables.ts";

const hourMs = 3_600_000;

/** A small fleet that has driven. */
export async function fleetOfDrill(database: Database): Promise<void> {
  await loadIngestFleet(database);
  await take(database, [inOrder(randomFleet(1, 300))]);
}

/** Marks devices as a node does that is killed after it has stored something: returns how many. */
export async function leaveWork(database: Database): Promise<number> {
  const changed = { ...fences.town, radius_m: 3_000, valid_from: new Date(newYear).toISOString() };
  await load(database, [changed], loadedAt + hourMs);
  return dirtyCount(database);
}

/** Adds accounts that have nothing. */
export async function manyAccounts(database: Database, count: number): Promise<void> {
  const times = { created_at: loadedAt, updated_at: loadedAt };
  const zone = { time_zone: "UTC", earlier_time_zones: "" };
  const account = { status: "active", limit_per_second: 1, limit_per_day: 1, ...zone, ...times };
  const rows = Array.from({ length: count }, (_, index) => ({
    ...account,
    account_id: 1_000 + index,
    name: `Account ${index}`,
    id: `00000000-0000-4000-9000-${String(index).padStart(12, "0")}`,
  }));
  for (let start = 0; start < count; start += 1_000) {
    await database.transaction((tx) => tx.insertMany(seedTables.accounts, rows.slice(start, start + 1_000)));
  }
}
