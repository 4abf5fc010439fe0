import type { Conversion, Database, OpenOptions } from "../database.ts";

/** In this order. */
const present: readonly Conversion[] = [];

/**
 * Converts what earlier versions stored in another form. The store is not used until it is done. Killed at any moment, it goes on
 * with the next start. Several programs that start at once take turns.
 */
export async function carryOver(database: Database, options: OpenOptions): Promise<void> {
  const { conversions = present, observe } = options;
  // A new store has empty tables of the old forms, too, and says nothing of them.
  const filled: string[] = [];
  for (const { what, total } of conversions) if (((await total(database)) ?? 0) > 0) filled.push(what);
  if (filled.length > 0) observe?.({ kind: "store_conversion_started", what: filled.join(", ") });
  const begun = performance.now();
  for (const conversion of conversions) await convert(database, conversion, options);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  if (filled.length > 0) observe?.({ kind: "store_conversion_finished", seconds });
}

async function convert(database: Database, conversion: Conversion, { observe, signal }: OpenOptions): Promise<void> {
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
    report(await conversion.done(database));
  } while (await conversion.step(database));
  if (done < total) report(total);
}
