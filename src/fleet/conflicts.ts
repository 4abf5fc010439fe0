import { Failure } from "../domain/errors.ts";
import type { Reader } from "../store/database.ts";
import { revisionsOf } from "../store/record-revisions.ts";
import type { ChangedRecord } from "./changed-records.ts";

/** More would tell a reader nothing new. */
const maxConflictsReported = 10;

/** Refuses a file that would undo what a person did in the portal. */
export async function refuseConflicts(reader: Reader, changed: readonly ChangedRecord[]): Promise<void> {
  const conflicts: ChangedRecord[] = [];
  for (const [accountId, own] of Map.groupBy(changed, (record) => record.accountId)) {
    for (const [type, ofType] of Map.groupBy(own, (record) => record.type)) {
      const ids = ofType.map(({ id }) => id);
      const revisions = await revisionsOf(reader, accountId, type, ids);
      conflicts.push(...ofType.filter(({ id }) => revisions.get(id)?.managedBy === "portal"));
    }
  }
  if (conflicts.length === 0) return;
  conflicts.sort((one, other) => one.line - other.line);
  const told = conflicts.slice(0, maxConflictsReported).map(inWords);
  if (conflicts.length > told.length) told.push(`and ${conflicts.length - told.length} more`);
  const advice = "nothing was stored; --take-over stores the file's version";
  throw new Failure("FLEET_FILE_INVALID", `${told.join("; ")} (${advice})`);
}

function inWords({ line, type, id, fields }: ChangedRecord): string {
  const what = fields === null ? "it" : fields.join(", ");
  return `line ${line}: ${type.replace("_", " ")} ${id} was changed in the portal, and the file would change ${what}`;
}
