import { beginOfEdit, fromTheBeginning, type Version } from "../domain/versions.ts";
import type { Tally } from "./tally.ts";

interface Edit<Content> {
  readonly content: Content;
  readonly validFrom: number | null;
}

/**
 * What has to be stored so that a history says what a file's lines about one thing say. Several lines about it are its
 * history, in which one without a moment is the beginning: so loading them again finds nothing to do.
 */
export function newVersions<Content>(
  stored: readonly Version<Content>[],
  edits: readonly Edit<Content>[],
  now: number,
  same: (one: Content, other: Content) => boolean,
): { readonly toSave: Version<Content>[]; readonly outcome: keyof Tally } {
  const isHistory = edits.length > 1;
  const inOrder = edits
    .map((edit) => (isHistory ? { ...edit, validFrom: edit.validFrom ?? fromTheBeginning } : edit))
    .toSorted((one, other) => (one.validFrom ?? now) - (other.validFrom ?? now));
  let history = [...stored];
  const toSave: Version<Content>[] = [];
  for (const edit of inOrder) {
    const validFrom = beginOfEdit(history, edit, now, same);
    if (validFrom === null) continue;
    const version = { validFrom, content: edit.content };
    toSave.push(version);
    history = [...history.filter((other) => other.validFrom !== validFrom), version];
    history.sort((one, other) => one.validFrom - other.validFrom);
  }
  const outcome = stored.length === 0 ? "added" : toSave.length > 0 ? "changed" : "unchanged";
  return { toSave, outcome };
}
