import { expect, test } from "bun:test";
import { stateBefore } from "../../src/derive/base.ts";
import { AccountContexts } from "../../src/derive/context.ts";
import { finalUntil } from "../../src/derive/state.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { type Checkpoint, checkpointBefore, saveCheckpoints } from "../../src/store/facts/checkpoints.ts";
import { foldedDevices, foldProgress } from "../../src/store/facts/folds.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedFrom, derivedTables, differencesOf } from "../support/derived-tables.ts";
import {
  afterCommits,
  asEarlierRules,
  inFormOfRules5,
  rulesByImei,
  splitForUpgrade,
} from "../support/earlier-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt } from "../support/fleet.ts";
import { inOrder } from "../support/ingest-arrival.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import {
  alertSettings,
  carImei,
  fences,
  home,
  loadIngestFleet,
  newYear,
  randomFleet,
  vanImei,
} from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take, waitingCount } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { expectAsFromScratch, expectTrueStore, upgradeAll } from "../support/rules-upgrade.ts";

const seed = announcedSeed("newer rules");
/** Two parts of each device (upgrade-walk.ts) or more, and dozens of checkpoints in all. */
const framesOfEach = rounds(1_100, 2_600);
const frames = inOrder(randomFleet(seed, framesOfEach));
const neverStopped = new AbortController().signal;

type Row = Readonly<Record<string, unknown>>;

/** Within its table. */
function keyOf({ device, id, day }: Row): string {
  return `${device} ${id ?? day}`;
}

/** From when on each device's facts can still be derived. */
async function beginsOf(database: Database): Promise<Map<number, number>> {
  const begins = new Map<number, number>();
  const contexts = new AccountContexts();
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    const tracked = await (await contexts.of(database, key.accountId))?.byDevice(database, key.device);
    const { droppedUntil } = await foldProgress(database, key);
    if (!tracked || droppedUntil === null) continue;
    begins.set(key.device, finalUntil(await stateBefore(database, tracked, droppedUntil + 1)));
  }
  return begins;
}

