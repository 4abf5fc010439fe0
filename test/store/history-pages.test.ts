import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareFrames } from "../../src/domain/frame.ts";
import { isTimeReason } from "../../src/domain/verdict.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import { framesAfter, framesAhead, framesAt, storedTimesAt } from "../../src/store/frames/frames.ts";
import { framesAtMoments } from "../../src/store/frames/frames-at.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { anyFrame, ordinary, timelyVerdicts, verdicts } from "../support/any-frame.ts";
import { onEachEngine } from "../support/engines.ts";
import { columnsOf, historyRows } from "../support/frame-rows.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { newFleet } from "../support/seed-fleet.ts";
import { frameTables, putFrames } from "../support/stored-frames.ts";

const seed = announcedSeed("pages of a history");
const begin = Date.UTC(2026, 0, 1);
/** Many frames of one time, where pages and blocks begin and end. */
const span = 300;
const time = fc.integer({ min: 0, max: span }).map((step) => begin + step * 1000);
const crowded = begin + 100_000;

const isTimely = ({ verdict }: StoredFrame) => !isTimeReason(verdict.rejectReason);

/** In order, each place once. */
function listed(frames: readonly StoredFrame[]): StoredFrame[] {
  const sorted = frames.toSorted((one, other) => compareFrames(one.frame, other.frame));
  return sorted.filter(
    (one, index) => index === 0 || compareFrames(sorted[index - 1]?.frame ?? one.frame, one.frame) < 0,
  );
}

function sample(count: number, of: fc.Arbitrary<StoredFrame>, salt: number): StoredFrame[] {
  return fc.sample(of, { seed: seed + salt, numRuns: count });
}

/** Histories of every kind: sparse, crowded, with few or many frames of no believable time between the others. */
const histories: readonly (readonly [name: string, frames: readonly StoredFrame[]])[] = [
  ["few frames", sample(30, anyFrame(ordinary, verdicts, time), 1)],
  ["frames in order", sample(500, anyFrame(ordinary, timelyVerdicts, time), 2)],
  ["frames of all verdicts", sample(500, anyFrame(ordinary, verdicts, time), 3)],
  [
    "thousands of frames of one time",
    [
      ...sample(200, anyFrame(ordinary, verdicts, time), 4),
      ...sample(1_100, anyFrame(ordinary, verdicts, fc.constant(crowded)), 5),
    ],
  ],
  ["hardly a valid one", sample(500, anyFrame(ordinary, verdicts.slice(5), time), 6)],
];

