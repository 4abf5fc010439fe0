import type { FoldSnapshot } from "../fold.ts";

/** What the third rules stored of a device: 1.2.0's, with a day's odometer apart from its positions. */
export interface Snapshot3 extends Omit<FoldSnapshot, "judge"> {
  readonly judge: Omit<FoldSnapshot["judge"], "rival"> & { readonly rival: unknown };
}

/** What the third rules knew of a second place was less than a second tracker. */
export function fromRules3({ judge, stages }: Snapshot3): FoldSnapshot {
  return { judge: { ...judge, rival: null }, stages };
}
