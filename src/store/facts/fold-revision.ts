/**
 * New frames after all others raise a device's revision by this much, any other change by 1. So two revisions say whether frames
 * were only appended between them: then what a node has cached at the first still holds, and lacks those frames.
 */
export const appendStep = 2 ** 20;

/** Of a state that lacks more, a checkpoint is as near. */
const maxAppends = 128;

export function isOnlyAppended(since: number, revision: number): boolean {
  const appends = (revision - since) / appendStep;
  return appends > 0 && appends <= maxAppends && Number.isInteger(appends);
}

/** Frames that came a little late. A state of before the first of them still holds. */
export interface LateChange {
  /** What the device's revision became. */
  readonly revision: number;
  /** The time of the first. */
  readonly from: number;
}

/** More than other nodes write between two bodies of a device at this one. */
const maxLateChanges = 8;

export function withLateChange(known: readonly LateChange[], change: LateChange): readonly LateChange[] {
  return [...known.slice(1 - maxLateChanges), change];
}

/** Nothing before this time has changed since a revision; null if that is not known. */
export function unchangedUntil(
  { revision, lateChanges }: { readonly revision: number; readonly lateChanges: readonly LateChange[] },
  since: number,
): number | null {
  const passed = revision - since;
  if (passed <= 0 || passed > maxAppends * appendStep) return null;
  const late = lateChanges.filter((change) => change.revision > since);
  // Any other change has raised the revision, too.
  return late.length === passed % appendStep ? Math.min(...late.map(({ from }) => from)) : null;
}
