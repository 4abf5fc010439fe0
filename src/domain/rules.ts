import { fromRules1, type Snapshot1 } from "./earlier/rules-1.ts";
import { fromRules2, type Snapshot2 } from "./earlier/rules-2.ts";
import { fromRules3, type Snapshot3 } from "./earlier/rules-3.ts";
import { fromRules4, type Snapshot4 } from "./earlier/rules-4.ts";
import type { FoldSnapshot } from "./fold.ts";

/** Grows with every change of what is derived from the same frames. Devices of other rules are derived again. */
export const rulesVersion = 5;

/** Not what the present rules would have found: used only until the device is derived again, or without its frames. */
export function fromEarlierRules(rules: number, snapshot: unknown): FoldSnapshot {
  return fromRules4(rules === 4 ? (snapshot as Snapshot4) : fromRules3(third(rules, snapshot)));
}

function third(rules: number, snapshot: unknown): Snapshot3 {
  if (rules === 1) return fromRules1(snapshot as Snapshot1);
  return rules === 2 ? fromRules2(snapshot as Snapshot2) : (snapshot as Snapshot3);
}
