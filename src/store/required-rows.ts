import { Failure } from "../domain/errors.ts";
import type { BulkTable, BulkUpdate } from "./database.ts";

/** On Citus, a statement that waited for a shard which was replaced meanwhile writes nothing, without an error. */

/** Some rows were not written, so nothing of the transaction was. Sending all again is right. */
export class LostRowsFailure extends Failure {
  constructor(written: number, required: number, where: string) {
    const message = `the store wrote ${written} of ${required} rows (${where}): nothing of this change is stored; send it again`;
    super("STORE_UNREACHABLE", message);
  }
}

export function requireRows(written: number, required: number, statement: string): number {
  if (written < required) throw new LostRowsFailure(written, required, beginningOf(statement));
  return written;
}

/** A row is skipped only if the table says so: each other one is added, or changed in the place of an earlier one. */
export function requiredOf({ onConflict }: BulkTable, rows: readonly unknown[]): number {
  return maySkip(onConflict) ? 0 : rows.length;
}

export function requiredOfUpdate({ rowsMayBeGone }: BulkUpdate, rows: readonly unknown[]): number {
  return rowsMayBeGone ? 0 : rows.length;
}

function maySkip(onConflict = ""): boolean {
  return /\bdo nothing\b|\bwhere\b/.test(onConflict);
}

/** Names what the statement writes, and no value. */
function beginningOf(statement: string): string {
  return statement.trim().split(/\s+/, 3).join(" ");
}
