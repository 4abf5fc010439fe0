import { hashPassword, verifyPassword } from "../../access/passwords.ts";
import type { Database, Reader } from "../../store/database.ts";
import { usersById } from "../../store/fleet/users.ts";
import { ruleWarningWords } from "../consequences/rule-warnings.ts";
import type { FleetFile, OnLine } from "../parse/fleet-file.ts";
import type { RecordOf } from "../parse/records.ts";
import { applyFleet, type LoadSummary } from "./apply.ts";
import { auditPutBack, portalsRecords, refuseConflicts } from "./conflicts.ts";
import { byId, idsOf, type OnProgress } from "./context.ts";

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
    await consequences.write(tx, { kind: "file" }, now);
    return applied;
  });
  for (const warning of ruleWarningWords(warnings)) onWarning(warning);
  return summary;
}

/** Hashes run on other threads. More at once than a small machine has cores would only cost memory. */
const atOnce = 4;

/**
 * The hash for each user whose line names a password or its hash, by user id. A password that is in force already keeps its
 * hash: each hash has its own salt, so hashing it again would look like a change.
 */
async function hashNewPasswords(
  reader: Reader,
  lines: readonly OnLine<RecordOf<"user">>[],
  onProgress: OnProgress,
): Promise<ReadonlyMap<string, string>> {
  const named = lines.flatMap(({ record: { id, password } }) => (password === null ? [] : [{ id, password }]));
  const stored = byId(await usersById(reader, idsOf(named)));
  const hashes = new Map<string, string>();
  for (const { record } of lines) if (record.password_hash !== null) hashes.set(record.id, record.password_hash);
  for (let start = 0; start < named.length; start += atOnce) {
    onProgress("hashing passwords", start, named.length);
    await Promise.all(
      named.slice(start, start + atOnce).map(async ({ id, password }) => {
        const before = stored.get(id)?.password_hash ?? null;
        const isSame = before !== null && (await verifyPassword(password, before));
        hashes.set(id, isSame ? before : await hashPassword(password));
      }),
    );
  }
  onProgress("hashing passwords", named.length, named.length);
  return hashes;
}
