import type { Observe } from "../../observe/observation.ts";
import type { Database } from "../database.ts";
import { oldCheckpoints } from "./checkpoints.ts";
import type { Conversion } from "./conversion.ts";
import { oldFrames } from "./frames.ts";

const conversions: readonly Conversion[] = [oldFrames, oldCheckpoints];

/** How often the progress is reported. */
const reportMs = 2_000;

/**
 * Converts what earlier versions stored in another form. It takes a minute for some ten million frames, and the store is not
 * used until it is done. Killed at any moment, it goes on with the next start.
 */
export async function carryOver(database: Database, observe: Observe = () => {}): Promise<void> {
  for (const conversion of conversions) {
    const total = await conversion.total(database);
    if (total !== null) await convert(database, conversion, total, observe);
  }
}

async function convert(database: Database, conversion: Conversion, total: number, observe: Observe): Promise<void> {
  const { what } = conversion;
  let done = 0;
  let reportedAt = performance.now();
  if (total > 0) observe({ kind: "store_conversion_started", what, total });
  for (;;) {
    const count = await conversion.step(database);
    if (count === 0) break;
    done += count;
    if (performance.now() - reportedAt < reportMs) continue;
    reportedAt = performance.now();
    // The total is an estimate on PostgreSQL, and of what was left at the start.
    observe({ kind: "store_conversion_progress", what, done, total: Math.max(done, total) });
  }
  if (done > 0) observe({ kind: "store_conversion_finished", what, done });
}
