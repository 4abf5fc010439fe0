import type { Database } from "../../../src/store/database.ts";
import { openDatabase, type StoreTarget } from "../../../src/store/open.ts";
import { sql } from "../../../src/store/sql.ts";
import { countFrames, everyFrame } from "../../../test/support/stored-frames.ts";
import { frameName, type LoadResult } from "./load.ts";

export interface Verified {
  readonly acknowledged: number;
  readonly stored: number;
  /** Acknowledged, and not in the store. */
  readonly lost: readonly string[];
  /** Rows beyond one for each frame. */
  readonly twice: number;
  /** In the store without having been sent. */
  readonly invented: number;
  readonly held: boolean;
}

/** Compares the frames that were acknowledged with those that are stored. Nothing may write meanwhile. */
export async function verifyFrames(store: string | StoreTarget, load: LoadResult): Promise<Verified> {
  const target: StoreTarget = typeof store === "string" ? { engine: "postgres", url: store } : store;
  const database = await openDatabase(target, { create: false });
  try {
    const rows = await countFrames(database);
    const names = new Set(await storedNames(database));
    const lost = [...load.acknowledged].filter((name) => !names.has(name));
    const invented = [...names].filter((name) => !load.sent.has(name)).length;
    const twice = rows - names.size;
    const held = lost.length === 0 && twice === 0 && invented === 0;
    return { acknowledged: load.acknowledged.size, stored: rows, lost, twice, invented, held };
  } finally {
    await database.close();
  }
}

async function storedNames(database: Database): Promise<string[]> {
  const devices = await database.all<{ account_id: number; device: number; imei: string }>(
    sql`select account_id, device, imei from device_directory`,
  );
  const imeis = new Map(devices.map(({ account_id, device, imei }) => [`${account_id} ${device}`, imei]));
  const frames = await everyFrame(database);
  return frames.map(({ accountId, device, frame }) =>
    frameName(imeis.get(`${accountId} ${device}`) ?? "an unknown device", frame.recordedAt),
  );
}
