import { expect, test } from "bun:test";
import fc from "fast-check";
import { placeKey } from "../../src/domain/frame.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import { hasTable } from "../../src/store/carry-over/conversion.ts";
import { oldFrames } from "../../src/store/carry-over/frames.ts";
import type { Database } from "../../src/store/database.ts";
import { postgresMigrations as ofPostgres, sqliteMigrations as ofSqlite } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { anyFrame, timelyVerdicts, verdicts } from "../support/any-frame.ts";
import { blocksOf } from "../support/block-rules.ts";
import { countRows } from "../support/catalog.ts";
import { makeEarlierStore, type RawStore } from "../support/earlier-store.ts";
import type { EmptyStore } from "../support/engines.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { formatOldFrame } from "../support/old-frame-text.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { everyFrame, type KeyedFrame, rowOf } from "../support/stored-frames.ts";

const seed = announcedSeed("frames that are carried over");
const begin = Date.UTC(2026, 0, 20);
const random = randomNumbers(seed);
const below = (count: number) => Math.floor(random() * count);
/** Times in a month that has a partition, and in none. */
const time = fc.integer({ min: Date.UTC(2014, 0), max: Date.UTC(2027, 0) });
/** Frames had no drivers then. */
const withoutDriver = ({ frame: { driver_id: _, ...frame }, ...stored }: StoredFrame) => ({ ...stored, frame });
const earlierFrame = (allowed: typeof verdicts) => anyFrame(undefined, allowed, time).map(withoutDriver);
const sampled = fc.sample(earlierFrame(verdicts), { seed, numRuns: 300 });
/** Of two with the same place, which one sample in eighty has, a store holds one. */
const anything = [...new Map(sampled.map((stored) => [placeKey(stored.frame), stored])).values()];
const timely = fc.sample(earlierFrame(timelyVerdicts), { seed: seed + 1, numRuns: 100 });

const devices = [
  { accountId: 1, device: 1 },
  { accountId: 1, device: 2 },
  { accountId: 2, device: 3 },
  { accountId: 2, device: 4 },
] as const;
const [first, second, third, fourth] = devices;

function at(pool: readonly StoredFrame[], recordedAt: number): StoredFrame {
  const { frame, verdict, timelyAt = null } = pool[below(pool.length)] as StoredFrame;
  return { frame: { ...frame, recordedAt, digest: below(Number.MAX_SAFE_INTEGER) }, verdict, timelyAt };
}

/** More than one step; it ends within hundreds of frames of one time, which begin where a block of 120 does. */
function moreThan(rowsPerStep: number): readonly KeyedFrame[] {
  const crowdFrom = rowsPerStep - 360;
  const crowdUntil = rowsPerStep + 300;
  return [
    ...Array.from({ length: crowdUntil + 100 }, (_, index) => {
      const step = index < crowdFrom ? index : Math.max(crowdFrom, index - (crowdUntil - crowdFrom));
      return { ...at(timely, begin + step * 60_000), ...first };
    }),
    ...anything.map((stored) => ({ ...stored, ...second })),
    ...anything.slice(0, 1).map((stored) => ({ ...stored, ...third })),
    ...Array.from({ length: 300 }, () => ({ ...at(timely, begin), ...fourth })),
  ];
}
const rowsPerStep = 1_200;
const some = moreThan(rowsPerStep);
/** For what is tried again and again. */
const few: readonly KeyedFrame[] = devices.flatMap((key) =>
  anything.slice(0, 150).map((stored) => ({ ...stored, ...key })),
);

const key = ({ accountId, device, frame }: KeyedFrame) => [accountId, device, frame.recordedAt, frame.digest] as const;

function inOrder(frames: readonly KeyedFrame[]): KeyedFrame[] {
  return frames.toSorted((one, other) => {
    const [left, right] = [key(one), key(other)];
    const place = left.findIndex((value, index) => value !== right[index]);
    return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  });
}

