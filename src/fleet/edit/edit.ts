import type { Actor } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import { formatInstant, parseInstant } from "../../domain/time/time.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { directoryById } from "../../store/fleet/device-writes.ts";
import type { RevisedType } from "../../store/fleet/record-revisions.ts";
import { applyFleet } from "../apply/apply.ts";
import type { ChangedRecord } from "../consequences/changed-records.ts";
import type { Effect } from "../consequences/effect-types.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { effectWarnings } from "../consequences/rule-warnings.ts";
import type { Line } from "../parse/lines.ts";
import { fileOf } from "./edited-file.ts";
import { effectOf } from "./effect.ts";
import { EditConflict, revisionsByType, type StoredRecord, storedRecords } from "./stored-records.ts";

/** One record that a person adds or changes. */
export interface RecordEdit {
  readonly type: RevisedType;
  /** Of alert settings: the device's id, `tag:NAME` or `all`. */
  readonly id: string;
  /** The revision that the person saw; null: the record is new. */
  readonly revision: number | null;
  /** The fields of its line that differ. The others keep their value. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of alert settings: the field `rules` holds only those of this type of alert. The others keep theirs, now and earlier. */
  readonly alertType?: string | undefined;
}

export interface EditRequest {
  readonly account: { readonly number: number; readonly id: string };
  readonly by: Actor;
  /** All of them are stored, or none. */
  readonly changes: readonly RecordEdit[];
  readonly isPreview: boolean;
  /** Of new users, by id. */
  readonly passwordHashes?: ReadonlyMap<string, string>;
}

export interface EditResult {
  readonly effect: Effect;
  /** The new revision of each, in the order of the changes. */
  readonly revisions: readonly number[];
}

/**
 * Changes records as a person asks for it, by the functions that load a fleet file: an edit is a line of one. From then on
 * the portal manages these records.
 */
export function editFleet(database: Database, request: EditRequest, now: number): Promise<EditResult> {
  return fleetTransaction(database, request.isPreview, (tx) => edit(tx, request, now));
}

/** The same inside a transaction that holds the lock `fleet`, with whatever else belongs to it. */
export async function edit(tx: Transaction, request: EditRequest, now: number): Promise<EditResult> {
  const { account, by, changes, passwordHashes } = request;
  const before = await storedRecords(tx, account.number, changes);
  await refuseForeignDevices(tx, account.number, changes);
  const lines = changes.flatMap((change) => linesOf(account, change, before.of(change), now));
  const { consequences, warnings } = await applyFleet(tx, await fileOf(lines), now, passwordHashes);
  refuseOthers(consequences.changed.all, account.number);
  const effect = await effectOf(tx, consequences, await effectWarnings(tx, account.number, warnings));
  // Nothing of a preview stays, so what nobody will read need not be written.
  if (request.isPreview) return { effect, revisions: changes.map((change) => before.of(change).revision) };
  await consequences.changed.bump(tx, "portal");
  await consequences.changed.writeAudit(tx, by, now);
  await consequences.write(tx, by, now);
  const revisions = await revisionsByType(tx, account.number, changes);
  return { effect, revisions: changes.map(({ type, id }) => revisions.get(type)?.get(id)?.revision ?? 1) };
}

/** Lines of a file may be about any account; those of a person are about their own. */
function refuseOthers(changed: readonly ChangedRecord[], account: number): void {
  const other = changed.find(({ accountId }) => accountId !== account);
  if (other !== undefined) throw new Failure("NOT_FOUND", `there is no such ${other.type.replace("_", " ")}`);
}

