/**
 * What the background costs with many accounts, almost all of them at rest.
 *
 *   node_modules/.bin/bun bench/background.ts [options]
 *
 *   --accounts N      with a vehicle each (10000)
 *   --busy N          accounts of which something is edited (10)
 *   --postgres        on a PostgreSQL of its own, without fsync, instead of SQLite
 *
 * A pass rests most of the time, so the time that it takes is more than what it works. The processor time is this process's: that of
 * SQLite is in it, that of PostgreSQL is not.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Background } from "../src/derive/pace.ts";
import { eraseMarked } from "../src/derive/upkeep/erase-marked.ts";
import { watchOffline } from "../src/derive/upkeep/offline-watch.ts";
import { retainFrames } from "../src/derive/upkeep/retention-guard.ts";
import { watchSilence } from "../src/derive/upkeep/silent-trips.ts";
import { thinOldCheckpoints } from "../src/derive/upkeep/thin-checkpoints.ts";
import { tidyChanges } from "../src/derive/upkeep/tidy-changes.ts";
import { dayMs, dayOf } from "../src/domain/time/time.ts";
import { watchClock } from "../src/intake/clock-watch.ts";
import { foreignFrame } from "../src/intake/formats/foreign.ts";
import { FrameQueue } from "../src/intake/queue.ts";
import { startIngest } from "../src/intake/service.ts";
import type { Database } from "../src/store/database.ts";
import { forgetUnknownDevices } from "../src/store/fleet/unknown-devices.ts";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { sql } from "../src/store/sql.ts";
import { markAllAccounts } from "../src/store/upkeep/account-marks.ts";
import { dropOldCounters } from "../src/store/upkeep/upkeep.ts";
import { device, load, uuid } from "../test/support/fleet.ts";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { median } from "./support/figures.ts";
import { readOptions } from "./support/options.ts";

const options = readOptions(import.meta.url, { accounts: 10_000, busy: 10, postgres: false });

const now = Date.now();
const stop = new AbortController().signal;

await measure();

async function measure(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-background-"));
  const postgres = options.postgres ? await startPostgres() : null;
  const target: StoreTarget = postgres ? { engine: "postgres", url: postgres.url } : { engine: "sqlite", directory };
  const database = await openDatabase(target, { create: true });
  try {
    await fill(database, options.accounts);
    await passes(database);
    await edits(database, options.busy);
  } finally {
    await database.close();
    await postgres?.stop();
    await rm(directory, { recursive: true });
  }
}

/** Accounts with a vehicle each that has sent three frames of a drive. */
async function fill(database: Database, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  await load(database, numbers.flatMap(fleetOf), now - dayMs);
  const owned = await database.all<{ account_id: number; imei: string }>(sql`
    select account_id, imei from device_directory order by account_id`);
  const queue = new FrameQueue(database, () => {});
  for (let start = 0; start < owned.length; start += 200) {
    await Promise.all(
      owned.slice(start, start + 200).map(({ account_id, imei }) => queue.submit(account_id, driveOf(imei))),
    );
  }
}

function fleetOf(number: number) {
  const [account_id, name] = [uuid(2_000_000 + number), `Fleet ${number}`];
  return [{ type: "account", id: account_id, name }, device(3_000_000 + number, { account_id })];
}

function driveOf(imei: string) {
  return [0, 1, 2].map((minute) => {
    const at = now - 600_000 + minute * 60_000;
    return foreignFrame(imei, at, at + 1_000, {
      latitude: 50 + minute / 100,
      longitude: 13,
      speed_kmh: 60,
      ignition: true,
    });
  });
}

/** The first pass finds what the frames have marked; the others find nothing to do. Some are done once an hour, and look at all. */
async function passes(database: Database): Promise<void> {
  const { schedule, upgrade } = new FrameQueue(database, () => {});
  const clock = { isClockDoubted: false, clockWatchedSince: null, trustsClock: true };
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    "what is to be derived again": () => schedule.deriveLeft(stop),
    "offline devices": () => watchOffline(database, now, stop),
    "silent trips": () => watchSilence(database, now, stop),
    "all accounts, marked": async () => {
      await markAllAccounts(database, now, new Background(stop));
      await schedule.deriveLeft(stop);
      await watchOffline(database, now, stop);
      await watchSilence(database, now, stop);
    },
    erasing: () => eraseMarked(database, new Background(stop)),
    "newer rules": () => upgrade.runWhenWanted(stop),
    "old changes": () => tidyChanges(database, now, stop),
    "old checkpoints": () => thinOldCheckpoints(database, now, stop),
    "old unknown devices": () => forgetUnknownDevices(database, now, new Background(stop)),
    "old counters": () => dropOldCounters(database, dayOf(now), new Background(stop)),
    clock: () => watchClock(database, now, () => {}, new Background(stop)),
    retention: () => retainFrames(database, { now, retainDays: 365, ...clock }, () => {}, stop),
  };
  for (const [name, work] of Object.entries(works)) {
    const times: string[] = [];
    for (let round = 0; round < 3; round++) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      await work();
      const { user, system } = process.cpuUsage(before);
      times.push(
        `${(performance.now() - began).toFixed(1)} ms (${((user + system) / 1_000).toFixed(0)} ms of processor time)`,
      );
    }
    console.log(`${name.padEnd(28)} first ${times[0]}, then ${times.slice(1).join(", ")}`);
  }
}

/** How soon what an edit changes is derived again, by a server that has nothing else to do. */
async function edits(database: Database, count: number): Promise<void> {
  const derivedAt: PromiseWithResolvers<number>[] = [];
  const service = startIngest({
    database,
    observe: ({ kind }) => {
      if (kind === "late_frames_refolded") derivedAt.at(-1)?.resolve(performance.now());
    },
    metrics: async () => "",
    retainDays: null,
  });
  try {
    while (!service.isLeading()) await Bun.sleep(100);
    const took: number[] = [];
    for (let number = 0; number < count; number++) {
      derivedAt.push(Promise.withResolvers<number>());
      const [account] = fleetOf(number);
      await load(database, [{ ...account, time_zone: "America/Bogota" }], now);
      const edited = performance.now();
      took.push(((await derivedAt.at(-1)?.promise) ?? 0) - edited);
    }
    console.log(
      `an edit of the past is derived after ${median(took).toFixed(0)} ms, at most ${Math.max(...took).toFixed(0)} ms (${count} edits)`,
    );
  } finally {
    await service.close();
  }
}
