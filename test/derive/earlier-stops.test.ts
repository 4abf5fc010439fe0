import { expect, test } from "bun:test";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { type Checkpoint, checkpointAfter, saveCheckpoints } from "../../src/store/facts/checkpoints.ts";
import { foldedDevices, foldProgress } from "../../src/store/facts/folds.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { upgradeAll } from "../support/rules-upgrade.ts";

const seed = announcedSeed("stops of earlier rules");
const frames = inOrder(randomFleet(seed, 900));

interface StopRow {
  readonly device: number;
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly duration_ms: number;
  readonly latitude_e7: number;
  readonly longitude_e7: number;
  readonly ignition_on_ms: number | null;
  readonly trip_before_id: string;
  readonly trip_after_id: string | null;
  readonly geofence_ids: string;
}

const stopsOf = (database: Database) =>
  database.all<StopRow>(sql`
    select device, id, started_at, ended_at, duration_ms, latitude_e7, longitude_e7, ignition_on_ms, trip_before_id,
      trip_after_id, geofence_ids
    from stops order by device, started_at, id`);

/** As the fourth rules left it: no stops, and states that know of none. */
async function asFourthRules(database: Database): Promise<Map<number, number>> {
  const dropped = new Map<number, number>();
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    dropped.set(key.device, (await foldProgress(database, key)).droppedUntil ?? 0);
    await database.transaction(async (tx) => {
      for (let at = 0; ; ) {
        const found: Checkpoint | null = await checkpointAfter(tx, key, at);
        if (found === null) break;
        const { stages, ...state } = JSON.parse(found.stateJson);
        const { stops: _, ...others } = stages;
        const { stop: __, ...totals } = JSON.parse(found.totalsJson ?? "null");
        const stateJson = JSON.stringify({ ...state, rules: 4, stages: others });
        await saveCheckpoints(tx, [{ ...found, ...key, stateJson, totalsJson: JSON.stringify(totals) }]);
        at = found.recordedAt;
      }
    });
  }
  await database.transaction(async (tx) => {
    await tx.run(plainSql("delete from stops"));
    await tx.run(sql`update device_folds set rules = 4`);
  });
  return dropped;
}

onEachEngine("a store of the fourth rules", (engine) => {
  const filled = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [frames]);
  });

  test("gets the stops that its frames lead to, and nothing else changes", async () => {
    const { database } = await filled();
    const wanted = await derivedTables(database);
    expect(wanted.stops.length).toBeGreaterThan(10);
    await asFourthRules(database);
    await upgradeAll(database);
    expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
  });

  test("gets those of dropped frames from its trips, without the ignition", async () => {
    const { database } = await filled();
    const wanted = await stopsOf(database);
    const middle = frames[Math.floor(frames.length * 0.6)]?.recordedAt ?? 0;
    await dropOldFrames(database, middle);
    const dropped = await asFourthRules(database);
    expect([...dropped.values()].some((at) => at > 0)).toBe(true);
    await upgradeAll(database);
    const isGone = ({ device, started_at }: StopRow) => started_at <= (dropped.get(device) ?? 0);
    const bare = (row: StopRow) => ({ ...row, ...(isGone(row) && { ignition_on_ms: null, geofence_ids: "" }) });
    const found = await stopsOf(database);
    expect(found.map(bare)).toEqual(wanted.map(bare));
    const gone = found.filter(isGone);
    expect(gone.length).toBeGreaterThan(0);
    // Of a trip that was under way then, the state that is left has the last frames: what it says of the ignition is true.
    const known = gone.filter(({ ignition_on_ms }) => ignition_on_ms !== null);
    for (const { id, ignition_on_ms: ms } of known) {
      expect(wanted.find((row) => row.id === id)?.ignition_on_ms).toBe(ms);
    }
    // Crossings say which fences it was in. What had no crossing, such as a fence around its first place, is not known.
    const before = new Map(wanted.map((row) => [row.id, row.geofence_ids.split(" ")]));
    for (const { id, geofence_ids: ids } of gone) {
      for (const fence of ids.split(" ").filter((one) => one !== "")) expect(before.get(id)).toContain(fence);
    }
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
    expect(await stopsOf(database)).toEqual(found);
  });
});
