import { fromTheBeginning, startOfEdit, type Version, versionInForce } from "../../domain/versions.ts";
import type { Tally } from "./context.ts";

interface Edit<Content> {
  readonly content: Content;
  readonly validFrom: number | null;
}

/** A version that is to be stored, and what it changes. */
export interface NewVersion<Content> extends Version<Content> {
  /** When it comes into force. The first version also holds for all time before. */
  readonly holdsFrom: number;
  /** What was in force at that time so far; null if nothing was. */
  readonly before: Content | null;
}

/**
 * The versions to store so that a history matches the file. Several lines about one thing are its history, in which a line
 * without `valid_from` is the beginning: so loading them again changes nothing.
 */
export function newVersions<Content>(
  stored: readonly Version<Content>[],
  edits: readonly Edit<Content>[],
  now: number,
  same: (one: Content, other: Content) => boolean,
): {
  readonly toSave: NewVersion<Content>[];
  readonly outcome: keyof Tally;
  /** As it is once these are stored, in ascending time. */
  readonly history: readonly Version<Content>[];
} {
  const isHistory = edits.length > 1;
  const inOrder = edits
    .map((edit) => (isHistory ? { ...edit, validFrom: edit.validFrom ?? fromTheBeginning } : edit))
    .toSorted((one, other) => (one.validFrom ?? now) - (other.validFrom ?? now));
  let history = [...stored];
  const toSave: NewVersion<Content>[] = [];
  for (const edit of inOrder) {
    const validFrom = startOfEdit(history, edit, now, same);
    if (validFrom === null) continue;
    const version = { validFrom, content: edit.content };
    const isFirst = history.every((other) => other.validFrom >= validFrom);
    const holdsFrom = isFirst ? fromTheBeginning : validFrom;
    toSave.push({ ...version, holdsFrom, before: versionInForce(history, validFrom)?.content ?? null });
    history = [...history.filter((other) => other.validFrom !== validFrom), version];
    history.sort((one, other) => one.validFrom - other.validFrom);
  }
  const outcome = stored.length === 0 ? "added" : toSave.length > 0 ? "changed" : "unchanged";
  return { toSave, outcome, history };
}
