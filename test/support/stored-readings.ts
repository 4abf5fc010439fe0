import { placeKey } from "../../src/domain/frame.ts";
import { frameOf, type OldRow } from "../../src/store/carry-over/readings.ts";
import type { Transaction } from "../../src/store/database.ts";
import { keepReadings, saveReadings } from "../../src/store/frames/reading-writes.ts";

/** A reading as a row, as they were stored before the readings were part of the frames. */
export type OldReading = OldRow;

/** Stores readings as they are left when their frames are dropped: no list of frames shows them. */
export async function putReadings(tx: Transaction, readings: readonly OldReading[]): Promise<void> {
  for (const own of Map.groupBy(readings, ({ account_id, device }) => `${account_id} ${device}`).values()) {
    const [{ account_id: accountId, device }] = own as [OldReading];
    const byFrame = Map.groupBy(own, ({ recorded_at: recordedAt, digest }) => placeKey({ recordedAt, digest }));
    const frames = [...byFrame.values()].map(frameOf);
    await saveReadings(
      tx,
      frames.map((frame) => ({ ...frame, accountId, device })),
    );
    await keepReadings(tx, { accountId, device }, frames);
  }
}