async function expectCarriedOver(database: Database, frames: readonly KeyedFrame[]): Promise<void> {
  const [stored, expected] = [await everyFrame(database), inOrder(frames)].map((all) => all.map(rowOf));
  // Thousands of rows are compared one by one, so that a failure shows one of them.
  expect(stored?.length).toBe(expected?.length ?? 0);
  for (const [index, row] of stored?.entries() ?? []) {
    if (!Bun.deepEquals(row, expected?.[index])) expect(row).toEqual(expected?.[index] as typeof row);
  }
  for (const device of devices) expect((await blocksOf(database, device)).faults).toEqual([]);
  expect(await hasTable(database, "old_frames")).toBe(false);
  expect(await countRows(database, "carried_over")).toBe(0);
  if (database.engine === "postgres") expect(await hasTable(database, "frames_2026_01")).toBe(false);
}

/** The same store, in which the transaction fails at one of its writes. */
function failingAt(database: Database, write: number): Database {
  return altered(database, {
    transaction: (work) =>
      database.transaction((tx) => {
        let left = write;
        const counted = <Result>(act: () => Promise<Result>): Promise<Result> => {
          if (left-- === 0) throw new Error("killed");
          return act();
        };
        return work(
          altered(tx, {
            run: (query) => counted(() => tx.run(query)),
            write: (query, rows) => counted(() => tx.write(query, rows)),
            writeAny: (query) => counted(() => tx.writeAny(query)),
            insertMany: (table, rows) => counted(() => tx.insertMany(table, rows)),
            updateMany: (update, rows) => counted(() => tx.updateMany(update, rows)),
          }),
        );
      }),
  });
}

onEachEngine("frames of a store from before 1.2", (engine) => {
  test("are carried over when the store is opened, which says so", async () => {
    const store = await engine.empty();
    await (await makeStoreOfRows(store, some)).close();
    const seen: Observation[] = [];
    const observe = (observation: Observation) => seen.push(observation);
    const database = await openDatabase(store.target, { create: false, observe, rowsPerStep });
    await expectCarriedOver(database, some);
    await database.close();
    const told = seen.filter(({ kind }) => kind.startsWith("store_conversion"));
    expect(told[0]).toEqual({ kind: "store_conversion_started", what: "frames" });
    expect(told.at(-2)).toMatchObject({ kind: "store_conversion_progress", what: "frames" });
    expect(told.at(-1)?.kind).toBe("store_conversion_finished");
    seen.length = 0;
    await (await openDatabase(store.target, { create: false, observe })).close();
    expect(seen).toEqual([]);
  });

  test("are carried over as well by several programs that open the store at once", async () => {
    const store = await engine.empty();
    await (await makeStoreOfRows(store, some)).close();
    const open = () => openDatabase(store.target, { create: false, rowsPerStep });
    const databases = await Promise.all([open(), open(), open()]);
    for (const database of databases) await expectCarriedOver(database, some);
    for (const database of databases) await database.close();
  });

  test("that are carried over in part are carried over to the end by the next program", async () => {
    const store = await engine.empty();
    const raw = await makeStoreOfRows(store, some);
    const database = await openBeforeCarryOver(store, raw);
    const ordered = inOrder(some);
    const done = await oldFrames.step(database, rowsPerStep);
    expect(done).toBeWithin(1, some.length);
    expect((await everyFrame(database)).map(key)).toEqual(ordered.slice(0, done).map(key));
    for (const device of devices) expect((await blocksOf(database, device)).faults).toEqual([]);
    await raw.close();
    await expectCarriedOver(await store.open(), some);
  });

  test("are neither lost nor doubled if the program is killed at any write", async () => {
    const store = await engine.empty();
    const raw = await makeStoreOfRows(store, few);
    const database = await openBeforeCarryOver(store, raw);
    let kills = 0;
    const stepKilledAt = async (write: number): Promise<boolean> => {
      const before = (await everyFrame(database)).length;
      try {
        await oldFrames.step(failingAt(database, write));
        return true;
      } catch (error) {
        expect((error as Error).message).toContain("killed");
        expect((await everyFrame(database)).length).toBe(before);
        kills++;
        return false;
      }
    };
    // Once all are moved, another step tidies up.
    for (let write = 0; await hasTable(database, "old_frames"); ) write = (await stepKilledAt(write)) ? 0 : write + 1;
    expect(kills).toBeGreaterThan(10);
    await raw.close();
    await expectCarriedOver(database, few);
  });

  test("none of them is carried over as well", async () => {
    const store = await engine.empty();
    await (await makeStoreOfRows(store, [])).close();
    await expectCarriedOver(await store.open(), []);
  });
});

