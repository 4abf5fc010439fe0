import type { Database } from "../database.ts";
import { oldCheckpoints } from "./checkpoints.ts";
import type { Conversion } from "./conversion.ts";

const conversions: readonly Conversion[] = [oldCheckpoints];

/** Converts what earlier versions stored in another form. Killed at any moment, it goes on with the next start. */
export async function carryOver(database: Database): Promise<void> {
  for (const conversion of conversions) {
    if ((await conversion.total(database)) === null) continue;
    while ((await conversion.step(database)) > 0);
  }
}
