import type { FoldSnapshot } from "../fold.ts";

/** What the third rules stored of a device: 1.2.0's, with a day's odometer apart from its positions. */
export type Snapshot3 = FoldSnapshot;

export function fromRules3(snapshot: Snapshot3): FoldSnapshot {
  return snapshot;
}
