import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { foldedDevices, markDirty } from "../../src/store/facts/folds.ts";
import { growFleetRevision } from "../../src/store/fleet/fleet-context.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetRecord, hourMs, load, loadedAt } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { alertSettings, devices, fences, newYear, people, randomFleet } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";

const seed = announcedSeed("changes of the fleet");
const frames = inOrder(randomFleet(seed, 150));
const base = [...people, ...devices];
const rest = [...Object.values(fences), alertSettings];

/** In the middle of the drives. */
const edited = frames[Math.floor(frames.length / 2)]?.recordedAt ?? newYear;
const edits: FleetRecord[] = [
  { ...fences.town, radius_m: 900, valid_from: new Date(edited).toISOString() },
  { ...fences.road, device_ids: [], valid_from: new Date(edited).toISOString() },
  { ...alertSettings, rules: [], valid_from: new Date(edited).toISOString() },
];

/** Loads a change of the fleet, and says from when on what is derived may be different. */
async function change(database: Database, records: readonly FleetRecord[], from: number): Promise<void> {
  await load(database, records, loadedAt + hourMs);
  const account = await accountNumber(database);
  const folded = await foundInEach(database, (account) => foldedDevices(database, account));
  await database.transaction(async (tx) => {
    await growFleetRevision(tx, [account]);
    const devices = folded.filter(({ accountId }) => accountId === account).map(({ device }) => device);
    await markDirty(tx, account, devices, from);
  });
}

onEachEngine("a fence or a rule", (engine) => {
  test("that is loaded after the frames gives what it gives when it is there before them", async () => {
    const before = await engine.fresh();
    await load(before.database, [...base, ...rest]);
    await take(before.database, [frames]);
    const wanted = await derivedTables(before.database);

    const after = await engine.fresh();
    await load(after.database, base);
    const writer = newWriter(after.database);
    await take(after.database, [frames.slice(0, 200)], writer);
    await change(after.database, rest, 0);
    // Some frames come before anybody has derived anything again, some after.
    await take(after.database, [frames.slice(200, 300)], writer);
    await writer.schedule.deriveLeft();
    await take(after.database, [frames.slice(300)], writer);
    expect(differencesOf(wanted, await derivedTables(after.database))).toEqual([]);
    expect(await rederiveAll(after.database)).toMatchObject(nothingChanged);
  });

  test("that is edited holds from its moment on, whenever it is stored, and leaves what was before", async () => {
    const before = await engine.fresh();
    await load(before.database, [...base, ...rest]);
    await take(before.database, [frames]);
    const unedited = await derivedTables(before.database);
    await change(before.database, edits, edited);
    await newWriter(before.database).schedule.deriveLeft();
    const wanted = await derivedTables(before.database);
    const early = (rows: readonly Record<string, unknown>[]) =>
      rows.filter(({ occurred_at, final_at }) => Math.max(Number(occurred_at), Number(final_at)) < edited);
    expect(early(wanted.geofence_events)).toEqual(early(unedited.geofence_events));
    expect(wanted.frames).toEqual(unedited.frames);

    const after = await engine.fresh();
    await load(after.database, [...base, ...rest]);
    await load(after.database, edits, loadedAt + hourMs);
    await take(after.database, [frames]);
    expect(differencesOf(wanted, await derivedTables(after.database))).toEqual([]);
    expect(await rederiveAll(after.database)).toMatchObject(nothingChanged);
  });
});
