import type { Database, OpenOptions } from "../database.ts";
import { oldCheckpoints } from "./checkpoints.ts";
import { type Conversion, hasRows, placeOf } from "./conversion.ts";
import { oldFrames } from "./frames.ts";
import { oldReadings } from "./readings.ts";

/** In this order: readings are compared with the frames. */
const conversions: readonly Conversion[] = [oldFrames, oldReadings, oldCheckpoints];

/**
 * Converts what earlier versions stored in another form. It takes a core some 20 seconds for a million frames, and the
 * store is not used until it is done. Killed at any moment, it goes on with the next start. Several programs that start at once take turns.
 */
export async function carryOver(database: Database, options: OpenOptions): Promise<void> {
  // A new store has empty tables of the old forms, too, and says nothing of them.
  const filled: string[] = [];
  for (const { what } of conversions) if (await hasRows(database, `old_${what}`)) filled.push(what);
  if (filled.length > 0) options.observe?.({ kind: "store_conversion_started", what: filled.join(", ") });
  const begun = performance.now();
  for (const conversion of conversions) await convert(database, conversion, options);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  if (filled.length > 0) options.observe?.({ kind: "store_conversion_finished", seconds });
}

async function convert(database: Database, conversion: Conversion, options: OpenOptions): Promise<void> {
  const { observe, rowsPerStep, signal } = options;
  const { what } = conversion;
  const total = await conversion.total(database);
  if (total === null) return;
  let done = 0;
  const report = (now: number) => {
    // Another program that finishes it forgets how much was done.
    done = Math.max(done, now);
    if (total > 0) observe?.({ kind: "store_conversion_progress", what, done, total: Math.max(done, total) });
  };
  do {
    signal?.throwIfAborted();
    report((await placeOf(database, what)).done);
  } while ((await conversion.step(database, rowsPerStep)) > 0);
  if (done < total) report(total);
}
