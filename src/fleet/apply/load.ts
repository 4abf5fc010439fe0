import type { Database } from "../../store/database.ts";
import { ruleWarningWords } from "../consequences/rule-warnings.ts";
import type { FleetFile } from "../parse/fleet-file.ts";
import { applyFleet, type LoadSummary } from "./apply.ts";
import { hashNewPasswords } from "./apply-passwords.ts";
import { auditPutBack, portalsRecords, refuseConflicts } from "./conflicts.ts";
import type { OnProgress } from "./context.ts";

export interface LoadOptions {
  readonly onProgress?: OnProgress;
  /** Called after the commit for what was stored but is probably a mistake. */
  readonly onWarning?: (warning: string) => void;
  /** Whether the file may undo what people did in the portal. */
  readonly takeOver?: boolean;
}

/**
 * Makes the store match the file, in one transaction: all of it or, if anything does not fit, nothing. Records that are
 * stored already are not touched, so loading a file twice changes nothing.
 *
 * The same transaction marks the devices that must be derived again, and from when. Frames of the file are not stored here,
 * but each must belong to a known device.
 */
export async function loadFleet(
  database: Database,
  file: FleetFile,
  now: number,
  { onProgress = () => {}, onWarning = () => {}, takeOver = false }: LoadOptions = {},
): Promise<LoadSummary> {
  // Hashing is slow on purpose, so it happens before the transaction.
  const passwordHashes = await hashNewPasswords(database, file.users, onProgress);
  const { warnings, summary } = await database.transaction(async (tx) => {
    await tx.lock("fleet");
    const applied = await applyFleet(tx, file, now, passwordHashes, onProgress);
    const { consequences } = applied;
    const { conflicts, untouched, removed } = await portalsRecords(tx, consequences.changed.all);
    if (!takeOver) refuseConflicts(conflicts);
    await auditPutBack(tx, removed, now);
    await consequences.changed.bump(tx, "file", untouched);
    await consequences.changed.writeLoadAudit(tx, now);
    await consequences.write(tx, now);
    return applied;
  });
  for (const warning of ruleWarningWords(warnings)) onWarning(warning);
  return summary;
}
