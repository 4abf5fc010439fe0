import { expect, test } from "bun:test";
import { type Frame, nothingReported, type SensorReport } from "../../src/domain/frame.ts";
import { accepted, type Verdict } from "../../src/domain/verdict.ts";
import { FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { oldCheckpoints } from "../../src/store/carry-over/checkpoints.ts";
import type { Conversion } from "../../src/store/carry-over/conversion.ts";
import { oldFrames } from "../../src/store/carry-over/frames.ts";
import { type OldRow, oldReadings } from "../../src/store/carry-over/readings.ts";
import { bigint, boolean, text } from "../../src/store/columns.ts";
import type { BulkTable, Database, Row } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";
import { blocksOf } from "../support/block-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";
import { formatOldFrame } from "../support/old-frame-text.ts";
import { everyFrame } from "../support/stored-frames.ts";

/** Rows in a step: every edge between two rows is the edge of some step. */
const stepSizes = [1, 2, 3, 7, 1_000];

/** The last device of an account and the first of the next follow each other, as do frames of one moment. */
const devices = [
  { accountId: 1, device: 1 },
  { accountId: 1, device: 2 },
  { accountId: 2, device: 2 },
  { accountId: 2, device: 7 },
] as const;
const begin = Date.UTC(2026, 0, 20);
/** One to three frames of each moment. */
const places = [1, 3, 2, 1].flatMap((count, minute) =>
  Array.from({ length: count }, (_, index) => ({ recorded_at: begin + minute * 60_000, digest: 10 * index + minute })),
);
const rowsOfAll = devices.flatMap(({ accountId: account_id, device }) =>
  places.map((place) => ({ account_id, device, ...place })),
);

const key = { account_id: bigint, device: bigint, recorded_at: bigint, digest: bigint };

async function fill(database: Database, { name, columns }: BulkTable, primaryKey: string, rows: readonly Row[]) {
  const declared = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  await database.transaction(async (tx) => {
    await tx.run(plainSql(`create table ${name} (${declared.join(", ")}, primary key (${primaryKey}))`));
    await tx.insertMany({ name, columns }, rows);
  });
}

/** What there is in the end, once for each size of step. Each begins with a store in which `tables` are empty. */
async function afterEachSize(
  database: Database,
  conversion: Conversion,
  tables: readonly string[],
  prepare: () => Promise<void>,
  read: () => Promise<unknown>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  await database.transaction((tx) => beginFleets(tx, [1, 2]));
  for (const size of stepSizes) {
    await database.transaction(async (tx) => {
      for (const table of tables) await tx.run(plainSql(`delete from ${table}`));
      for (const { accountId, device } of tables.includes("device_folds") ? devices : [])
        await tx.run(
          plainSql(`insert into device_folds (account_id, device, revision) values (${accountId}, ${device}, 1)`),
        );
    });
    await prepare();
    // Each step moves at least one row.
    for (let left = 1_000; (await conversion.step(database, size)) > 0; left--) expect(left).toBeGreaterThan(0);
    expect(await conversion.total(database)).toBeNull();
    found.push(await read());
  }
  return found;
}

onEachEngine("what is carried over is the same however few rows a step has:", (engine) => {
  test("frames, with all of a moment in one block", async () => {
    const { database } = await engine.fresh();
    const columns = {
      ...key,
      ...{ packed: text, fix: boolean, source: text, sensors_json: text, valid: boolean },
      ...{ reject_reason: text, discontinuity: boolean, timely_at: bigint },
    };
    const rows = rowsOfAll.map((row, index) => {
      const { recorded_at: recordedAt, digest } = row;
      const frame: Frame = { ...nothingReported, recordedAt, digest, receivedAt: recordedAt + 5, altitude_m: index };
      // Those of no believable time are outside of the blocks, at the edges, too.
      const verdict: Verdict =
        index % 5 === 4 ? { valid: false, rejectReason: "future_time", discontinuity: false } : accepted;
      const { valid, rejectReason: reject_reason, discontinuity } = verdict;
      const packed = formatOldFrame(frame, verdict);
      const none = { fix: null, source: null, sensors_json: null, timely_at: null };
      return { ...row, ...none, packed, valid, reject_reason, discontinuity };
    });
    const found = await afterEachSize(
      database,
      oldFrames,
      ["frame_blocks", "untimely_frames", "device_folds"],
      () => fill(database, { name: "old_frames", columns }, Object.keys(key).join(", "), rows),
      async () => {
        for (const device of devices) expect((await blocksOf(database, device)).faults).toEqual([]);
        const folds = plainSql("select account_id, device, sealed_until from device_folds order by account_id, device");
        return { frames: await everyFrame(database), folds: await database.all(folds) };
      },
    );
    const [{ frames, folds }] = found as [
      { frames: readonly { readonly frame: Frame }[]; folds: readonly { readonly sealed_until: number }[] },
    ];
    expect(frames.map(({ frame }) => frame.altitude_m)).toEqual(rows.map((_, index) => index));
    const timely = Map.groupBy(
      rows.filter(({ valid }) => valid),
      ({ account_id, device }) => `${account_id} ${device}`,
    );
    expect(folds.map(({ sealed_until }) => sealed_until)).toEqual(
      [...timely.values()].map((own) => own.at(-1)?.recorded_at ?? 0),
    );
    for (const other of found) expect(other).toEqual(found[0]);
  });

  test("readings, with all of a frame together", async () => {
    const { database } = await engine.fresh();
    const values = ["level_milli_percent", "volume_ml", "temperature_mc", "humidity_milli_percent"] as const;
    const others = ["received_at", "latitude_e7", "longitude_e7", ...values, "axle", "wheel", "pressure_pa"] as const;
    const columns = { ...key, kind: text, sensor: text, ...Object.fromEntries(others.map((name) => [name, bigint])) };
    const nothing = Object.fromEntries(others.map((name) => [name, null]));
    const rows = rowsOfAll.flatMap((row, index) =>
      (["fuel", "temperature", "tyre"] as const).flatMap((kind, which) =>
        // None to four of a kind: more than some steps have.
        Array.from({ length: (index * 3 + which) % 5 }, (_, number) => {
          const [sensor, received_at] = [`sensor_${number}`, row.recorded_at + 5];
          const pressure_pa = 1_000 * (100 * index + number);
          return { ...(nothing as unknown as OldRow), ...row, kind, sensor, received_at, pressure_pa };
        }),
      ),
    );
    const found = await afterEachSize(
      database,
      oldReadings,
      ["readings", "reading_blocks"],
      () => fill(database, { name: "old_readings", columns }, `${Object.keys(key).join(", ")}, kind, sensor`, rows),
      async () => {
        const moments = plainSql("select * from readings order by account_id, device, kind, recorded_at");
        const bodies = plainSql(
          "select account_id, device, body from reading_blocks order by account_id, device, from_at",
        );
        const blocks = await database.all<{ account_id: number; device: number; body: Uint8Array }>(bodies);
        const frames = blocks.flatMap(({ account_id, device, body }) =>
          new FrameBlock(body).frames().map(({ frame }) => ({ account_id, device, frame })),
        );
        return { moments: await database.all(moments), frames };
      },
    );
    const [{ frames }] = found as [{ frames: readonly { readonly frame: { sensors: readonly SensorReport[] } }[] }];
    expect(frames.flatMap(({ frame }) => frame.sensors)).toHaveLength(rows.length);
    for (const other of found) expect(other).toEqual(found[0]);
  });

  test("checkpoints, with their totals", async () => {
    const { database } = await engine.fresh();
    const rows = rowsOfAll.map((row, index) => ({
      ...row,
      state_json: `{"rules":2,"judge":${index}}`,
      totals_json: `{"days":[${index}]}`,
    }));
    const primaryKey = Object.keys(key).join(", ");
    const found = await afterEachSize(
      database,
      oldCheckpoints,
      ["fold_checkpoints"],
      async () => {
        const states = { name: "old_checkpoints", columns: { ...key, state_json: text } };
        const totals = { name: "old_checkpoint_totals", columns: { ...key, totals_json: text } };
        await fill(
          database,
          states,
          primaryKey,
          rows.map(({ totals_json: _, ...row }) => row),
        );
        await fill(
          database,
          totals,
          primaryKey,
          rows.map(({ state_json: _, ...row }) => row),
        );
      },
      () => database.all(plainSql(`select * from fold_checkpoints order by ${primaryKey}`)),
    );
    expect((found[0] as readonly Row[]).map(({ totals_json }) => totals_json)).toEqual(
      rows.map(({ totals_json }) => totals_json),
    );
    for (const other of found) expect(other).toEqual(found[0]);
  });
});