/** The last schema in which each frame was a row, before 1.2. */
const lastOfRows = 15;

const rowsPerInsert = 500;

/** A store from before 1.2, with these frames. On PostgreSQL they are in months, and some in the default partition. */
async function makeStoreOfRows(store: EmptyStore, frames: readonly KeyedFrame[]): Promise<RawStore> {
  const raw = await makeEarlierStore(store, lastOfRows);
  if (store.target.engine === "postgres") {
    for (const [name, from, until] of [
      ["2026_01", Date.UTC(2026, 0), Date.UTC(2026, 1)],
      ["2026_02", Date.UTC(2026, 1), Date.UTC(2026, 2)],
    ] as const) {
      await raw.run(`create table frames_${name} partition of frames for values from (${from}) to (${until})`);
    }
  }
  await addOldFrames(raw, store, frames);
  return raw;
}

async function addOldFrames(raw: RawStore, { target }: EmptyStore, frames: readonly KeyedFrame[]): Promise<void> {
  const flag = (value: boolean) => (target.engine === "sqlite" ? String(Number(value)) : String(value));
  for (let start = 0; start < frames.length; start += rowsPerInsert) {
    const rows = frames.slice(start, start + rowsPerInsert).map((stored) => `(${oldValues(stored, flag).join(", ")})`);
    await raw.run(`
      insert into frames (account_id, device, recorded_at, digest, received_at, packed, fix, source, sensors_json, valid,
        reject_reason, discontinuity, timely_at) values ${rows.join(", ")}`);
  }
  const devices = Map.groupBy(frames, ({ accountId, device }) => `${accountId}, ${device}`);
  for (const key of devices.keys()) {
    await raw.run(`insert into device_folds (account_id, device, revision) values (${key}, 1)`);
  }
}

function oldValues(stored: KeyedFrame, flag: (value: boolean) => string): string[] {
  const { accountId, device, frame, verdict, timelyAt = null } = stored;
  const { recordedAt, digest, receivedAt, fix, source, sensors } = frame;
  const quoted = (text: string | null) => (text === null ? "null" : `'${text.replaceAll("'", "''")}'`);
  return [
    ...[accountId, device, recordedAt, digest, receivedAt].map(String),
    quoted(formatOldFrame(frame, verdict as Verdict)),
    fix === null ? "null" : flag(fix),
    quoted(source),
    quoted(sensors.length === 0 ? null : JSON.stringify(sensors)),
    flag(verdict.valid),
    quoted(verdict.rejectReason),
    flag(verdict.discontinuity),
    String(timelyAt),
  ];
}

/** Opens such a store with its frames still in their rows, so that a test carries them over itself, step by step. */
async function openBeforeCarryOver(store: EmptyStore, raw: RawStore): Promise<Database> {
  const migrations = store.target.engine === "sqlite" ? ofSqlite : ofPostgres;
  for (const [index, { name, text }] of migrations.slice(lastOfRows).entries()) {
    const version = lastOfRows + index + 1;
    await raw.run(text);
    await raw.run(`insert into schema_migrations (version, name, applied_at) values (${version}, '${name}', 1)`);
  }
  // Whoever opens the store would carry over what is under this name.
  await raw.run("alter table old_frames rename to hidden_frames");
  const database = await store.open();
  await database.transaction((tx) => tx.run(plainSql("alter table hidden_frames rename to old_frames")));
  return database;
}
