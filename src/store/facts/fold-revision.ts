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
