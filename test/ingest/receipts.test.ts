import { expect, test } from "bun:test";
import type { IncomingFrame } from "../../src/ingest/incoming-frame.ts";
import { derivedTables, differencesOf } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";

import { home, loadIngestFleet, newYear, vanImei } from "../support/ingest-fleet.ts";
import { forgetFrames, take } from "../support/ingest-node.ts";
import { noReport } from "../support/random-drive.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

function frameAt(recordedAt: number, fields: Partial<IncomingFrame> = {}): IncomingFrame {
  return { ...noReport, imei: vanImei, recordedAt, receivedAt: recordedAt + 1_000, ...home, ...fields };
}

onEachEngine("of several receipts of one frame", (engine) => {
  test("the first counts, also where it decides whether the frame's time is believed", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const around = [frameAt(newYear), frameAt(newYear + minuteMs)];
    const ahead = frameAt(newYear + 2 * minuteMs, {
      sensors: [{ kind: "fuel", sensor: "tank_1", level_percent: 50, volume_l: null }],
    });
    // Ten minutes before its own time, in its time, and so long after that it is too old.
    const receipts = [-10 * minuteMs, 2_000, 401 * dayMs].map((afterMs) => ({
      ...ahead,
      receivedAt: newYear + 2 * minuteMs + afterMs,
    }));
    const later = frameAt(newYear + 3 * minuteMs);
    for (const told of [receipts, receipts.slice(1), receipts.slice(2), [receipts[0], receipts[2]]]) {
      const arrived = told.filter((frame) => frame !== undefined);
      await forgetFrames(database);
      await take(database, [[...around, ...arrived, later]]);
      const together = await derivedTables(database);
      expect(together.frames.filter((row) => Boolean(row.valid))).toHaveLength(
        arrived.some(({ receivedAt }) => receivedAt < newYear) || arrived.length === 1 ? 3 : 4,
      );
      for (const order of permutations(arrived)) {
        for (const batches of [
          [around, ...order.map((frame) => [frame]), [later]],
          [...order.map((frame) => [frame]), around, [later]],
          [[later], ...order.map((frame) => [frame]), around],
        ]) {
          await forgetFrames(database);
          await take(database, batches);
          expect(differencesOf(together, await derivedTables(database))).toEqual([]);
        }
      }
    }
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
