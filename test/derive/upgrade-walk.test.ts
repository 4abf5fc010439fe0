import { expect, test } from "bun:test";
import { stateBefore } from "../../src/derive/base.ts";
import { AccountContexts, type TrackedContext } from "../../src/derive/context.ts";
import { emptyState, finalUntil } from "../../src/derive/state.ts";
import { type UpgradePart, UpgradeWalk } from "../../src/derive/upgrade/upgrade-walk.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { placeKey } from "../../src/domain/frame.ts";
import { acceptedDiscontinuity, isTimeReason, type Verdict } from "../../src/domain/verdict.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Database, Row } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { dropCheckpoints, saveCheckpoints } from "../../src/store/facts/checkpoints.ts";
import { type FactRow, factsCompleted, removeFacts, rowKey, saveFacts } from "../../src/store/facts/facts.ts";
import { foldedDevices, foldProgress } from "../../src/store/facts/folds.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { freshFleet, home, newYear, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomDrive, randomNumbers } from "../support/random-drive.ts";
import { changeFrames, everyFrame } from "../support/stored-frames.ts";

const seed = announcedSeed("steps of an upgrade");
const frameCount = 420;

type Place = { readonly recorded_at: number; readonly digest: number };

/** What a device's frames lead to. Stored is something else: other verdicts, and at every moment a fact and a state that never were. */
interface Haunted {
  readonly database: Database;
  readonly tracked: TrackedContext;
  readonly droppedUntil: number | null;
  readonly times: readonly number[];
  readonly trueVerdicts: ReadonlyMap<string, Verdict>;
  readonly trueFacts: readonly FactRow[];
  readonly ghosts: readonly FactRow[];
  readonly trueStates: readonly Place[];
}

const forever = { from: 0, until: null };
const sortedKeys = (facts: readonly FactRow[]) => facts.map(rowKey).toSorted();
const statesOf = (database: Database) =>
  database.all<Place>(sql`select recorded_at, digest, totals_json from fold_checkpoints order by recorded_at, digest`);

const isTimely = ({ verdict }: StoredFrame) => !isTimeReason(verdict.rejectReason);
const otherThan = ({ valid }: Verdict): Verdict =>
  valid ? { valid: false, rejectReason: "implausible_jump", discontinuity: false } : acceptedDiscontinuity;
const verdictsOf = (frames: readonly StoredFrame[]) =>
  new Map(frames.map(({ frame, verdict }) => [placeKey(frame), verdict]));

async function haunt(database: Database, key: DeviceKey): Promise<Haunted> {
  const tracked = await (await new AccountContexts().of(database, key.accountId))?.byDevice(database, key.device);
  if (!tracked) throw new Error("the device is not tracked");
  const { droppedUntil } = await foldProgress(database, key);
  const frames = (await everyFrame(database, key)).filter(isTimely);
  const times = [...new Set(frames.map(({ frame }) => frame.recordedAt))];
  const trueFacts = await factsCompleted(database, key, forever);
  const trueStates = await statesOf(database);
  const model = trueFacts.find(({ kind }) => kind === "alert")?.row as Row;
  const moments = new Set([droppedUntil ?? 0, ...times].flatMap((at) => [at - 1, at, at + 1]));
  const ghosts = [...moments]
    .filter((at) => at > 0)
    .map(
      (at): FactRow => ({ kind: "alert", row: { ...model, id: crypto.randomUUID(), occurred_at: at, final_at: at } }),
    );
  await database.transaction(async (tx) => {
    await changeFrames(tx, (stored) => (isTimely(stored) ? { ...stored, verdict: otherThan(stored.verdict) } : stored));
    await removeFacts(tx, trueFacts);
    await saveFacts(tx, ghosts);
    // A read of one of these fails.
    const after = times.filter((at) => at > (droppedUntil ?? 0)).flatMap((at) => [at, at + 1]);
    const states = droppedUntil === null ? after : [droppedUntil + 1, ...after];
    const { accountId, device } = key;
    await dropCheckpoints(tx, accountId, [{ device, from: (droppedUntil ?? -1) + 1, until: Number.MAX_SAFE_INTEGER }]);
    await saveCheckpoints(
      tx,
      [...new Set(states)].map((recordedAt) => ({
        ...key,
        recordedAt,
        digest: 0,
        stateJson: "gone",
        totalsJson: "gone",
      })),
    );
  });
  const trueVerdicts = verdictsOf(frames);
  return { database, tracked, droppedUntil, times, trueVerdicts, trueFacts, ghosts, trueStates };
}