onEachEngine("devices of earlier rules", (engine) => {
  const withFleet = engine.copies(async ({ database }) => loadIngestFleet(database));
  const waiting = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [frames]);
    const wanted = await derivedTables(database);
    await asEarlierRules(database, randomNumbers(seed));
    expect(differencesOf(wanted, await derivedTables(database))).not.toEqual([]);
    return wanted;
  });

  test("end as if their frames had come under the present ones, whatever was there before", async () => {
    const { database, prepared: wanted } = await waiting();
    await upgradeAll(database);
    await expectAsFromScratch(database, wanted);
  });

  test.each([1, 2, 3].slice(0, rounds(1, 3)))(
    "take in frames meanwhile, live and late, and may be killed at any moment (%d)",
    async (round) => {
      const { database } = await withFleet();
      const random = randomNumbers(seed + round);
      const account = await accountNumber(database);
      const { before, batches } = splitForUpgrade(frames, random);
      const sent = [...before];
      await take(database, [before]);
      await asEarlierRules(database, random);
      let writer = newWriter(database);
      let [kills, isUpgraded] = [0, false];
      const meanwhile = async () => {
        if (random() < 0.1) {
          kills++;
          throw new Error("killed");
        }
        const rules = await rulesByImei(database);
        for (const batch of batches.splice(0, 1 + Math.floor(random() * 5))) {
          // A late frame that came afterwards could mend what an earlier one should have changed.
          const waiting = batch.filter(({ imei }) => rules[imei] !== rulesVersion);
          // Now and then the server has just been restarted.
          if (random() < 0.2) writer = newWriter(database);
          const outcomes = await writer.submit(account, waiting);
          expect(outcomes).toEqual(waiting.map(() => "accepted"));
          sent.push(...waiting);
        }
      };
      while (!isUpgraded) {
        isUpgraded = await upgradeAll(afterCommits(database, meanwhile)).then(
          () => true,
          (error) => {
            expect(error.message).toBe("killed");
            return false;
          },
        );
      }
      console.log(`killed ${kills} times, ${sent.length - before.length} frames meanwhile`);
      expect(sent.length).toBeGreaterThan(before.length);
      const upgraded = await derivedTables(database);
      await expectTrueStore(database);
      expect(differencesOf(await derivedFrom(database, [inOrder(sent)]), upgraded)).toEqual([]);
    },
  );

  test("can be stopped at any moment, and go on with what is left", async () => {
    const { database, prepared: wanted } = await waiting();
    const seen: Observation[] = [];
    for (let stops = 1; (await waitingCount(database)) > 0; stops++) {
      const stop = new AbortController();
      let commits = 0;
      const stopping = afterCommits(database, async () => {
        // Three times, so that it comes to its end whatever the number of commits is.
        if (++commits === 2 * stops - 1 && stops <= 3) stop.abort();
      });
      await newWriter(stopping, (observation) => seen.push(observation)).upgrade.run(stop.signal);
    }
    await expectAsFromScratch(database, wanted);
    const kinds = new Set(seen.map(({ kind }) => kind));
    // Reported every ten seconds: on a slow machine only.
    kinds.delete("rules_upgrade_progress");
    expect(kinds).toEqual(new Set(["rules_upgrade_started", "device_upgraded", "rules_upgrade_finished"]));
  });

  test("are derived once by two nodes at once", async () => {
    const { database, open, prepared: wanted } = await waiting();
    const upgraded: number[] = [];
    const nodes = engine.name === "postgres" ? [database, await open()] : [database, database];
    const run = async (node: Database) => {
      const { upgrade } = newWriter(node, (observation) => {
        if (observation.kind === "device_upgraded") upgraded.push(observation.device);
      });
      while ((await waitingCount(node)) > 0) {
        await upgrade.run(neverStopped);
        // The other has claimed what is left.
        await new Promise((resume) => setImmediate(resume));
      }
    };
    await Promise.all(nodes.map(run));
    expect(upgraded.toSorted()).toEqual([...new Set(upgraded)].toSorted());
    expect(upgraded).toHaveLength(3);
    expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
  });

  test("take in edits of the fleet while they wait and while they are derived", async () => {
    const some = frames.slice(0, 1_200);
    const at = (share: number) => some[Math.floor(some.length * share)]?.recordedAt ?? 0;
    const town = (radius_m: number, from: number) => ({
      ...fences.town,
      radius_m,
      valid_from: new Date(from).toISOString(),
    });
    // The last is valid only for frames that come after it.
    const valid_from = new Date(at(0.7) + 1).toISOString();
    const rules = [{ alert_type: "speeding", parameters: { limit_kmh: 10 } }];
    const edits = [town(400, at(0.2)), town(3_000, at(0.5)), { ...alertSettings, rules, valid_from }];
    const [before, after] = [some.slice(0, some.length * 0.7), some.slice(some.length * 0.7)];
    const wanted = await withFleet();
    for (const edit of edits) await load(wanted.database, [edit], loadedAt + hourMs);
    await take(wanted.database, [some]);

    const { database } = await withFleet();
    await take(database, [before]);
    await asEarlierRules(database, randomNumbers(seed));
    const writer = newWriter(database);
    await load(database, edits.splice(0, 1), loadedAt + hourMs);
    let commits = 0;
    await upgradeAll(
      afterCommits(database, async () => {
        // An edit is noticed in the next commit: only then comes another.
        if (++commits % 2 === 0) return;
        await load(database, edits.splice(0, 1), loadedAt + hourMs);
        if (edits.length === 0) await take(database, [after.splice(0)], writer);
      }),
    );
    await expectAsFromScratch(database, await derivedTables(wanted.database));
  });

  test("keep what came of frames that were dropped, and their last state", async () => {
    const { database } = await withFleet();
    const some = inOrder(randomFleet(seed, 500));
    await take(database, [some]);
    const cut = some[Math.floor(some.length * 0.6)]?.recordedAt ?? 0;
    await dropOldFrames(database, cut);
    const derived = await derivedTables(database);
    const begins = await beginsOf(database);
    expect([...begins.values()].some((begin) => begin > 0)).toBe(true);
    await asEarlierRules(database, randomNumbers(seed));
    const altered = await derivedTables(database);
    await upgradeAll(database);
    const now = await derivedTables(database);
    // What was final before the frames that are left stays as it was; everything else follows from them.
    const isOld = (row: Row) => Number(row.final_at) < (begins.get(Number(row.device)) ?? 0);
    for (const table of ["trips", "geofence_events", "alerts", "mileage_days"] as const) {
      const since = derived[table].filter((row) => !isOld(row));
      expect(now[table].filter((row) => !isOld(row))).toEqual(since);
      const keys = new Set(since.map(keyOf));
      const old = altered[table].filter((row) => isOld(row) && !keys.has(keyOf(row)));
      expect(now[table].filter(isOld)).toEqual(old);
    }
    expect([now.frames, now.latest_positions]).toEqual([derived.frames, derived.latest_positions]);
    expect(await rederiveAll(database)).toMatchObject(nothingChanged);
  });

  test("have the state before the frames that are left in the form of the present rules", async () => {
    const { database } = await withFleet();
    const some = inOrder(randomFleet(seed, 500));
    await take(database, [some]);
    await dropOldFrames(database, some[Math.floor(some.length * 0.6)]?.recordedAt ?? 0);
    const firstStates = async () => {
      const states: (Checkpoint & DeviceKey)[] = [];
      for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
        const { droppedUntil } = await foldProgress(database, key);
        const first = droppedUntil === null ? null : await checkpointBefore(database, key, droppedUntil + 1);
        if (first !== null) states.push({ ...first, ...key });
      }
      return states;
    };
    const states = await firstStates();
    const third = states.map((one) => ({
      ...one,
      stateJson: JSON.stringify({ ...inFormOfRules5(one.stateJson), rules: 3 }),
    }));
    await database.transaction((tx) => saveCheckpoints(tx, third));
    await asEarlierRules(database, randomNumbers(seed));
    await upgradeAll(database);
    const rules = (await firstStates()).map(({ stateJson }) => JSON.parse(stateJson).rules);
    expect(rules).toEqual(states.map(() => rulesVersion));
    expect(rules.length).toBeGreaterThan(0);
  });

  test("lose no frames to retention before their turn", async () => {
    const { database } = await withFleet();
    const some = frames.slice(0, 1_200);
    await take(database, [some]);
    await asEarlierRules(database, randomNumbers(seed));
    const cut = some[600]?.recordedAt ?? 0;
    expect(await dropOldFrames(database, cut)).toBe(0);
    await upgradeAll(database);
    expect(await dropOldFrames(database, cut)).toBeGreaterThan(0);
  });

  test("with a late frame come first, and its sender does not wait", async () => {
    const { database } = await withFleet();
    const some = frames.slice(0, 900);
    const own = some.filter(({ imei }) => imei === carImei);
    const late = own[Math.floor(own.length / 2)];
    await take(database, [some.filter((frame) => frame !== late)]);
    await asEarlierRules(database, randomNumbers(seed));
    const facts = async () => ({ ...(await derivedTables(database)), frames: [], readings: [], latest_positions: [] });
    const before = await facts();
    expect(await take(database, [late ? [late] : []])).toEqual(["accepted"]);
    expect(await facts()).toEqual(before);
    expect((await rulesByImei(database))[carImei]).toBe(rulesVersion - 1);
    const order: number[] = [];
    const { upgrade } = newWriter(database, (observation) => {
      if (observation.kind === "device_upgraded") order.push(observation.device);
    });
    await upgrade.run(neverStopped);
    const [car] = await database.all<{ device: number }>(sql`select device from devices where imei = ${carImei}`);
    expect(order).toHaveLength(3);
    expect(order[0]).toBe(car?.device ?? -1);
  });

  test("go on live while they wait, and a device's first frame follows the present rules at once", async () => {
    const { database } = await withFleet();
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 70, kmh: 50 });
    await take(database, [drive.slice(0, 150)]);
    await database.transaction((tx) => tx.run(sql`update device_folds set rules = 1`));
    const writer = newWriter(database);
    for (const frame of drive.slice(150)) await take(database, [[frame]], writer);
    const [latest] = (await derivedTables(database)).latest_positions;
    expect(latest).toMatchObject({ recorded_at: drive.at(-1)?.recordedAt });
    expect(latest?.trip_id).not.toBeNull();
    // So that a restart does not read everything since.
    const [checkpoint] = await database.all<{ at: number }>(sql`select max(recorded_at) as at from fold_checkpoints`);
    expect(checkpoint?.at).toBeGreaterThan(drive[150]?.recordedAt ?? 0);
    await take(database, [straightDrive({ imei: carImei, from: home, beginAt: newYear, minutes: 1, kmh: 50 })]);
    expect(await rulesByImei(database)).toEqual({ [vanImei]: 1, [carImei]: rulesVersion });
  });

  test("leave an acknowledged alert acknowledged", async () => {
    const { database } = await withFleet();
    const drive = straightDrive({ imei: vanImei, from: home, beginAt: newYear, minutes: 20, kmh: 90 });
    await take(database, [drive]);
    const before = await derivedTables(database);
    expect(before.alerts.length).toBeGreaterThan(0);
    await database.transaction(async (tx) => {
      await tx.run(sql`
        insert into alert_acknowledgements (account_id, alert_id, acknowledged_at, acknowledged_by)
        select account_id, id, 1, (select id from users limit 1) from alerts`);
      await tx.run(sql`update alerts set withdrawn = ${true}, final_at = final_at + 1`);
      await tx.run(sql`update device_folds set rules = 1`);
    });
    await upgradeAll(database);
    expect(differencesOf(before, await derivedTables(database))).toEqual([]);
    const [left] = await database.all<{ count: number }>(sql`select count(*) as count from alert_acknowledgements`);
    expect(left?.count).toBe(before.alerts.length);
  });
});
