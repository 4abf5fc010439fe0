import type { AuditAction, AuditEntry } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import type { Reader, Transaction } from "../../store/database.ts";
import { addAuditEntries, removedLast } from "../../store/fleet/audit.ts";
import { revisionsOf } from "../../store/fleet/record-revisions.ts";
import type { ChangedRecord } from "../consequences/changed-records.ts";
import { quoted } from "../parse/parse.ts";
import { firstProblems } from "../parse/reference.ts";

/** What only those who run the server say about an account. The portal cannot change it, so a file undoes nothing. */
const operatorsFields = ["status", "limits"];

/** What a load means for records that people changed in the portal. */
export interface PortalsRecords {
  /** Lines that would undo what a person did, as sentences, in the order of their lines. */
  readonly conflicts: readonly Conflict[];
  /** Changed without undoing anything: the portal goes on managing them. */
  readonly untouched: ReadonlySet<ChangedRecord>;
  /** Those that were removed or erased, and come again. */
  readonly removed: readonly ChangedRecord[];
}

export interface Conflict {
  readonly line: number;
  readonly text: string;
}

/** Looks at what a file changes. Revisions must be as they were before it. */
export async function portalsRecords(reader: Reader, changed: readonly ChangedRecord[]): Promise<PortalsRecords> {
  const conflicts: Conflict[] = [];
  const untouched = new Set<ChangedRecord>();
  const comingAgain: ChangedRecord[] = [];
  for (const [accountId, own] of Map.groupBy(changed, (record) => record.accountId)) {
    for (const [type, ofType] of Map.groupBy(own, (record) => record.type)) {
      const ids = ofType.map(({ id }) => id);
      const revisions = await revisionsOf(reader, accountId, type, ids);
      const removed = await removedLast(reader, accountId, type, ids);
      for (const record of ofType) {
        const isPortals = revisions.get(record.id)?.managedBy === "portal";
        if (removed.has(record.id)) {
          comingAgain.push(record);
          conflicts.push({ line: record.line, text: removedInWords(record) });
        } else if (isPortals && isOperators(record)) untouched.add(record);
        else if (isPortals) conflicts.push({ line: record.line, text: changedInWords(record) });
        else if (undoesChoice(record)) conflicts.push({ line: record.line, text: chosenInWords(record) });
      }
    }
  }
  const inOrder = conflicts.sort((one, other) => one.line - other.line);
  return { conflicts: inOrder, untouched, removed: comingAgain };
}

/** Writes that a file has put records back: from then on they are not removed any more. */
export async function auditPutBack(tx: Transaction, removed: readonly ChangedRecord[], now: number): Promise<void> {
  for (const [accountId, own] of Map.groupBy(removed, (record) => record.accountId)) {
    const entries = own.map(({ type, id, fields }): AuditEntry => {
      const action = `${type}.${fields === null ? "added" : "restored"}` as AuditAction;
      return { by: { kind: "file" }, action, id };
    });
    await addAuditEntries(tx, accountId, entries, now);
  }
}

/** Refuses a file that would undo what people did in the portal. */
export function refuseConflicts(conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return;
  const reported = firstProblems(conflicts.map(({ line, text }) => `line ${line}: ${text}`));
  const advice = "nothing was stored; correct the lines, or store them with --take-over";
  throw new Failure("FLEET_FILE_INVALID", `${reported} (${advice})`);
}

function isOperators({ type, fields }: ChangedRecord): boolean {
  return type === "account" && fields !== null && fields.every((field) => operatorsFields.includes(field));
}

/** A person's own choice, such as a password, in a record that the file manages. */
function undoesChoice({ fields, chosenByPerson = [] }: ChangedRecord): boolean {
  return fields?.some((field) => chosenByPerson.includes(field)) ?? false;
}

function changedInWords(record: ChangedRecord): string {
  const differences = record.fields?.map((field) => differenceInWords(field, record.rows)) ?? [];
  const verb = record.type === "alert_settings" ? "were" : "was";
  const what = `${name(record)} ${verb} changed in the portal`;
  return differences.length === 0 ? what : `${what}: ${differences.join(", ")}`;
}

/** What was kept is put back. What was erased is not there any more. */
function removedInWords(record: ChangedRecord): string {
  const [done, would] = record.fields === null ? ["erased", "add it anew"] : ["removed in the portal", "put it back"];
  return `${name(record)} was ${done}, and the file would ${would}`;
}

function chosenInWords(record: ChangedRecord): string {
  return `the person of ${name(record)} has chosen another password in the portal; leave it out of the line`;
}

function name({ type, id }: Pick<ChangedRecord, "type" | "id">): string {
  if (type !== "alert_settings") return `${type} ${id}`;
  if (id === "all") return "the account's alert settings";
  return `the alert settings of ${id.startsWith("tag:") ? `tag ${quoted(id.slice("tag:".length))}` : `device ${id}`}`;
}

/** Long texts are shortened. A list, a shape or a password is not shown. */
function differenceInWords(field: string, rows: ChangedRecord["rows"]): string {
  const values = [rows?.after, rows?.before].map((row) => (row as Record<string, unknown> | undefined)?.[field]);
  if (!values.every(isShown)) return `the file differs in ${field}`;
  const [wanted, stored] = values.map((value) => (typeof value === "string" ? quoted(value) : String(value ?? "none")));
  return `the file says ${field} ${wanted}, stored is ${stored}`;
}

function isShown(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}
