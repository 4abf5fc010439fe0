import { rulesVersion } from "../../src/domain/rules.ts";
import { acceptedDiscontinuity } from "../../src/domain/verdict.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database, Reader, Transaction } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { type Checkpoint, checkpointAfter, saveCheckpoints } from "../../src/store/facts/checkpoints.ts";
import { type FoldProgress, foldedDevices, foldProgress } from "../../src/store/facts/folds.ts";
import { storeFrames } from "../../src/store/frames/frame-writes.ts";
import { framesAfter } from "../../src/store/frames/frames.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { altered } from "./altered.ts";
import { batched } from "./ingest-arrival.ts";
import { shuffled } from "./random-drive.ts";

const earlierRules = rulesVersion - 1;

/**
 * Makes of a store what earlier rules might have left: other verdicts, facts that are missing, different or never were, states
 * of other moments, and another live state. Whatever is derived by the present rules must not depend on
 * any of it, but for the state before the frames that are left, if others were dropped.
 */
export async function asEarlierRules(database: Database, random: () => number): Promise<void> {
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    await database.transaction(async (tx) => {
      const progress = await foldProgress(tx, key);
      const { droppedUntil } = progress;
      await judgeOtherwise(tx, key, progress, random);
      await alterFacts(tx, key, random);
      await exchangeStates(tx, key, random, droppedUntil ?? 0);
    });
  }
  await database.transaction(async (tx) => {
    await tx.run(sql`update device_folds set rules = ${earlierRules}`);
    await tx.run(sql`update latest_positions set odometer_m = 7, trip_id = null, geofence_ids_json = '[]'`);
  });
}

async function judgeOtherwise(
  tx: Transaction,
  key: DeviceKey,
  progress: FoldProgress,
  random: () => number,
): Promise<void> {
  const frames = (await framesAfter(tx, key, null, 100_000)).filter(() => random() < 0.1);
  const judgedAnew = frames.map(({ frame, verdict }) => ({
    frame,
    verdict: verdict.valid
      ? ({ valid: false, rejectReason: "implausible_jump", discontinuity: false } as const)
      : acceptedDiscontinuity,
  }));
  const { untimelyUntil, head } = progress;
  await storeFrames(tx, key.accountId, [
    { ...key, untimelyUntil, head, sealing: progress, added: [], judgedAnew, removed: [] },
  ]);
}

const keyed = [
  { table: "trips", id: "id", time: "started_at" },
  { table: "stops", id: "id", time: "started_at" },
  { table: "geofence_events", id: "id", time: "occurred_at" },
  { table: "alerts", id: "id", time: "occurred_at" },
  { table: "mileage_days", id: "day", time: "day" },
] as const;

async function alterFacts(tx: Transaction, key: DeviceKey, random: () => number): Promise<void> {
  for (const { table, id, time } of keyed) {
    const [name, idColumn, timeColumn] = [plainSql(table), plainSql(id), plainSql(time)];
    const rows = await tx.all<{ id: string | number }>(
      sql`select ${idColumn} as id from ${name} where ${ofDevice(key)} order by ${timeColumn}, ${idColumn}`,
    );
    for (const { id: own } of rows) {
      const isThis = sql`${ofDevice(key)} and ${idColumn} = ${own}`;
      const kind = random();
      if (kind < 0.2) await tx.run(sql`delete from ${name} where ${isThis}`);
      // Another moment is another fact, under an id that the present rules never make.
      else if (kind < 0.4 && id !== "day") {
        const other = sql`${timeColumn} = ${timeColumn} + 7, id = ${crypto.randomUUID()}`;
        await tx.run(sql`update ${name} set ${other} where ${isThis}`);
      } else if (kind < 0.6) {
        const isFinal = sql`final_at < ${Number.MAX_SAFE_INTEGER}`;
        await tx.run(sql`update ${name} set final_at = final_at - 3 where ${isThis} and ${isFinal}`);
      }
    }
  }
}

async function exchangeStates(tx: Transaction, key: DeviceKey, random: () => number, before: number): Promise<void> {
  const states: Checkpoint[] = [];
  for (let at = 0; ; at = states.at(-1)?.recordedAt ?? 0) {
    const next = await checkpointAfter(tx, key, at);
    if (next === null) break;
    states.push(next);
  }
  for (const { recordedAt, digest, stateJson } of states) {
    if (recordedAt <= before) continue;
    const other = states[Math.floor(random() * states.length)] as Checkpoint;
    // The frames in doubt are its own: they must be among the last before that moment.
    const { judge } = JSON.parse(stateJson);
    const changed = JSON.stringify({ ...inFormOfRules5(other.stateJson), rules: earlierRules, judge });
    await saveCheckpoints(tx, [{ ...key, recordedAt, digest, stateJson: changed, totalsJson: other.totalsJson }]);
  }
}

function ofDevice({ accountId, device }: DeviceKey): Sql {
  return sql`account_id = ${accountId} and device = ${device}`;
}

/** The rules of each device, by IMEI. */
export async function rulesByImei(reader: Reader): Promise<Record<string, number>> {
  const rows = await reader.all<{ imei: string; rules: number }>(sql`
    select d.imei, f.rules from device_folds f join devices d on d.account_id = f.account_id and d.device = f.device`);
  return Object.fromEntries(rows.map(({ imei, rules }) => [imei, rules]));
}

/** The same store, which does something after each commit. What it throws is thrown as if the program ended there. */
export function afterCommits(database: Database, then: () => Promise<void>): Database {
  return altered(database, {
    transaction: async (work) => {
      const done = await database.transaction(work);
      await then();
      return done;
    },
  });
}

/** Splits frames into those that are there before, and those that come meanwhile: the next ones in order, and late ones. */
export function splitForUpgrade(frames: readonly IncomingFrame[], random: () => number) {
  const late = new Set(frames.filter(() => random() < 0.01));
  const live = frames.filter((frame) => !late.has(frame));
  const cut = Math.floor(live.length * 0.85);
  const batches = batched(live.slice(cut), random, 25);
  for (const batch of batched(shuffled([...late], random), random, 3)) {
    batches.splice(Math.floor(random() * (batches.length + 1)), 0, batch);
  }
  return { before: live.slice(0, cut), batches };
}

/** What rules 6 added to the states. */
const newer = new Set([
  "slackMm",
  "drove",
  "cardAt",
  "card",
  "scatterM",
  "foundAt",
  "isCarried",
  "carriedMm",
  "arrived",
  "frozen",
]);

/** The opposite of src/derive/earlier-state.ts. */
export function inFormOfRules5(stateJson: string): object {
  return JSON.parse(stateJson, (_, value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    const names = Object.entries(value).filter(([name]) => !newer.has(name));
    const renamed = names.map(([name, own]) => [
      name === "tripFoundAt" ? "tripStartedAt" : name,
      name === "shown" && Array.isArray(own) ? (own[0] ?? null) : own,
    ]);
    const driverId = value.drove?.[0]?.driverId;
    return { ...Object.fromEntries(renamed), ...(driverId === undefined ? {} : { driverId }) };
  });
}