function linesOf(
  account: EditRequest["account"],
  change: RecordEdit,
  before: StoredRecord,
  now: number,
): readonly Line[] {
  const { type, id, revision, fields } = change;
  const { versions } = before;
  const newest = versions.at(-1);
  if (revision === null) {
    // Of alert settings the id is not a person's choice: two may set the first rules of a tag at once.
    if (newest !== undefined) throw new EditConflict(newest, before.revision);
    // The names last: whatever the fields say, it is a record of this account.
    return withBeginning({ ...fields, ...namesOf(type, id, account.id), type }, now);
  }
  if (newest === undefined) throw new Failure("NOT_FOUND", `there is no such ${type.replace("_", " ")}`);
  if (before.revision !== revision) throw new EditConflict(newest, before.revision);
  // Versions continue: what a person changes holds from now on, or from the moment named.
  const { valid_from: _, tag_versions: __, ...line } = newest;
  const edited: Line = { ...line, ...fields, ...namesOf(type, id, account.id), type };
  return isVersioned(type) ? withLater(edited, versions, now, change.alertType) : [edited];
}

/** The line of a device's rules does not name the account. */
async function refuseForeignDevices(tx: Transaction, accountId: number, changes: readonly RecordEdit[]): Promise<void> {
  const ids = changes
    .filter(({ type, revision }) => type === "alert_settings" && revision === null)
    .map(({ id }) => id)
    .filter((id) => id !== "all" && !id.startsWith("tag:"));
  const entries = await directoryById(tx, ids);
  const own = new Set(entries.filter(({ account_id }) => account_id === accountId).map(({ id }) => id));
  if (ids.some((id) => !own.has(id))) throw new Failure("NOT_FOUND", "there is no such device");
}

/** A fence or a rule that holds from some moment on must not hold before: it begins without devices and rules. */
function withBeginning(line: Line, now: number): readonly Line[] {
  if (!isVersioned(line.type)) return [line];
  if (line.valid_from === "always") return [{ ...line, valid_from: undefined }];
  const from = line.valid_from ?? formatInstant(now);
  const before = line.type === "geofence" ? { device_ids: [] } : { rules: [] };
  return [
    { ...line, ...before, valid_from: formatInstant(fromTheBeginning) },
    { ...line, valid_from: from },
  ];
}

/** What a person says holds from some moment on, whatever later versions said. */
function withLater(line: Line, versions: readonly Line[], now: number, alertType?: string): readonly Line[] {
  const from = parseInstant(String(line.valid_from ?? formatInstant(now)));
  // The check of the line says what is wrong with the moment.
  if (from === null) return [line];
  const later = versions.map(({ valid_from }) => parseInstant(String(valid_from)) ?? 0).filter((at) => at > from);
  const { rules } = line;
  return [from, ...later].map((at) => {
    const atMoment = { ...line, valid_from: formatInstant(at) };
    if (alertType === undefined || !Array.isArray(rules)) return atMoment;
    return { ...atMoment, rules: withRulesOfType(alertType, rules, versions, at) };
  });
}

/**
 * The rules of a moment, with those of one type of alert replaced. The others stay as they were then: who changes the past of
 * one type says nothing about the others. Versions are in ascending time.
 */
function withRulesOfType(
  type: string,
  rules: readonly unknown[],
  versions: readonly Line[],
  at: number,
): readonly unknown[] {
  const inForce = versions.findLast(({ valid_from }) => (parseInstant(String(valid_from)) ?? 0) <= at) ?? versions[0];
  const before = (inForce?.rules ?? []) as readonly { readonly alert_type: unknown }[];
  const others = before.filter(({ alert_type }) => alert_type !== type);
  // In their old place: another order is no other rule, and should not look like one.
  const first = before.findIndex(({ alert_type }) => alert_type === type);
  return others.toSpliced(first === -1 ? others.length : first, 0, ...(rules as typeof others));
}

function isVersioned(type: string): boolean {
  return type === "geofence" || type === "alert_settings";
}

/** The fields that say which record a line is about. */
function namesOf(type: RevisedType, id: string, accountId: string): Readonly<Record<string, string>> {
  if (type === "account") return { id };
  if (type !== "alert_settings") return { id, account_id: accountId };
  if (id === "all") return { account_id: accountId };
  return id.startsWith("tag:") ? { account_id: accountId, tag: id.slice("tag:".length) } : { device_id: id };
}
