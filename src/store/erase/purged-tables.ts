import { distributedTables, referenceTables } from "../distribution.ts";

/** The tables from which rows are erased. Those of earlier versions (`old_…`) may be gone. */
export const purgedTables: readonly string[] = [
  ...distributedTables,
  ...referenceTables,
  "sessions",
  "one_time_links",
  "ingest_tokens",
  "old_frames",
  "old_readings",
  "old_checkpoints",
  "old_checkpoint_totals",
];
