import { fromRules1, type Snapshot1 } from "./earlier/rules-1.ts";
import { fromRules2, type Snapshot2 } from "./earlier/rules-2.ts";
import type { FoldSnapshot } from "./fold.ts";

/**
 * The version of the rules in this folder. It grows with every change of what is derived from the same frames. States that
 * other rules made are not continued: their device is derived again from its frames.
 */
export const rulesVersion = 3;

/**
 * A stored state of earlier rules in the present form. It is not what the present rules would have found, so it is used only
 * until the device is derived again, and where there are no frames to derive it from.
 */
export function fromEarlierRules(rules: number, snapshot: unknown): FoldSnapshot {
  return rules === 1 ? fromRules1(snapshot as Snapshot1) : fromRules2(snapshot as Snapshot2);
}