/** Walks in parts of a few frames. Now and then one is not written: a frame has come late, within it or before. */
async function walkThrough({ database, tracked, droppedUntil, times }: Haunted, random: () => number) {
  const walk = await UpgradeWalk.begin(database, tracked, droppedUntil);
  const judged: StoredFrame[] = [];
  const write = async (part: UpgradePart) => {
    await database.transaction(async (tx) => {
      const { accountId, device } = tracked;
      await dropCheckpoints(tx, accountId, [{ device, ...part.replaced }]);
      await saveCheckpoints(
        tx,
        part.checkpoints.map((one) => ({ ...one, accountId, device })),
      );
    });
    judged.push(...part.judgedAnew);
    walk.accept(part);
  };
  // A frame that came late before anything was written leads no further back than to the frames that are left.
  const { place } = walk;
  await walk.goBack(database, tracked, 1);
  expect(walk.place).toEqual(place);
  let [backs, landings] = [20, 0];
  let newState: number | null = null;
  for (;;) {
    // On by some moments from where it is, to one of them or just before or after.
    const at = times.findIndex((time) => time > (walk.place?.recordedAt ?? 0));
    if (at < 0) break;
    const until = (times[at + Math.floor(random() * 50)] ?? Number.MAX_SAFE_INTEGER - 1) + Math.floor(random() * 3) - 1;
    const part = await walk.next(database, tracked, until, async () => {});
    const last = part.reached.state.place?.recordedAt ?? 0;
    if (part.frameCount > 0) expect(last).toBeLessThan(until);
    // Always once a state was written: then it goes back to about there.
    if (backs === 0 || (newState === null && random() < 0.9)) {
      await write(part);
      newState = part.checkpoints.at(-1)?.recordedAt ?? null;
      continue;
    }
    backs--;
    // Just that state is none to go back to if the late frame is of the same moment.
    const passed = newState !== null && random() < 0.4 ? [newState] : times.filter((time) => time <= last).slice(-30);
    newState = null;
    // To before all, too: an edit of the fleet may be valid since long ago.
    const moment =
      random() < 0.04 ? 1 : (passed[Math.floor(random() * passed.length)] ?? 1) + Math.floor(random() * 3) - 1;
    await walk.goBack(database, tracked, moment);
    expect(walk.place?.recordedAt ?? 0).toBeLessThan(Math.max(moment, (droppedUntil ?? 0) + 1));
    if (walk.place !== null) landings++;
  }
  expect(landings).toBeGreaterThan(0);
  await write(await walk.last(database, tracked, null));
  return { ...walk.facts, verdicts: verdictsOf(judged) };
}

onEachEngine("a device that is derived again part by part, and goes back now and then,", (engine) => {
  test.each([false, true])(
    "forgets and finds each fact once, at whatever moment (frames dropped: %p)",
    async (isDropped) => {
      const { database } = await freshFleet(engine);
      const drive = randomDrive({ imei: vanImei, seed, count: frameCount, beginAt: newYear, ...home }).flatMap(
        (frame, index) => {
          // Now and then another a millisecond later: then what is final ends between two neighbours.
          const recordedAt = (frame.recordedAt ?? 0) + 1;
          return index % 3 === 0 ? [frame, { ...frame, recordedAt, event: index % 2 === 0 ? "sos" : null }] : [frame];
        },
      );
      await take(database, [drive.toSorted((one, other) => (one.recordedAt ?? 0) - (other.recordedAt ?? 0))]);
      if (isDropped) expect(await dropOldFrames(database, drive[300]?.recordedAt ?? 0)).toBeGreaterThan(0);
      const [key] = await foundInEach(database, (account) => foldedDevices(database, account));
      const haunted = await haunt(database, key as DeviceKey);
      const { tracked, droppedUntil, trueFacts, ghosts, trueStates } = haunted;
      const before = droppedUntil === null ? emptyState : await stateBefore(database, tracked, droppedUntil + 1);
      const begin = before.fold.tail[0]?.judged.frame.recordedAt ?? (droppedUntil ?? -1) + 1;
      if (isDropped) expect(finalUntil(before)).toBe(begin);
      const isFound = ({ row }: FactRow) => Number(row.final_at) >= begin;
      const found = await walkThrough(haunted, randomNumbers(seed));
      expect(found.verdicts).toEqual(new Map(haunted.trueVerdicts));
      expect(sortedKeys(found.toRemove)).toEqual(sortedKeys(ghosts.filter(isFound)));
      expect(sortedKeys(found.toSave)).toEqual(sortedKeys(trueFacts.filter(isFound)));
      expect(found.toContinue).toEqual([]);
      expect(await statesOf(database)).toEqual([...trueStates]);
    },
  );
});

test("what the last frame of a state completes is final if no frame is in doubt, and nothing later", () => {
  expect(finalUntil({ ...emptyState, place: { recordedAt: 5, digest: 1 } })).toBe(6);
});
