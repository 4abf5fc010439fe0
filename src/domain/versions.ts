/** Something that holds from a moment on, until the next version of it. */
export interface Version<Content> {
  readonly validFrom: number;
  readonly content: Content;
}

/** A version without a beginning: nothing is earlier. */
export const fromTheBeginning = 0;

/** The first version also holds for all time before it, so that a history can be loaded before or after its fences. */
export function versionInForce<Content>(versions: readonly Version<Content>[], at: number): Version<Content> | null {
  let inForce = versions[0] ?? null;
  for (const version of versions) {
    if (version.validFrom > at) break;
    inForce = version;
  }
  return inForce;
}

/** Since when a condition that holds in this version has held without a break; -Infinity: since the first version. */
export function unbrokenSince<Content>(
  versions: readonly Version<Content>[],
  index: number,
  holds: (content: Content) => boolean,
): number {
  let first = index;
  for (let before = versions[first - 1]; before !== undefined && holds(before.content); before = versions[first - 1])
    first--;
  return first <= 0 ? Number.NEGATIVE_INFINITY : (versions[first]?.validFrom ?? Number.NEGATIVE_INFINITY);
}

/** From when an edit holds, or null if it changes nothing. The first holds from the beginning, a later one from now. */
export function startOfEdit<Content>(
  versions: readonly Version<Content>[],
  edit: { readonly content: Content; readonly validFrom: number | null },
  now: number,
  same: (one: Content, other: Content) => boolean,
): number | null {
  if (versions.length === 0) return edit.validFrom ?? fromTheBeginning;
  const validFrom = edit.validFrom ?? now;
  // A future version says nothing about now; before the first one, only a named moment is an edit.
  const before =
    edit.validFrom === null
      ? versionInForce(versions, now)
      : versions.findLast((version) => version.validFrom <= validFrom);
  return before && same(before.content, edit.content) ? null : validFrom;
}