onEachEngine("a history", (engine) => {
  const fleet = newFleet();
  const shared = engine.shared(async ({ database }) => {
    await fleet.seed.save(database);
    return database;
  });
  const { van, truck, owner, anna } = fleet;
  const key = { accountId: van.account_id, device: van.device };

  /** Both are spread anew, and have frames of the same times. */
  const place = async (frames: readonly StoredFrame[], spread: number) => {
    const database = shared();
    await database.transaction(async (tx) => {
      for (const { device } of [van, truck]) {
        for (const table of frameTables) {
          await tx.run(sql`delete from ${plainSql(table)} where device = ${device}`);
        }
      }
      await putFrames(
        tx,
        frames.map((stored) => ({ ...stored, ...key })),
        spread,
      );
      const others = frames.slice(0, 50).map((stored) => ({ ...stored, ...key, device: truck.device }));
      await putFrames(tx, others, spread + 1);
    });
    return database;
  };

  test.each(histories)("of %s is the same in blocks, rows and pages as in a list", async (_, given) => {
    const all = listed(given);
    const random = randomNumbers(seed);
    const below = (count: number) => Math.floor(random() * count);
    for (let spread = 1; spread <= rounds(1, 3); spread++) {
      const database = await place(all, seed + spread);
      for (let round = 0; round < 12; round++) {
        const fromMs = begin + below(span) * 1000 - below(2) * 400_000;
        const toMs = fromMs + below(span) * 1000 + 1;
        const validOnly = random() < 0.5;
        const count = [1, 2, 7, 100, 121, 1_001][below(6)] ?? 1;
        const wanted = all.filter(
          ({ frame, verdict }) =>
            frame.recordedAt >= fromMs && frame.recordedAt < toMs && (!validOnly || verdict.valid),
        );
        const start = count < 10 ? below(wanted.length) : 0;
        const { visibility } = random() < 0.5 ? owner : anna;
        let after = start === 0 ? null : (wanted[start - 1]?.frame ?? null);
        // Not all pages of one frame each: the first dozen.
        for (let at = start, page = 0; page < 12; at += count, page++) {
          const cursor = after && { at: after.recordedAt, digest: after.digest };
          const rows = await historyRows(database, visibility, {
            fromMs,
            toMs,
            count,
            validOnly,
            after: cursor,
            device: van,
          });
          const expected = wanted.slice(at, at + count);
          expect(rows.map(({ device_id: __, imei: ___, ...row }) => row)).toEqual(expected.map(columnsOf));
          after = expected.at(-1)?.frame ?? null;
          if (after === null) break;
        }
      }
    }
  });

  test.each(histories)("of %s is found by its times and after its places", async (_, given) => {
    const all = listed(given);
    const random = randomNumbers(seed + 7);
    const below = (count: number) => Math.floor(random() * count);
    const timely = all.filter(isTimely);
    const untimely = all.filter((stored) => !isTimely(stored));
    const sorted = (frames: readonly StoredFrame[]) =>
      frames.toSorted((one, other) => compareFrames(one.frame, other.frame));
    for (let spread = 1; spread <= rounds(1, 3); spread++) {
      const database = await place(all, seed + 10 + spread);
      for (let round = 0; round < 8; round++) {
        const index = below(timely.length + 1);
        const after = timely[index - 1]?.frame ?? null;
        const last = round % 2 === 0 ? null : (timely[below(timely.length)]?.frame ?? null);
        const count = 1 + below(400);
        const rest = timely.slice(index).filter(({ frame }) => last === null || frame.recordedAt <= last.recordedAt);
        const found = await framesAfter(database, key, after, count, last);
        expect(found.length).toBeGreaterThanOrEqual(Math.min(count, rest.length));
        expect(found).toEqual(rest.slice(0, found.length));

        const times = Array.from({ length: 1 + below(15) }, () => begin + below(span + 20) * 1000);
        const there = all.filter(({ frame }) => times.includes(frame.recordedAt));
        expect(sorted(await framesAt(database, key, times))).toEqual(there);
        const anywhere = { sealedUntil: Number.MAX_SAFE_INTEGER, untimelyUntil: Number.MAX_SAFE_INTEGER };
        const wanted = [{ device: key.device, times: new Set(times), ...anywhere }];
        const stored = await storedTimesAt(database, key.accountId, wanted);
        const receipts = (stored.get(key.device) ?? []).toSorted(compareFrames);
        expect(receipts).toEqual(
          there.map((stored) => {
            const { recordedAt, digest, receivedAt: firstAt } = stored.frame;
            return { recordedAt, digest, firstAt, timelyAt: stored.timelyAt ?? null, isTimely: isTimely(stored) };
          }),
        );

        const moments = [...new Set(times)].map((at) => ({ device: van.device, at }));
        const shown = await framesAtMoments(database, anna.visibility, moments);
        expect(sorted(shown.map(({ frame }) => frame.stored()))).toEqual(there);
        expect(shown.filter(({ device, device_id }) => device !== van.device || device_id !== van.id)).toEqual([]);

        const [from = 0, until = 0] = times.toSorted();
        const ahead = untimely.filter(
          ({ frame, verdict }) =>
            verdict.rejectReason === "future_time" && frame.recordedAt >= from && frame.recordedAt <= until,
        );
        expect(await framesAhead(database, key, { from, until }, 1_000)).toEqual(ahead);
      }
    }
  });

  test("is not shown to whom the device is not assigned", async () => {
    const database = await place(listed(histories[2]?.[1] ?? []), seed);
    const page = { fromMs: 0, toMs: begin * 2, count: 1_000, validOnly: false, after: null, device: van };
    for (const viewer of [fleet.ben, fleet.otherOwner]) {
      expect(await historyRows(database, viewer.visibility, page)).toEqual([]);
      expect(await framesAtMoments(database, viewer.visibility, [{ device: van.device, at: crowded }])).toEqual([]);
    }
  });
});
